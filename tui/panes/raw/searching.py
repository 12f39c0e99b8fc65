"""Looks through the file shown in the background: for an expression, and for the number of its lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message
from textual.widget import Widget
from textual.worker import get_current_worker

from logtui.tui.panes.raw.expressions import Found, Matches, compile_search

if TYPE_CHECKING:
    from logtui.parsers.files.case import Case


class LineSearcher(Widget):
    """Nothing to see: the pane shows in its title what was found."""

    class Progressed(Message):
        """More was found, or the search is over."""

    @dataclass
    class Wanted(Message):
        """The first match is there: the user waits for it."""

        line: int

    @dataclass
    class Searched(Message):
        """One step of a search."""

        regex: re.Pattern[str]
        found: Found | None
        """None at the end."""
        failed: str = ""
        """Why it ended early."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.matches: Matches | None = None
        self._start = 1
        self._awaited = False
        """A match was asked for and not found yet."""

    def end(self) -> None:
        """Forget the search."""
        self.workers.cancel_group(self, "search")
        self.matches, self._awaited = None, False

    def begin(self, pattern: str, case: Case, file: int, start: int, *, awaited: bool = True) -> bool:
        """Search a file from a line on; False, with a message, where the pattern is none.

        `awaited`: the first match is to be gone to.
        """
        self.end()
        try:
            regex = compile_search(pattern)
        except re.error as error:
            self.notify(f"not a regular expression: {error}", severity="warning", markup=False)
            return False
        self.matches, self._awaited, self._start = Matches(regex), awaited, start
        self.search_file(case, file, regex, start)
        return True

    @work(thread=True, exclusive=True, exit_on_error=False, group="search", name="search-file", description="-")
    def search_file(self, case: Case, file: int, regex: re.Pattern[str], start: int) -> None:
        """Search a file, from a line on and round."""
        from logtui.tui.panes.raw.line_search import (
            Overtime,
            search_lines,  # numpy comes with it
        )
        from logtui.tui.panes.raw.pattern_process import apart

        worker = get_current_worker()
        reader, failed = case.new_reader(file), ""
        try:
            for found in search_lines(reader, regex, start, lambda: worker.is_cancelled, apart):
                self.post_message(self.Searched(regex, found))
        except Overtime as overtime:
            failed = overtime.words(f"/{regex.pattern}/")
        finally:
            reader.close()
        self.post_message(self.Searched(regex, None, failed))

    def on_line_searcher_searched(self, message: Searched) -> None:
        """Count, and tell of the first match as soon as there is one."""
        message.stop()
        if self.matches is None or self.matches.regex is not message.regex:
            return
        if message.found is None:
            self.matches.finished, self.matches.failed = True, bool(message.failed)
            if message.failed:
                self.notify(message.failed, severity="warning", markup=False)
            elif not self.matches.total and self._awaited:
                self.notify(f"no line matches /{message.regex.pattern}/", markup=False)
        else:
            self.matches.add(message.found)
            target = self.matches.beyond(self._start - 1, 1) if self._awaited else None
            if target is not None:
                self._awaited = False
                self.post_message(self.Wanted(target))
        self.post_message(self.Progressed())


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
