"""Conditions that let a job run slower or smaller than was meant: fewer lanes, hot processors, one process."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.facts.case_facts import Facts
from logtui.parsers.pattern import Mark
from logtui.parsers.records.record import Record

BEFORE_S, AFTER_S = 600.0, 60.0
"""A condition comes up to ten minutes before steps become slow, or is noticed a little later."""


def hampering(facts: Facts, at: float | None = None) -> Iterator[Record]:
    """The first of each kind on each host, in the order of the files; with `at`, of those near that time alone."""
    seen: set[tuple[str, str | None]] = set()
    for record in facts.case.records.marked(Mark.HAMPERS):
        key = record.name, facts.identity.host_of(record)
        if key not in seen and (at is None or _near(record, at)):
            seen.add(key)
            yield record


def _near(record: Record, at: float) -> bool:
    return record.time is not None and at - BEFORE_S <= record.time <= at + AFTER_S
