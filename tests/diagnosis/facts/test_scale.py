"""World size where no line says it outright."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.facts.stated_size import WORDINGS, Wording
from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

HF = "  Instantaneous batch size per device = 2\n  Total train batch size (w. parallel, distributed & accumulation) = {total}\n  Gradient Accumulation steps = 4\n"
NCCL = "node007:4242:4300 [1] NCCL INFO comm 0x55d{n} rank {n} nranks {of} cudaDev {n} busId {n}b000 commId 0x9 - Init COMPLETE\n"


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("torchrun --nproc_per_node 8 --nnodes 16 train.py\n", 128),
        ("torchrun --nnodes=16 --nproc-per-node=8 train.py\n", 128),
        ("accelerate launch --num_processes 57 train.py\n", 57),
        ("[2026-01-02 03:04:05,678] [INFO] [launch.py:145:main] WORLD INFO DICT: {'a': [0, 1], 'b': [0, 1, 2]}\n", 5),
        (NCCL.format(n=1, of=2) + NCCL.format(n=3, of=64), 64),
        ("torchrun --nproc_per_node 8 train.py\n", 8),
        (HF.format(total=64), 8),
        (HF.format(total=60), None),
        ("torchrun --nproc_per_node 8 --nnodes 1 train.py\n[rank57]: step 1\n" + NCCL.format(n=57, of=8), None),
    ],
    ids=[
        "arguments",
        "the nodes first",
        "accelerate",
        "DeepSpeed",
        "NCCL",
        "one node unless said",
        "Hugging Face's batches",
        "batches that do not divide",
        "more ranks were seen",
    ],
)
def test_the_size_follows(text: str, size: int | None, report_of: ReportOf) -> None:
    assert report_of({"train.log": text + "step 1 loss 2.3\n"}).job.world_size == size


@pytest.mark.parametrize(("silent", "size"), [({5}, 8), ({3, 5}, None)], ids=["one", "a quarter"])
def test_a_node_of_which_some_rank_says_nothing_is_whole(
    silent: set[int], size: int | None, report_of: ReportOf
) -> None:
    text = "".join(f"[rank{n}]: step 1 loss 2.3\n" for n in range(8) if n not in silent)
    assert report_of({"train.log": text}).job.world_size == size


@pytest.mark.parametrize("wording", WORDINGS, ids=lambda w: w.sample[:24])
def test_each_wording_says_the_size(wording: Wording, report_of: ReportOf) -> None:
    match = wording.regex.search(wording.sample)
    assert match is not None
    assert wording.read(match) == wording.means
    assert report_of({"train.log": wording.sample + "\nstep 1 loss 2.3\n"}).job.world_size == wording.means


@pytest.mark.parametrize(
    "text",
    [
        "tensor parallel world size: 8\n",
        "    def __init__(self, rank=0, world_size=16):\n",
        "torchrun --nproc_per_node 8 --nnodes $NODES train.py\n",
        "deepspeed --world_info=bm90anNvbg== train.py\n",
        "+ srun --ntasks=1 true\n",
        "rank=57 local_rank=1 hostname=node007\nloaded model_world_size_16_rank_3.pt\n",
    ],
    ids=["of a group", "source", "unknown nodes", "no map", "a task of set-up", "fewer than were seen"],
)
def test_what_is_no_size(text: str, report_of: ReportOf) -> None:
    assert report_of({"train.log": text + "step 1 loss 2.3\n"}).job.world_size is None


@pytest.mark.parametrize(
    ("names", "size"),
    [
        (["log.txt", "log.txt.rank1", "log.txt.rank2"], 3),
        (["log.txt.rank1", "log.txt.rank2"], None),
        (["workerlog.0", "workerlog.1"], 2),
    ],
    ids=["detectron2", "the first is not there", "Paddle"],
)
def test_a_file_for_each_rank_is_the_whole_job(names: list[str], size: int | None, report_of: ReportOf) -> None:
    job = report_of({name: f"step {n} loss 2.{n}\n" for n, name in enumerate(names)}).job
    assert job.world_size == size


RANKS = "INFO train: rank 1/4 local_rank 1 host node007 pid 4242\nstep 1 loss 2.3\n"


@pytest.mark.parametrize(
    ("files", "missing"),
    [
        ({"train.log": RANKS}, ()),
        ({"rank1.log": RANKS}, (0, 2, 3)),
        ({"node0.log": RANKS}, (0, 2, 3)),
        ({"train.log": RANKS, "train.err": "hello\n"}, ()),
    ],
    ids=["one console", "a file of one rank", "a file of one node", "two streams"],
)
def test_ranks_without_a_word_are_lost_only_where_files_are_theirs(
    files: dict[str, str], missing: tuple[int, ...], report_of: ReportOf
) -> None:
    report = report_of(files)
    assert report.coverage.ranks_missing == missing
    assert any("the logs of rank" in what for what in report.verdict.missing) == bool(missing)
