"""Whose exception without a prefix is that names its GPU: launchers of PyTorch give each process of a node its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.facts.exits import is_single_node
from logtui.diagnosis.facts.identity import Identity
from logtui.diagnosis.facts.task_ranks import world_size
from logtui.parsers.numbers import whole
from logtui.parsers.pattern import FailureClass, Role
from logtui.parsers.regex import regex

_DEVICE = regex(r"\bGPU (\d{1,2})(?: has a total capac|; \d)")
"""As PyTorch puts it from 2.1 on, and before."""


def attribute_devices(exceptions: Sequence[ExceptionFact], identity: Identity) -> None:
    """Set the rank of those who ran out of memory on a GPU that they name, on a single node.

    Not where two name the same one, nor under a launcher that may show each process one GPU alone: all call it 0.
    """
    size = world_size(identity.case) or max((e.rank + 1 for e in exceptions if e.rank is not None), default=0)
    if size <= 1 or identity.by_task or not is_single_node(identity):
        return
    found = [*_named(exceptions, size)]
    often = Counter((fact.record.file, device) for fact, device in found)
    if found and max(often.values()) == 1:
        for fact, device in found:
            fact.rank = device


def _named(exceptions: Iterable[ExceptionFact], size: int) -> Iterator[tuple[ExceptionFact, int]]:
    for fact in exceptions:
        if fact.rank is None and not fact.ignored and fact.row.role is Role.CAUSE:
            named = _DEVICE.search(fact.headline) if fact.row.cls is FailureClass.GPU_OOM else None
            device = whole(named[1]) if named else None
            if device is not None and device < size:
                yield fact, device
