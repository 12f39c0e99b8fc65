"""Failures that the work of their file outlived: more of it stands behind them than any buffer holds, or a new start.

Where one file takes the output of several jobs, or a program catches what it prints, the end of the file tells how it
went. Of one process a buffer holds some KiB, which are written below its traceback when it ends; of many ranks each has
one, so that nothing is concluded there.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.openings import last_start
from logtui.diagnosis.predicates.file_ends import TAIL, last_progress, last_work
from logtui.parsers.records.record import Record

_AT_WORK: WeakKeyDictionary[Facts, dict[int, bool]] = WeakKeyDictionary()


def outlived(facts: Facts, record: Record) -> bool:
    """Whether a later start, or more than a thousand lines, stand behind a record, and the last lines are of work."""
    if facts.exits.failed is not None or len(facts.seen_ranks) > 1 or facts.is_past:
        return False
    known = _AT_WORK.setdefault(facts, {})
    if record.file not in known:
        known[record.file] = _ends_at_work(facts, record.file)
    return known[record.file] and (_far_above(facts, record) or _begun_behind(facts, record))


def _far_above(facts: Facts, record: Record) -> bool:
    return record.line < facts.case.line_count(record.file) - TAIL


def _begun_behind(facts: Facts, record: Record) -> bool:
    """Whether the program began once more below a record, and wrote nothing of a known form since."""
    return record.line < last_start(facts.case, facts.case.files[record.file])


def _ends_at_work(facts: Facts, file: int) -> bool:
    return any(last(facts, file) is not None for last in (last_progress, last_work))
