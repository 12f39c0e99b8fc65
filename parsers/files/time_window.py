"""Cuts files to the lines of a span of time, before anything in them is scanned.

A line without a time of its own belongs to the last one before it in its file that has one. In a file whose times
ascend, the range is found by halving; any other is gone through line by line if it is not too long. What cannot be
compared is read whole: files without times, and storage daemons, dumps and whatever else may have another clock.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

from logtui.parsers.errors import LogtuiError, TimesRefused
from logtui.parsers.files.archive import open_log
from logtui.parsers.files.dates import first_and_last
from logtui.parsers.files.line_dates import LineDates
from logtui.parsers.prefix.stamp import iso
from logtui.parsers.prefix.typed_time import read_time
from logtui.parsers.source import Cut, Discovery, FileKind, LogFile, Passage, TimeWindow

COMPARED = frozenset({FileKind.WORKER, FileKind.LAUNCHER, FileKind.SCHEDULER, FileKind.KERNEL, FileKind.EVENTS})
"""What is written by the job's clock."""
LINE_BY_LINE = 64 << 20
"""Bytes of a file out of order up to which each of its lines is asked for its time."""
AT_ONCE = 4
"""Files that are cut at the same time."""
SHARED_S = 1.0
"""`--until 15:42:03` means all of that second."""


def within(found: Discovery, since: str, until: str) -> Discovery:
    """The files with what was written between two times, as they are typed; "" for an open end.

    Raises:
        TimesRefused: if that is no span of time, or no line was written in it.
    """
    compared = [file for file in found.files if file.kind in COMPARED]
    newest = max((last for file in compared if (last := _last(file)) is not None), default=None)
    if newest is None:
        raise TimesRefused("no line of these logs has a time that could be compared")
    begin, end = _span(since, until, newest)
    with ThreadPoolExecutor(AT_ONCE) as threads:  # counting lines is most of it, and holds no lock
        cut = partial(_part, begin=begin, end=_last_moment(end), newest=newest)
        parts = dict(zip((file.index for file in compared), threads.map(cut, compared), strict=True))
    if not any(part.file for part in parts.values()):
        raise TimesRefused(_nothing(begin, end, parts.values()))
    kept = [part.file if (part := parts.get(file.index)) else file for file in found.files]
    files = tuple(replace(file, index=n) for n, file in enumerate(file for file in kept if file is not None))
    left_out = tuple(file for file in compared if parts[file.index].file is None)
    whole = tuple(f.name for f in found.files if (part := parts.get(f.index)) is None or part.span is None)
    lines, size = (sum(getattr(part, name) for part in parts.values()) for name in ("lines", "bytes"))
    return replace(found, files=files, window=TimeWindow(begin, end, left_out, whole, lines, size))


def _last(file: LogFile) -> float | None:
    """The last time in a file; what a stamp lacks is that of a date in the file, or else of its last write."""
    dated = first_and_last(file)[1]
    near = file.mtime if dated is None else dated.epoch
    try:
        source = open_log(file)
    except (LogtuiError, OSError):
        return None
    try:
        return LineDates(file, source, near, near).last_time
    except (LogtuiError, OSError):
        return None
    finally:
        source.close()


def _span(since: str, until: str, newest: float) -> tuple[float | None, float | None]:
    """The times meant: relative ones count from the newest line, and an end without a date is next to the beginning."""
    begin = _read("--since", since, newest)
    end = _read("--until", until, newest if begin is None or until.strip()[:1] in "+-" else begin)
    if begin is not None and end is not None and end < begin:
        raise TimesRefused(f"--until {until} is before --since {since}")
    return begin, end


def _last_moment(until: float | None) -> float | None:
    return until if until is None or until % 1 else math.nextafter(until + SHARED_S, 0)


def _read(option: str, typed: str, near: float) -> float | None:
    if not typed:
        return None
    time = read_time(typed, near)
    if time is None:
        raise TimesRefused(f"{option} {typed}: no time; write 15:42, 2026-02-24 15:42:03, 24 Feb 3pm or -10m")
    return time


@dataclass(frozen=True, slots=True)
class _Part:
    """What is read of a file."""

    file: LogFile | None
    """Cut, or as it is; None where no line of it is read."""
    lines: int = 0
    bytes: int = 0
    """Left out."""
    span: tuple[float, float] | None = None
    """The first and the last time in it; None where it has none, or none that can be relied on."""


def _part(file: LogFile, begin: float | None, end: float | None, newest: float) -> _Part:
    try:
        source = open_log(file)
    except (LogtuiError, OSError):
        return _Part(file)  # whoever reads it says why it cannot be read
    try:
        near = begin if begin is not None else end if end is not None else newest
        return _cut(file, LineDates(file, source, near, newest), begin, end)
    except (LogtuiError, OSError):
        return _Part(file)
    finally:
        source.close()


def _cut(file: LogFile, dates: LineDates, begin: float | None, end: float | None) -> _Part:
    first, last = dates.first, dates.last_time
    if first is None or last is None or not (dates.in_order or dates.size <= LINE_BY_LINE):
        return _Part(file)
    passages = tuple(_in_order(dates, begin, end) if dates.in_order else _one_by_one(dates, begin, end))
    span = (first[1], last)
    lines = sum(p.lines for p in passages)
    read = sum(p.end - p.begin for p in passages)
    if read == dates.size:
        return _Part(file, span=span)
    cut = Cut(passages, file.size)
    left = replace(file, size=cut.size, cut=cut) if passages else None
    return _Part(left, _all_lines(dates, passages) - lines, dates.size - read, span)


def _all_lines(dates: LineDates, passages: Sequence[Passage]) -> int:
    """Of the file; what lies behind the last passage is counted."""
    last = passages[-1] if passages else Passage(1, 0, 0, 0)
    behind = last.end < dates.size and not dates.ends_line(dates.size)
    return last.line - 1 + last.lines + dates.newlines(last.end, dates.size) + behind


def _in_order(dates: LineDates, begin: float | None, end: float | None) -> Iterator[Passage]:
    """One range: what stands before the first time goes with it."""
    start = 0 if begin is None else dates.first_at(begin)
    if dates.first is not None and start == dates.first[0]:
        start = 0
    stop = dates.size if end is None else dates.first_at(math.nextafter(end, math.inf))
    if dates.first is not None and stop == dates.first[0]:
        return
    if start < stop:
        yield _passage(dates, dates.newlines(0, start) + 1, start, stop)


def _one_by_one(dates: LineDates, begin: float | None, end: float | None) -> Iterator[Passage]:
    """A passage for each run of lines of that time."""
    least, most = -math.inf if begin is None else begin, math.inf if end is None else end
    wanted = dates.first is not None and least <= dates.first[1] <= most
    line, since, start = 1, 1, 0
    for line, (offset, raw) in enumerate(dates.lines(0, dates.size), start=1):
        time = dates.time_of(raw)
        if time is None or (least <= time <= most) is wanted:
            continue
        if wanted and offset > start:
            yield Passage(since, line - since, start, offset)
        wanted, since, start = not wanted, line, offset
    if wanted and start < dates.size:
        yield _passage(dates, since, start, dates.size)


def _passage(dates: LineDates, line: int, begin: int, end: int) -> Passage:
    return Passage(line, dates.newlines(begin, end) + (not dates.ends_line(end)), begin, end)


def _nothing(begin: float | None, end: float | None, parts: Iterable[_Part]) -> str:
    spans = [part.span for part in parts if part.span is not None]
    wanted = " and ".join(f"{word} {iso(t)}" for word, t in (("since", begin), ("until", end)) if t is not None)
    first, last = min(span[0] for span in spans), max(span[1] for span in spans)
    return f"no line was written {wanted}: these logs go from {iso(first)} to {iso(last)}"
