"""To a time that is typed: `15:42`, `15:42:03`, `02-24 15:42`, `2026-02-24 15:42:03`, `24 Feb 3pm`, `-10m`, `+1h30m`.

The line of a file at that time is found by halving, by what the lines themselves say, so that size does not matter.
"""

from __future__ import annotations

import re
import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message
from textual.widget import Widget
from textual.worker import get_current_worker

from logtui.parsers.clean import clean
from logtui.tui.shared.destinations import line_facts

if TYPE_CHECKING:  # numpy comes with it: the first frame must not wait for that
    from logtui.parsers.files.case import Case
    from logtui.parsers.files.lines import LineReader
    from logtui.tui.shared.case_view import CaseView

DAY_S = 86400.0
UNITS_S = {"d": DAY_S, "h": 3600.0, "m": 60.0, "min": 60.0, "s": 1.0, "": 60.0}

_RELATIVE = re.compile(r"(?P<sign>[+-])\s*(?P<parts>(?:\d+(?:\.\d+)?\s*(?:min|d|h|m|s)?\s*)+)", re.I)
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(min|d|h|m|s)?", re.I)
_STAMP = re.compile(
    r"(?:(?:(?P<y>(?:19|20)\d\d)[-/])?(?P<mo>\d\d?)[-/](?P<d>\d\d?)[ T_]+)?"
    r"(?P<h>\d\d?):(?P<mi>\d\d)(?::(?P<s>\d\d)(?:[.,](?P<f>\d{1,9}))?)?\s*Z?",
    re.I,
)

LONGEST = 60
"""Characters of a time in words."""
WINDOW = 64
"""Lines read at once; a stamp is expected among them, and ranks that write at once do not disorder more."""
LineTime = Callable[[str], float | None]


def read_time(typed: str, near: float) -> float | None:
    """Seconds since the epoch; None where it is no time.

    What is not typed of the date is taken so that the result lies closest to `near`. A bare number of a relative time
    is minutes.
    """
    typed = typed.strip()
    relative = _RELATIVE.fullmatch(typed)
    if relative:
        parts = _PART.findall(relative["parts"])
        seconds = sum(float(number) * UNITS_S[unit.lower()] for number, unit in parts)
        return near + seconds if relative["sign"] == "+" else near - seconds
    stamp = _STAMP.fullmatch(typed)
    return _absolute(stamp, near) if stamp else _in_words(typed, near)


def _in_words(typed: str, near: float) -> float | None:
    """`24 Feb 3pm`, `Tue 15:42`: what is not typed is that of `near`; a zone counts where one is typed."""
    from dateutil.parser import ParserError, parse  # not before somebody types so

    if len(typed) > LONGEST or not any(c.isdigit() for c in typed) or not any(c.isalpha() for c in typed):
        return None
    try:
        found = parse(typed, default=datetime.fromtimestamp(near, UTC).replace(minute=0, second=0, microsecond=0))
        return found.timestamp()
    except (ParserError, OverflowError, ValueError):
        return None


def _absolute(stamp: re.Match[str], near: float) -> float | None:
    hours, minutes, seconds = int(stamp["h"]), int(stamp["mi"]), int(stamp["s"] or 0)
    if hours > 23 or minutes > 59 or seconds > 59:
        return None
    of_day = hours * 3600 + minutes * 60 + seconds + float(f"0.{stamp['f'] or 0}")
    if stamp["mo"] is None:
        return of_day + DAY_S * round((near - of_day) / DAY_S)
    this_year = clock.gmtime(near).tm_year
    years = [int(stamp["y"])] if stamp["y"] else [this_year - 1, this_year, this_year + 1]
    days = [day for year in years if (day := _midnight(year, int(stamp["mo"]), int(stamp["d"]))) is not None]
    return min((day + of_day for day in days), key=lambda time: abs(time - near), default=None)


def _midnight(year: int, month: int, day: int) -> float | None:
    try:
        return datetime(year, month, day, tzinfo=UTC).timestamp()
    except ValueError:
        return None


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


class TimeFinder(Widget):
    """Nothing to see: the pane goes to what is found."""

    @dataclass
    class Located(Message):
        """Where a file is at a time; no line where none of it is dated."""

        file: str
        line: int | None
        moment: float
        written: float | None = None
        """When the line says that it was."""

    @work(thread=True, exclusive=True, exit_on_error=False, group="jump", name="find-line-at-time", description="-")
    def find_line(self, view: CaseView, case: Case, name: str, time: float) -> None:
        """Halve the file by the times of its lines."""
        file = case.file_named(name)
        if file is None:
            return
        reader = case.new_reader(file.index)
        try:
            line = line_at_time(reader, time, lambda text: line_facts(view, name, text, time)[1])
            text = clean(next(iter(reader.lines(line, 1)), b"")) if line is not None else ""
        finally:
            reader.close()
        if not get_current_worker().is_cancelled:
            written = line_facts(view, name, text, time)[1] if text else None
            self.post_message(self.Located(name, line, time, written))
