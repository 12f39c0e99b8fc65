"""When the lines of one file were written, looked up where they stand: few of them are read."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from itertools import pairwise

from logtui.parsers.clean import clean
from logtui.parsers.files.lines import count_newlines
from logtui.parsers.files.reading import BLOCK, ByteSource
from logtui.parsers.prefix.stamp import Stamp, TimeFrom, stamp_near
from logtui.parsers.prefix.wrapping import unwrapper
from logtui.parsers.source import LogFile

READ_BYTES = 400
"""Prefixes and stamps stand at the start of a line."""
PREFIX = 80
"""Characters of a line in which its own stamp begins; a date further on may be of anything."""
STEP = 1 << 14
"""Bytes read first where one dated line is looked for."""
PROBES = 16
"""Places of a file at which it is asked whether its lines are in the order of their times."""
DISORDER_S = 60.0
"""Ranks that write one file are never so far apart."""
DAY_S, HALF_A_YEAR_S = 86400.0, 183 * 86400.0

Dated = tuple[int, float]
"""First byte of a line, and when it was written."""


class LineDates:
    """The dated lines of a file. A stamp without a year is of the year nearest to `near`; one without a day counts
    where no other stands in the file, and is then of the last day before the file's end, which is near `newest`."""

    def __init__(self, file: LogFile, source: ByteSource, near: float, newest: float) -> None:
        self.size = source.size()
        self._source, self._near, self._newest = source, near, newest
        self._wrapping = unwrapper(file.wrapping)
        self._last_clock: float | None = None

    @cached_property
    def _probes(self) -> list[Dated]:
        """Some dated lines, in the order of the file, the first and the last one among them."""
        found = self._probed()
        if not found and (last := self._clock_at_the_end()) is not None:
            self._last_clock = last + DAY_S * round((self._newest - last) / DAY_S)
            found = self._probed()
        return found

    @property
    def in_order(self) -> bool:
        """Whether what is written further down is later."""
        return all(b >= a - DISORDER_S for (_, a), (_, b) in pairwise(self._probes))

    @property
    def first(self) -> Dated | None:
        """The first line with a time; None where no line that was looked at has one."""
        return self._probes[0] if self._probes else None

    @property
    def last_time(self) -> float | None:
        """The time of the last line with one."""
        last = list(self.dated(max(0, self.size - STEP), self.size))[-1:] or self._probes[-1:]
        return last[0][1] if last else None

    def _probed(self) -> list[Dated]:
        edges = [self.size * n // PROBES for n in range(PROBES + 1)]
        found = [dated for begin, end in pairwise(edges) if (dated := next(self.dated(begin, end), None)) is not None]
        return [*found, *self._last_of(found[-1][0])] if found else []

    def _last_of(self, offset: int) -> list[Dated]:
        """The last dated line, where one stands in the last bytes behind another."""
        return list(self.dated(max(offset + 1, self.size - STEP), self.size))[-1:]

    def _clock_at_the_end(self) -> float | None:
        stamps = [self._stamp(raw) for _, raw in self.lines(max(0, self.size - STEP), self.size)]
        return next((s.epoch for s in reversed(stamps) if s and s.source is TimeFrom.CLOCK), None)

    def first_at(self, time: float) -> int:
        """First byte of the first line at or after a time; the size where all are older. Lines are in order."""
        low, high = 0, self.size
        while high - low > STEP:
            middle = (low + high) // 2
            found = next(self.dated(middle, high), None)
            if found is None or found[1] >= time:
                high = middle
            else:
                low = found[0]
        return next((offset for offset, written in self.dated(low, self.size) if written >= time), self.size)

    def dated(self, begin: int, end: int) -> Iterator[Dated]:
        """Lines with a time that begin in a range of bytes."""
        for offset, raw in self.lines(begin, end):
            if (time := self.time_of(raw)) is not None:
                yield offset, time

    def lines(self, begin: int, end: int) -> Iterator[tuple[int, bytes]]:
        """First byte and beginning of each line that begins in a range of bytes."""
        skip = begin > 0 and self._source.read_at(begin - 1, 1) != b"\n"
        at = start = begin
        head, step = b"", STEP
        while start < end and (block := self._source.read_at(at, step)):
            first = 0
            while start < end and (stop := block.find(b"\n", first)) >= 0:
                if not skip:
                    yield start, (head + block[first:stop])[:READ_BYTES]
                skip, head, first = False, b"", stop + 1
                start = at + first
            head = (head + block[first : first + READ_BYTES])[:READ_BYTES]
            at, step = at + len(block), min(2 * step, BLOCK)
        if head and not skip and start < end:
            yield start, head

    def time_of(self, raw: bytes) -> float | None:
        """When a line was written, by its own stamp or a collector's; None where it has none that can be compared."""
        stamp = self._stamp(raw)
        if stamp is None:
            return None
        if stamp.source is TimeFrom.CLOCK:
            return None if self._last_clock is None else _before(self._last_clock, stamp.epoch)
        return nearest_year(stamp.epoch, self._near) if stamp.source is TimeFrom.YEARLESS else stamp.epoch

    def _stamp(self, raw: bytes) -> Stamp | None:
        if raw.count(b":") < 2 and b"time_ms" not in raw:
            return None  # no time is written with fewer
        wrapped, body = self._wrapping.split(raw) if self._wrapping else (None, raw)
        stamp = stamp_near(wrapped.text, self._near) if wrapped else None
        stamp = stamp or stamp_near(clean(body), self._near)
        comparable = stamp is not None and stamp.source is not TimeFrom.UPTIME
        return stamp if stamp and comparable and (stamp.start <= PREFIX or b"time_ms" in raw) else None

    def newlines(self, begin: int, end: int) -> int:
        """Newlines in a range of bytes."""
        starts = range(begin, end, BLOCK)
        return sum(count_newlines(self._source.read_at(at, min(BLOCK, end - at))) for at in starts)

    def ends_line(self, end: int) -> bool:
        """Whether a line ends before a byte."""
        return end == 0 or self._source.read_at(end - 1, 1) == b"\n"


def _before(last: float, clock: float) -> float:
    """The time of day in the day that ends with `last`, or a little later."""
    ago = (last - clock) % DAY_S
    return last - ago if ago < DAY_S - DISORDER_S else last + DAY_S - ago


def nearest_year(time: float, near: float) -> float:
    """The same day and time of day in the year that brings it nearest."""
    years = -1 if time - near > HALF_A_YEAR_S else 1 if near - time > HALF_A_YEAR_S else 0
    if not years or not math.isfinite(time):
        return time
    day = datetime.fromtimestamp(time, UTC)
    with suppress(ValueError):  # 29 February
        return day.replace(year=day.year + years).timestamp()
    return time + years * 365.25 * DAY_S
