"""What a stuck collective is likely for, by its operation, its size and the framework: where ranks meet in a step."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.collectives import WatchedGroup
from logtui.parsers.pattern import Kind
from logtui.parsers.registry import registry

FEW = 64
"""Elements of a flag or a metric; gradients and buffers are far larger."""


@dataclass(frozen=True)
class SyncPoint:
    """One place in which all ranks meet."""

    op: str
    least: int
    most: int
    """Elements that each rank puts in, both ends included."""
    words: str
    frameworks: tuple[str, ...] = ()
    """Beginnings of their titles; () for any."""


ANY = 1 << 62
SYNC_POINTS = (
    SyncPoint("BROADCAST", 1, 1, "one element: NeMo's preemption flag (PreemptionCallback) or another", ("NeMo",)),
    SyncPoint("BROADCAST", 1, 1, "one element: a flag that rank 0 tells all, as before a checkpoint or a stop"),
    SyncPoint("BROADCAST", 2, FEW, "few elements: an object's size (broadcast_object_list), as of a checkpoint's name"),
    SyncPoint("BROADCAST", FEW + 1, ANY, "many elements: buffers of a module (DDP broadcast_buffers)"),
    SyncPoint("ALLREDUCE", 1, 1, "one element: a barrier, a flag or a logged metric"),
    SyncPoint("ALLREDUCE", FEW + 1, ANY, "many elements: gradients (DDP's buckets)"),
    SyncPoint("_ALLGATHER_BASE", FEW + 1, ANY, "many elements: sharded parameters (FSDP, ZeRO)"),
    SyncPoint("_REDUCE_SCATTER_BASE", FEW + 1, ANY, "many elements: sharded gradients (FSDP, ZeRO)"),
)  # fmt: skip
"""The first that fits counts."""


def sync_point(facts: Facts, group: WatchedGroup) -> str:
    """`; one element: …`; "" where the operation's size is not known or says nothing."""
    sizes = Counter((t.op, t.numel_in) for t in group.timeouts.values() if t.op and t.numel_in is not None)
    if not sizes:
        return ""
    (op, size), _ = sizes.most_common(1)[0]
    framework = registry().title_of(Kind.FRAMEWORK, facts.areas) or ""
    for point in SYNC_POINTS:
        fits = point.op == op and size is not None and point.least <= size <= point.most
        if fits and (not point.frameworks or framework.startswith(point.frameworks)):
            return f"; {point.words}"
    return ""
