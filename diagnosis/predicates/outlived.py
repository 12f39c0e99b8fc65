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

_LIMITS: WeakKeyDictionary[Facts, dict[int, int]] = WeakKeyDictionary()
"""Of each file, once asked for: thousands of exceptions may ask."""


def outlived(facts: Facts, record: Record) -> bool:
    """Whether a later start, or more than a thousand lines, stand behind a record, and the last lines are of work."""
    if facts.exits.failed is not None or len(facts.seen_ranks) > 1 or facts.is_past:
        return False
    known = _LIMITS.setdefault(facts, {})
    if record.file not in known:
        known[record.file] = _outlived_up_to(facts, record.file)
    return record.line < known[record.file]


def _outlived_up_to(facts: Facts, file: int) -> int:
    """The first line of a file that its work has not outlived: at the latest that of its last start."""
    if all(last(facts, file) is None for last in (last_progress, last_work)):
        return 0
    return max(facts.case.line_count(file) - TAIL, last_start(facts.case, facts.case.files[file]))
