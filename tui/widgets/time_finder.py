"""Finds where a file is at a time, in the background."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message
from textual.widget import Widget
from textual.worker import get_current_worker

from logtui.tui.line_at_time import line_at_time
from logtui.tui.line_facts import line_facts

if TYPE_CHECKING:  # numpy comes with it: the first frame must not wait for that
    from logtui.parsers.case import Case
    from logtui.tui.case_view import CaseView


class TimeFinder(Widget):
    """Nothing to see: the pane goes to what is found."""

    @dataclass
    class Located(Message):
        """Where a file is at a time; no line where none of it is dated."""

        file: str
        line: int | None
        moment: float

    @work(thread=True, exclusive=True, exit_on_error=False, group="jump", name="find-line-at-time", description="-")
    def find_line(self, view: CaseView, case: Case, name: str, time: float) -> None:
        """Halve the file by the times of its lines."""
        file = case.file_named(name)
        if file is None:
            return
        reader = case.new_reader(file.index)
        try:
            line = line_at_time(reader, time, lambda text: line_facts(view, name, text, time)[1])
        finally:
            reader.close()
        if not get_current_worker().is_cancelled:
            self.post_message(self.Located(name, line, time))
