"""Counts the lines of a file that the scan has not been through, in the background."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message
from textual.widget import Widget

if TYPE_CHECKING:
    from logtui.parsers.case import Case


class LineCounter(Widget):
    """Nothing to see: the pane shows the number in its title."""

    @dataclass
    class Counted(Message):
        """The number of lines of a file."""

        file: str
        lines: int

    @work(thread=True, exclusive=True, exit_on_error=False, group="count", name="count-lines", description="-")
    def count_lines(self, case: Case, name: str, file: int) -> None:
        """Count; a newer wish replaces an older one."""
        reader = case.new_reader(file)
        try:
            self.post_message(self.Counted(name, reader.count()))
        finally:
            reader.close()
