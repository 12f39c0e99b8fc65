"""Whether another process ran behind the one that an exception ended, in the same file: asked once of each."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.relaunches import another_ran
from logtui.parsers.records.record import Record

_KNOWN: WeakKeyDictionary[Facts, dict[tuple[int, int], bool]] = WeakKeyDictionary()


def ran_again(facts: Facts, record: Record) -> bool:
    """Whether the process that ended at a record, or around it, is not all that its file tells of; never of an earlier
    attempt, behind which the next one runs anyway."""
    if facts.is_past:
        return False
    known = _KNOWN.setdefault(facts, {})
    place = record.file, record.line
    if place not in known:
        known[place] = another_ran(facts.case, record)
    return known[place]
