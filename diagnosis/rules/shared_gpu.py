"""Ranks of one node that all work on the same GPU, and run out of its memory: LOCAL_RANK is not honoured."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.identity import node_key
from logtui.diagnosis.predicates.blame import hosts_of, singled_out
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import SHARED_GPU
from logtui.diagnosis.verdict.rule import Advice, Claim, Rule
from logtui.parsers.numbers import real
from logtui.parsers.pattern import FailureClass
from logtui.parsers.records.record import Record

OOM = ("gpu_memory.oom", "gpu_memory.oom_legacy")
OWN_SHARE = 0.6
"""A process that has more of what is in use than this is alone on its GPU, or nearly."""
_OTHERS = re.compile(r"Process (\d{1,10}) has ")
_UNITS = {"bytes": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40}


def _find(facts: Facts) -> Iterator[Claim]:
    crowds: dict[tuple[str, int], dict[int, Record]] = defaultdict(dict)
    for record in facts.case.records.of(*OOM):
        rank, device = facts.identity.rank_of(record)[0], record.number("device")
        if rank is not None and device is not None and (_is_guest(facts, record, rank) or _crowded(record)):
            node = facts.identity.hosts.get(rank) or node_key(facts.case.files[record.file], record)
            crowds[node, device].setdefault(rank, record)
    for (_, device), crowd in crowds.items():
        guests = (r for r in sorted(crowd) if _is_guest(facts, crowd[r], r))
        strays = tuple(r for r in guests if facts.identity.locals.get(r, device) != device) or _alike(crowd)
        if strays and (len(crowd) > 1 or any(_ranks_beside(facts, record, r) for r, record in crowd.items())):
            yield _claim(facts, device, strays, crowd)


def _crowded(record: Record) -> bool:
    """Whether the line names several other processes as users of the GPU."""
    return len(_OTHERS.findall(record.first_line)) > 1


def _alike(crowd: dict[int, Record]) -> tuple[int, ...]:
    """All but the first, where several ranks name the same processes as users of their GPU: then it is one GPU."""
    named = [frozenset(_OTHERS.findall(record.first_line)) for record in crowd.values()]
    together = len(crowd) > 1 and len(frozenset.intersection(*named)) > 1
    return tuple(sorted(crowd)[1:]) if together else ()


def _is_guest(facts: Facts, record: Record, rank: int) -> bool:
    """Whether most of the GPU is in use by others: other ranks of the job, by their process ids, or by the sums."""
    if _ranks_beside(facts, record, rank):
        return True
    fields = record.fields
    total, free = _bytes(fields.get("total")), _bytes(fields.get("free"))
    own = max(_bytes(fields.get("used")), _bytes(fields.get("reserved")), _bytes(fields.get("allocated")))
    return own > 0 and total > free and own <= OWN_SHARE * (total - free)


def _ranks_beside(facts: Facts, record: Record, rank: int) -> set[int]:
    """Other ranks of the job whose processes the line names as users of the GPU."""
    named = (facts.identity.by_any_pid.get(int(pid)) for pid in _OTHERS.findall(record.first_line))
    return {r for r in named if r is not None and r != rank}


def _bytes(text: str | None) -> float:
    """`3.38 GiB` as bytes; 0 where nothing is said."""
    number, _, unit = (text or "").partition(" ")
    size = real(number) * _UNITS.get(unit.replace("i", ""), 0)
    return size if size == size else 0.0


def _claim(facts: Facts, device: int, strays: tuple[int, ...], crowd: dict[int, Record]) -> Claim:
    record = min(crowd.values(), key=lambda r: (r.time or 0.0, r.file, r.line))
    ranks = singled_out(facts, set(strays))
    who = named_ranks(ranks or crowd)
    return Claim(
        title=f"{who} ran out of memory on GPU {device}, which other ranks of the node use as well",
        cls=FailureClass.CONFIG,
        first=cite(facts.case, record),
        order=(record.time or 0.0, record.file, 0),
        rung=SHARED_GPU,
        ranks=ranks,
        hosts=hosts_of(facts, strays)[:1],
        supporting=tuple(cite(facts.case, r, rank) for rank, r in list(crowd.items())[:4]),
        direct=True,
        what=f"{who} chose GPU {device}: the device does not follow the local rank",
    )


RULE = Rule(
    id="shared-gpu",
    title="Ranks of one node share a GPU",
    claim="Several ranks run out of memory on the same device, and most of it is in use by the others.",
    needs="out-of-memory lines that name the device and what is in use on it",
    refuted_by="each process has its GPU to itself: then device 0 is what CUDA_VISIBLE_DEVICES shows it",
    find=_find,
    advice=(
        Advice("training", "call torch.cuda.set_device(int(os.environ['LOCAL_RANK'])) before anything uses the GPU"),
        Advice("training", "load checkpoints with map_location='cpu' or the rank's own device, not with the saved one"),
    ),
    maturity="tried",
)
