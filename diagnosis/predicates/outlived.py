"""Failures that the work of their file outlived: more of it stands behind them than any buffer holds, or a new start.

Where one file takes the output of several jobs, or a program catches what it prints, the end of the file tells how it
went. Of one process a buffer holds some KiB, which are written below its traceback when it ends; of many ranks each has
one, so that nothing is concluded there.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.openings import last_start
from logtui.diagnosis.predicates.file_ends import (
    TAIL,
    last_progress,
    last_work,
    long_past,
    passed_over,
    said_last,
    tail,
)
from logtui.diagnosis.predicates.trouble import speaks_of_trouble
from logtui.parsers.files.dates import DATED
from logtui.parsers.prefix.stamp import stamp_near
from logtui.parsers.records.record import Record
from logtui.parsers.source import OF_PROGRAMS

LAST, CALM, WIDTH = 400, 8, 200
"""Lines at the end of a file that are dated; those among which nobody complains; characters of one."""
FAR = 200
"""Lines behind a record that its program did not hold back."""
MANY, LATER_S = 12, 30.0
"""So many lines, at least so much later, show that a program went on."""
_TIMES: WeakKeyDictionary[Facts, dict[int, list[tuple[int, float]]]] = WeakKeyDictionary()
_LIMITS: WeakKeyDictionary[Facts, dict[int, int]] = WeakKeyDictionary()
_PROGRESS: WeakKeyDictionary[Facts, dict[int, int]] = WeakKeyDictionary()
"""Of each file, once asked for: thousands of exceptions may ask."""


def outlived(facts: Facts, record: Record) -> bool:
    """Whether a later start, or more than a thousand lines, stand behind a record, and the last lines are of work."""
    if facts.exits.failed is not None or len(facts.seen_ranks) > 1 or facts.is_past:
        return False
    known = _LIMITS.setdefault(facts, {})
    if record.file not in known:
        known[record.file] = _outlived_up_to(facts, record.file)
    return record.line < known[record.file] or _dated_behind(facts, record) or _done_behind(facts, record)


def _done_behind(facts: Facts, record: Record) -> bool:
    """Whether a program that advances behind a record, for long, says in its last words that it is done."""
    known = _PROGRESS.setdefault(facts, {})
    if record.file not in known:
        known[record.file] = last_progress(facts, record.file) or 0
    return record.line + FAR < known[record.file] and long_past(facts, record)


def _dated_behind(facts: Facts, record: Record) -> bool:
    """Whether the logger that dated a record dated many lines after it, at later times, up to a calm end: what one
    writer stamps is not held back."""
    of_program = facts.case.files[record.file].kind in OF_PROGRAMS
    if record.time is None or facts.exits.processes or not of_program or not _is_dated(facts, record):
        return False
    known = _TIMES.setdefault(facts, {})
    if record.file not in known:
        known[record.file] = _times(facts, record.file)
    later = known[record.file]
    return sum(line > record.line and time >= record.time + LATER_S for line, time in later) >= MANY


def _is_dated(facts: Facts, record: Record) -> bool:
    """Whether a record bears a date, or the line right above it does, under which a logger put its traceback."""
    if record.time_from in DATED:
        return True
    above = "".join(facts.case.bodies(record.file, record.line - 1, 1)) if record.line > 1 else ""
    stamp = stamp_near(above[:WIDTH], facts.case.files[record.file].mtime)
    return stamp is not None and stamp.source in DATED


def _times(facts: Facts, file: int) -> list[tuple[int, float]]:
    """The times of the last lines of a file that bear a date of their own, where nobody complains among the very last
    of them; else none."""
    first, lines = tail(facts, file, LAST)
    passed = passed_over(facts, file)
    last = [*enumerate(lines, first)][-CALM:]
    if any(n not in passed and speaks_of_trouble(text) for n, text in last):
        return []
    dated = ((n, stamp_near(text[:WIDTH], facts.case.files[file].mtime)) for n, text in enumerate(lines, first))
    return [(n, stamp.epoch) for n, stamp in dated if stamp is not None and stamp.source in DATED]


def _outlived_up_to(facts: Facts, file: int) -> int:
    """The first line of a file that its work has not outlived: at the latest that of its last start."""
    if all(last(facts, file) is None for last in (last_progress, last_work, said_last)):
        return 0
    return max(facts.case.line_count(file) - TAIL, last_start(facts.case, facts.case.files[file]))
