"""Records of a daemon between two times, read again from its files: stats lines, disk lines, anything.

The scan left where each block's records lie in time, so a window of minutes costs a read of megabytes.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from logtui.parsers.clean import clean
from logtui.parsers.daemons.daemon import AisLogs, Daemon, DaemonFile
from logtui.parsers.daemons.grammar import Opening
from logtui.parsers.daemons.layout import DAY, DayCounter, lay_out
from logtui.parsers.daemons.scanned import Span, StatsAt
from logtui.parsers.daemons.stats import StatsLine, parse_stats, read_size
from logtui.parsers.errors import LogtuiError
from logtui.parsers.files.archive import open_log
from logtui.parsers.files.reading import ByteSource
from logtui.parsers.regex import regex

STATS_CAP = 1 << 16
LATE_S = 900.0
"""How long after a span a stats line may still speak of it."""
_MESSAGE_AT = 18
_DISK = regex(
    r"[IWE] [\d:.]{15} (?P<disk>[A-Za-z][\w.-]*): (?P<read>[\d.]+[KMGT]?i?B)/s, [\d.]+[KMGT]?i?B, "
    r"(?P<write>[\d.]+[KMGT]?i?B)/s, [\d.]+[KMGT]?i?B, (?P<busy>\d{1,3})%$"
)


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A record read again."""

    time: float
    file: int
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class DiskLoad:
    """One disk's load over the ten seconds before `time`. Sizes in bytes per second."""

    time: float
    disk: str
    busy: int
    """Percent."""
    read: int
    write: int
    file: int
    line: int
    text: str = ""
    """The record."""

    def moved(self, shift_s: float) -> DiskLoad:
        """The same on a clock that is so much ahead."""
        return replace(self, time=self.time + shift_s)


def records_between(
    logs: AisLogs, daemon: Daemon, start: float, end: float, holding: bytes = b""
) -> Iterator[RecordLine]:
    """Every record of the daemon's main files in [start, end], by file and position.

    `holding` leaves out records without these bytes. Files that cannot be read any more give nothing.
    """
    for file in daemon.main:
        if not file.covers(start - DAY, end + DAY):
            continue
        try:
            source = _open(logs, file)
        except (LogtuiError, OSError):
            continue
        try:
            for span in file.scan.spans:
                yield from _in_span(file, span, source, (start, end), holding)
        finally:
            source.close()


def _open(logs: AisLogs, file: DaemonFile) -> ByteSource:
    return open_log(logs.files[file.file])


def _in_span(
    file: DaemonFile, span: Span, source: ByteSource, window: tuple[float, float], holding: bytes
) -> Iterator[RecordLine]:
    part = file.scan.parts[span.part]
    base = part.time(0.0, span.offset + span.length)
    if base is None:
        return
    missed = [DAY * days for _, days in part.days.jumps]  # what stands before a jump is that much earlier than its end
    late, early = sum(m for m in missed if m > 0), sum(m for m in missed if m < 0)
    if base + span.last + 1 - early < window[0] or base + span.first - late > window[1]:
        return
    block = source.read_at(span.offset, span.length)
    layout = lay_out(block, file.scan.indent)
    days = DayCounter(None, 0, span.day).days(layout.clocks, layout.records)
    whole = days * DAY + layout.clocks
    times = base + whole
    if part.days.jumps:
        times += np.array([(part.time(0.0, span.offset + r) or 0.0) - base for r in layout.records.tolist()])
    chosen = np.flatnonzero((times >= window[0] - 1) & (times <= window[1]))
    seconds = times[chosen].tolist()
    for second, (place, end, line) in zip(seconds, layout.stretches(layout.records[chosen]), strict=True):
        raw = block[place:end]
        if holding and holding not in raw:
            continue
        fraction = int(raw[11:17]) / 1e6 if raw[11:17].isdigit() else 0.0
        time = second + fraction
        if window[0] <= time <= window[1]:
            yield RecordLine(time, file.file, span.line + line, clean(raw))


def record_on_line(logs: AisLogs, file: DaemonFile, line: int) -> RecordLine | None:
    """The first record that begins on a line, or the last one above it; None where there is none, or it has no date."""
    spans = [s for s in file.scan.spans if s.line <= line]
    try:
        source = _open(logs, file)
    except (LogtuiError, OSError):
        return None
    try:
        for span in reversed(spans):
            found = [r for r in _in_span(file, span, source, (-math.inf, math.inf), b"") if r.line <= line]
            if found:
                return next(r for r in found if r.line == found[-1].line)
    finally:
        source.close()
    return None


def disk_loads(logs: AisLogs, daemon: Daemon, start: float, end: float) -> list[DiskLoad]:
    """The disk lines of a target in a time span, by time. Only disks at least 15 % busy write one."""
    out: list[DiskLoad] = []
    for record in records_between(logs, daemon, start, end, b"B/s, "):
        if m := _DISK.match(record.text):
            sizes = read_size(m["read"]) or 0, read_size(m["write"]) or 0
            busy = min(100, int(m["busy"]))
            out.append(DiskLoad(record.time, m["disk"], busy, *sizes, record.file, record.line, record.text))
    return sorted(out, key=lambda d: d.time)


def stats_times(daemon: Daemon) -> list[float]:
    """When the daemon printed its counters, by its own clock; reads nothing."""
    return sorted(place[0] for place in _stats_places(daemon, float("-inf"), float("inf")))


def stats_lines(logs: AisLogs, daemon: Daemon, start: float, end: float, around: bool = True) -> list[StatsLine]:
    """The daemon's stats lines in [start, end] by time.

    `around` adds the last one before, and the first one after where it comes soon and from the same process:
    counters are printed up to three minutes late.
    """
    known = sorted(_stats_places(daemon, start, end + LATE_S), key=lambda p: p[0])
    times = [p[0] for p in known]
    first, last = bisect_left(times, start), bisect_right(times, end)
    if around:
        first = max(0, first - 1)
        late = last < len(known) and known[last][0] - end < LATE_S
        last += late and (last == 0 or known[last][1] == known[last - 1][1])
    chosen = known[first:last]
    texts = _read_places(logs, [(file, at) for _, _, file, at in chosen])
    return [
        StatsLine(time, file.file, at.line, process, parse_stats(text, at.cut), at.cut)
        for (time, process, file, at), text in zip(chosen, texts, strict=True)
        if text
    ]


def _stats_places(daemon: Daemon, start: float, end: float) -> Iterator[tuple[float, int, DaemonFile, StatsAt]]:
    """(time, process, file, place) of every stats line in the main files that cover the span, and in the one before."""
    process, near = 0, _near(daemon.main, start, end)
    for file in daemon.main:
        processes = []
        for part in file.parts:
            process += part.opening is Opening.STARTED
            processes.append(process)
        for at in file.scan.stats if file.file in near else ():
            time = file.scan.parts[at.part].time(at.clock, at.offset)
            if time is not None:
                yield time, processes[at.part], file, at


def _near(files: Sequence[DaemonFile], start: float, end: float) -> set[int]:
    """Files whose stats lines may matter for a span: those that cover it, and the last before it that has any."""
    near = {f.file for f in files if f.covers(start, end)}
    before = [f for f in files if f.end is not None and f.end < start and f.scan.stats]
    return near | {f.file for f in before[-1:]}


def _read_places(logs: AisLogs, places: list[tuple[DaemonFile, StatsAt]]) -> list[str]:
    texts: list[str] = []
    opened: tuple[int, ByteSource] | None = None
    for file, at in places:
        try:
            if opened is None or opened[0] != file.file:
                if opened is not None:
                    opened[1].close()
                opened = file.file, _open(logs, file)
            texts.append(clean(opened[1].read_at(at.offset + _MESSAGE_AT, min(at.length, STATS_CAP) - _MESSAGE_AT)))
        except (LogtuiError, OSError):
            texts.append("")
    if opened is not None:
        opened[1].close()
    return texts
