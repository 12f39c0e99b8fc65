"""What a kernel told of long before a job, whose log holds the whole day: it explains the job's end only where the
kernel tells of nothing in the job's own time."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from logtui.diagnosis.facts.case_facts import Facts
from logtui.parsers.files.dates import first_and_last, spread
from logtui.parsers.records.record import Record
from logtui.parsers.source import OF_PROGRAMS, FileKind

BEFORE_S, AFTER_S = 600.0, 600.0
"""A fault may come to light as a job is started, and be logged as it is over."""


def before_the_job(facts: Facts, record: Record) -> str:
    """Why a line of a kernel is of no job's fault; "" where it may be, and for other lines."""
    if facts.case.files[record.file].kind is not FileKind.KERNEL or record.time is None:
        return ""
    span = _span(facts)
    if span is None or record.time >= span[0] - BEFORE_S:
        return ""
    kernel = (e.record for e in facts.causes if facts.case.files[e.record.file].kind is FileKind.KERNEL)
    within = next((k for k in kernel if k.time is not None and span[0] - BEFORE_S <= k.time <= span[1] + AFTER_S), None)
    if within is None:
        return ""
    place = f"{facts.case.file_name(within)}:{within.line}"
    return f"it was long before the job, in whose time the kernel tells of another fault ({place})"


def _span(facts: Facts) -> tuple[float, float] | None:
    """From the first to the last time that the ends of the programs' files show."""
    if facts not in _SPANS:
        programs = spread(f for f in facts.case.files if f.kind in OF_PROGRAMS)
        times = [date.epoch for file in programs for date in first_and_last(file, facts.job.ended) if date is not None]
        _SPANS[facts] = (min(times), max(times)) if times else None
    return _SPANS[facts]


_SPANS: WeakKeyDictionary[Facts, tuple[float, float] | None] = WeakKeyDictionary()
