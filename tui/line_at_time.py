"""The line of a file at a time: halving by what the lines themselves say, so that size does not matter."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from logtui.parsers.clean import clean

if TYPE_CHECKING:
    from logtui.parsers.lines import LineReader

WINDOW = 64
"""Lines read at once; a stamp is expected among them, and ranks that write at once do not disorder more."""
LineTime = Callable[[str], float | None]


def line_at_time(reader: LineReader, time: float, time_of: LineTime) -> int | None:
    """The first line, about, that was written at or after a time; the last line where all are older.

    Lines are taken to be in order of time, but for neighbours. None where no line that was looked at is dated.
    """
    first, last = 1, reader.count()
    dated = False
    while last - first >= WINDOW:
        middle = (first + last) // 2
        found = _first_dated(reader, middle, min(WINDOW, last - middle + 1), time_of)
        if found is None:
            later = _first_dated(reader, middle, last - middle + 1, time_of) if last - middle < WINDOW * 64 else None
            if later is None:
                last = middle
                continue
            found = later
        dated = True
        if found[1] < time:
            first = found[0]
        else:
            last = middle
    return _within(reader, first, last - first + WINDOW, time, time_of, dated)


def _first_dated(reader: LineReader, first: int, count: int, time_of: LineTime) -> tuple[int, float] | None:
    for n, raw in enumerate(reader.lines(first, count)):
        time = time_of(clean(raw))
        if time is not None:
            return first + n, time
    return None


def _within(reader: LineReader, first: int, count: int, time: float, time_of: LineTime, dated: bool) -> int | None:
    line = first
    for n, raw in enumerate(reader.lines(first, count)):
        stamp = time_of(clean(raw))
        if stamp is not None:
            dated, line = True, first + n
            if stamp >= time:
                return line
    return line if dated else None
