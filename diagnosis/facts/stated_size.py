"""How many ranks programs say that there are, in words that no format declares.

Read from the beginnings of files, where launchers repeat their arguments and programs print what they were given; asked
for only where no declared line tells. Each way of saying it is a row of `WORDINGS`, with a sample that is tested.
"""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from logtui.parsers.clean import clean
from logtui.parsers.files.case import Case
from logtui.parsers.files.dates import spread
from logtui.parsers.files.ends import head
from logtui.parsers.regex import regex
from logtui.parsers.source import LogFile

HEAD_BYTES = 256 << 10
"""Bytes at the beginning of a file that are looked at."""
MOST_FILES = 8
WIDTH = 4000
"""Characters of a line that are looked at."""
_MAY_SAY = regex(
    rb"(?i)world|rank_?s|range\(0|store-based|trainers|n_gpu: 1|nproc|\bnnodes|processes|per_node|ngpu|ntasks"
    rb"|mpirun|mpiexec|\(rank|clients joined"
    rb"|, total \d|gpus? |gpus\b|gpu number|devices|horovod size|trainer_endpoints|slurm_n|peer ranks|\] \(\d{1,4}/"
)
_PARTS = (
    b"world", b"ranks", b"rank_s", b"range(0", b"store-based", b"trainers", b"n_gpu: 1", b"nproc", b"nnodes",
    b"processes", b"per_node", b"ngpu", b"ntasks", b"mpirun", b"mpiexec", b", total ", b"gpu ", b"gpus", b"devices",
    b"horovod size", b"trainer_endpoints", b"slurm_n", b"] (", b"(rank", b"clients joined",
)  # fmt: skip
"""One of them is in whatever that expression finds: looked for first, in a text as a whole."""
_CODE = regex(rb"\bdef |self\.|\):\s*$")
MOST = 1_000_000


Match = re.Match[str]


def _number(match: Match) -> int:
    return int(match[1])


def _devices(match: Match) -> int:
    """Of DeepSpeed's map of hosts to devices, in base64; 0 where it is none."""
    packed = match[1]
    try:
        found = json.loads(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)))
    except (ValueError, RecursionError):
        return 0
    if not isinstance(found, dict):
        return 0
    return sum(len(devices) for devices in found.values() if isinstance(devices, list))


_NODES = regex(r"(?<![a-z])n?nodes['\"]?[ =:,]{1,3}['\"]?(\d{1,6})(?![\d:.])")
_EACH = regex(r"(?<![A-Za-z])n(?:proc|_gpus)[_-]per[_-]node['\"]?[ =:,]{1,3}['\"]?(\d{1,4})(?![\d.])")


def _product(match: Match) -> int:
    """Processes of a node times nodes; torchrun runs on one where its line speaks of none."""
    nodes, each = _NODES.search(match.string), _EACH.search(match.string)
    alone = nodes is None and "nodes" not in match.string and "torch" in match.string
    return int(each[1]) * (int(nodes[1]) if nodes else int(alone)) if each else 0


def _on_each(match: Match) -> int:
    """GPUs of a node times nodes, where the line speaks of some; a single one may be of many processes."""
    nodes = _NODES.search(match.string) or re.search(r"num_nodes['\"]?[ =:]{1,3}(\d{1,6})", match.string)
    return int(match[1]) * (int(nodes[1]) if nodes else 1) if int(match[1]) > 1 else 0


def _and_itself(match: Match) -> int:
    return int(match[1]) + 1


def _listed(match: Match) -> int:
    return len([one for one in match["all"].split(",") if one.strip()])


@dataclass(frozen=True, slots=True)
class Wording:
    """A way in which a line says how many ranks there are."""

    regex: re.Pattern[str]
    sample: str
    means: int
    """What the sample says."""
    read: Callable[[Match], int] = _number


WORDINGS = (
    Wording(
        regex(
            r"(?i)(?<![a-z_-])(?<!parallel )(?<!group )world[ _]size['\"]?"
            r"(?: {0,60}[:=]| ?\.{3,80}| (?:is )?) {0,8}(\d{1,6})(?![\d.]|:\d)"
        ),
        "INFO detectron2: Rank of current process: 1. World size: 128",
        128,
    ),
    Wording(regex(r"\(global: \d{1,6}, local \d{1,4}\), total (\d{1,6})"), "(global: 9, local 1), total 128.", 128),
    Wording(
        regex(r"--world_info[= ](?:['\"])?([A-Za-z0-9+/_-]{8,3000}={0,2})"),
        "launch --world_info=eyJub2RlMDA3IjogWzAsIDFdLCAibm9kZTAwOCI6IFswLCAxXX0= --master_port=29500",
        4,
        _devices,
    ),
    Wording(regex(r"\(rank(?:: |/world-size\) )\d{1,6}/(\d{1,6})(?!\d)"), "Initialized (rank/world-size) 3/16", 16),
    Wording(regex(r"\b\d{1,6}/(\d{1,6}) clients joined"), "waiting for clients. 15/16 clients joined.", 16),
    Wording(regex(r"init nccl context nranks: (\d{1,6})"), "init nccl context nranks: 16 local rank: 1", 16),
    Wording(
        regex(r"(?i)total number of gpus (?:determined to be|is|used)?:? {0,3}(\d{1,6})(?![\d.])"),
        "NeoXArgs.calculate_derived() Total number of GPUs determined to be: 16",
        16,
    ),
    Wording(regex(r"\bn(?:um)?_(?:ranks|processes)['\"]?[ =:|]{1,40}(\d{1,6})(?![\d.])"), "| num_processes   | 16", 16),
    Wording(
        regex(r"\b(?:on|over|across|with|launching|starting) (\d{1,6}) (?:ranks|distributed processes)\b", re.I),
        "training on 512 ranks",
        512,
    ),
    Wording(
        regex(r"\bProcess \d{1,6}, total (\d{1,6})[,.]"),
        "1 device per process.Process 3, total 16, device cuda:3.",
        16,
    ),
    Wording(
        regex(r"\btraining on (\d{1,6}) (?:devices|GPUs)\b"),
        "fairseq_cli.train | training on 16 devices (GPUs/TPUs)",
        16,
    ),
    Wording(regex(r"(?i)\bhorovod size: {0,3}(\d{1,6})\b"), "Horovod size: 16", 16),
    Wording(
        regex(r"(?i)\b(?:process )?group\b.{0,60}? (?:with |world[ =:]{1,2}|of )(\d{1,6})(?: (?:processes|ranks)|$)"),
        "initialized process group with 16 processes",
        16,
    ),
    Wording(
        regex(r"(?i)\btotal (?:number of )?(?:gpus|processes|ranks)(?: is| ?[=:]) {0,3}(\d{1,6})(?![\d.])"),
        "nodes: 2, gpus per node: 8, total gpus: 16",
        16,
    ),
    Wording(
        regex(r"Expected number of connected peer ranks is ?: ?(\d{1,6})"),
        "[Gloo] Rank 3 is connected to 15 peer ranks. Expected number of connected peer ranks is : 15",
        16,
        _and_itself,
    ),
    Wording(regex(r"\] \(\d{1,4}/(\d{1,5})\) "), "INFO [train.py:57] (3/16) Training started", 16),
    Wording(
        regex(r"(?i)\btrainer_endpoints['\"]?[ =:]{1,3}(?=(?:[^\s,]{1,80}:\d{1,5},?){2})(?P<all>\S+)"),
        "trainer_endpoints: 10.0.0.1:6170,10.0.0.1:6171",
        2,
        _listed,
    ),
    Wording(
        regex(r"Using MirroredStrategy with devices \((?P<all>[^)]{1,3900})"),
        "INFO:tensorflow:Using MirroredStrategy with devices ('/device:GPU:0', '/device:GPU:1')",
        2,
        _listed,
    ),
    Wording(regex(r"\bSLURM_N(?:TASKS|PROCS)['\"]?[ =:]{1,3}['\"]?(\d{1,6})\b"), "SLURM_NTASKS=16", 16),
    Wording(
        regex(r"\b(?:mpirun|mpiexec)\b.{0,300}? -(?:np|n) (\d{1,6})(?!\S)"),
        "mpirun -H a,b -np 16 python train.py",
        16,
    ),
    Wording(regex(r"(?i)\bdistributed_world_size['\"]?[ =:]{1,3}(\d{1,6})(?!\d)"), "'distributed_world_size': 8", 8),
    Wording(regex(r"RANK and WORLD_SIZE in environ: \d{1,6}/(\d{1,6})"), "RANK and WORLD_SIZE in environ: 3/16", 16),
    Wording(
        regex(r"Completed store-based barrier for(?: key:\S{1,99} with)? (\d{1,6}) nodes"),
        "Rank 3: Completed store-based barrier for key:store_based_barrier_key:1 with 16 nodes.",
        16,
    ),
    Wording(regex(r"\brank_?[sS]ize['\"]?[ =:\[]{1,2}(\d{1,6})(?![\d.])"), "CommInitRootInfo, rank:3, rankSize:16", 16),
    Wording(regex(r"Out of all (\d{1,6}) trainers"), "ABORT!!! Out of all 16 trainers, rank=[3] was aborted", 16),
    Wording(regex(r"^gpu_ids = range\(0, (\d{1,6})\)"), "gpu_ids = range(0, 16)", 16),
    Wording(_EACH, "trainer.n_gpus_per_node=8 trainer.nnodes=2", 16, _product),
    Wording(_EACH, "['torchrun', '--nnodes', '2', '--nproc_per_node', '8']", 16, _product),
    Wording(_EACH, "torchrun --standalone --nproc_per_node 8 train.py", 8, _product),
    Wording(regex(r"\bUsing nproc_per_node=(\d{1,4})\."), "INFO:root:Using nproc_per_node=8.", 8),
    Wording(
        regex(r"\bn_gpu: (1)(?: ,|,) ?distributed training: False"),
        "Process rank: 0, device: cuda:0, n_gpu: 1, distributed training: False, 16-bits training: True",
        1,
    ),
    Wording(regex(r"\bNGPU=(\d{1,6})\b"), "mesh: NGPU=8 TP=2", 8),
    Wording(regex(r"\bsrun\b.{0,1000}? --ntasks[= ](?!1(?!\d))(\d{1,6})(?!\d)"), "+ srun -l --ntasks=16 train.sh", 16),
    Wording(regex(r"(?i)\bgpu number: (\d{1,5})\b"), "    GPU number: 16", 16),
    Wording(
        regex(r"(?i)\bnum(?:ber[ _]of)?[ _]devices['\"]?(?: is| ?[=:]) {0,3}(\d{1,6})(?![\d.])"),
        "Num_devices: 16, shape (1, 1, 16, 1)",
        16,
    ),
    Wording(regex(r"(?i)\btotal_gpus['\"]?[ =:]{1,3}(\d{1,6})(?![\d.])"), "cfg.total_gpus: 16", 16),
    Wording(
        regex(r"(?i)(?<![-\w])(?:--)?n(?:um)?_?gpus?['\"]?[ =:]{1,3}(\d{1,4})(?![\d.])"),
        "num_gpus: 8, num_nodes: 2",
        16,
        _on_each,
    ),
    Wording(
        regex(r"(?i)(?<!let's )\b(?:using|on|across|with) (?:all )?(\d{1,4}) (?:available )?gpus\b(?! per| on each)"),
        "Using 8 GPUs for training",
        8,
    ),
    Wording(regex(r"world_size_(\d{1,6})_rank_\d"), "saved model_world_size_16_rank_3.pt", 16),
)
"""In the order of trust: what a program says before what a launcher is told, and what one left behind last."""


def stated_size(case: Case, least: int) -> int | None:
    """The size that the most trusted wording gives most often, of several as often the largest; none below `least`."""
    votes = [Counter[int]() for _ in WORDINGS]
    nodes, each = Counter[int](), Counter[int]()
    for line in _lines(spread(case.files)[:MOST_FILES]):
        nodes.update(int(n) for n in _NODES.findall(line)[:1])
        each.update(int(n) for n in _EACH.findall(line)[:1])
        for wording, found in zip(WORDINGS, votes, strict=True):
            match = wording.regex.search(line)
            size = wording.read(match) if match else 0
            if max(least, 1) <= size < MOST:
                found[size] += 1
    told = next((_most(found) for found in votes if found), None)
    apart = _most(nodes) * _most(each) if nodes and each else 0  # a configuration that is printed over many lines
    return told or (apart if max(least, 1) <= apart < MOST else None)


def _most(found: Counter[int]) -> int:
    """The number said most often, of several the largest."""
    return max(found, key=lambda n: (found[n], n))


def _lines(files: Iterable[LogFile]) -> Iterator[str]:
    """Lines of the beginnings of files that may say it, but for those of a program's source."""
    for file in files:
        for raw in _with_parts(head(file, HEAD_BYTES)):
            if _MAY_SAY.search(raw) and not _CODE.search(raw):
                yield clean(raw[:WIDTH])


def _with_parts(text: bytes) -> Iterator[bytes]:
    """Its lines that hold one of the parts, in order."""
    low, begins = text.lower(), set[int]()
    for part in _PARTS:
        at = low.find(part)
        while at >= 0:
            begins.add(low.rfind(b"\n", 0, at) + 1)
            end = low.find(b"\n", at)
            at = low.find(part, end) if end >= 0 else -1
    return (_line(text, begin) for begin in sorted(begins))


def _line(text: bytes, begin: int) -> bytes:
    end = text.find(b"\n", begin)
    return text[begin:] if end < 0 else text[begin:end]
