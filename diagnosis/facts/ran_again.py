"""Whether another process ran behind the one that ended at a line, in the same file: asked once of each, by all."""

from __future__ import annotations

from typing import Protocol
from weakref import WeakKeyDictionary

from logtui.diagnosis.facts.relaunches import another_ran
from logtui.parsers.files.case import Case
from logtui.parsers.records.record import Record


class Attempted(Protocol):
    """The facts of an attempt, as far as they are asked here."""

    case: Case
    is_past: bool


_KNOWN: WeakKeyDictionary[Attempted, dict[tuple[int, int, str], bool]] = WeakKeyDictionary()


def ran_again(facts: Attempted, record: Record) -> bool:
    """Whether the process that ended at a record, or around it, is not all that its file tells of; never of an earlier
    attempt, behind which the next one runs anyway."""
    if facts.is_past:
        return False
    known = _KNOWN.setdefault(facts, {})
    asked = record.file, record.line, record.name  # a line may state several things
    if asked not in known:
        known[asked] = another_ran(facts.case, record)
    return known[asked]
