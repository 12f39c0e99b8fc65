"""To a time: the line of a file is found by halving, by what the lines themselves say, so that size does not matter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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
