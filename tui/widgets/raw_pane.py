"""The raw viewer with its title, its search and its prompt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.worker import get_current_worker

from logtui.tui import help_texts
from logtui.tui.case_view import CaseView
from logtui.tui.line_facts import line_facts
from logtui.tui.matches import Found, Matches, compile_search
from logtui.tui.messages import LineChosen, WholeLineWanted
from logtui.tui.printable import printable
from logtui.tui.widgets.pane import Pane
from logtui.tui.widgets.prompt_bar import PromptBar
from logtui.tui.widgets.raw_viewer import RawViewer

if TYPE_CHECKING:
    from logtui.parsers.case import Case


class RawPane(Pane):
    """Any line of any file; the proof itself."""

    HELP_TEXT = help_texts.RAW

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "match(1)", "Next match", show=False, id="raw.next-match"),
        Binding("N", "match(-1)", "Previous match", show=False, id="raw.previous-match"),
    ]

    @dataclass
    class Searched(Message):
        """One step of a search."""

        regex: re.Pattern[str]
        found: Found | None
        """None at the end."""

    @dataclass
    class Counted(Message):
        """The number of lines of a file."""

        file: str
        lines: int

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.matches: Matches | None = None
        self._file: str | None = None
        self._awaited = False
        """A match was asked for and not found yet."""

    def compose_pane(self) -> ComposeResult:
        """Lines above, prompt below."""
        yield RawViewer(id="raw-viewer")
        yield PromptBar(id="prompt")

    @property
    def viewer(self) -> RawViewer:
        """The lines."""
        return self.query_one(RawViewer)

    def watch_view(self, old: CaseView | None, new: CaseView | None) -> None:
        """Read on from the newer reading of the files, at the same place."""
        if new is not None and self._file is not None and (old is None or old.case is not new.case):
            self._open(new, self._file)
        self._follow()

    def watch_selection(self) -> None:
        """Go where the selection is."""
        self._follow()

    def _follow(self) -> None:
        name, line = self.selection.file, self.selection.line
        if self.view is None or name is None:
            return
        if name != self._file:
            self._open(self.view, name)
        if line is not None and line != self.viewer.cursor:
            self.viewer.move_to(line)
        self._title()

    def _open(self, view: CaseView, name: str) -> None:
        case = view.case
        file = case.file_named(name) if case else None
        if case is None or file is None:
            return
        if name != self._file:
            self._file = name
            self._end_search()
            self.viewer.rewind()
        index = case.indexes.get(file.index)
        known = index.lines if index is not None and index.complete else 0
        self.viewer.open(case, file.index, known or self.selection.line or 1, view.citations.get(name, {}))
        if not known:
            self.count_lines(case, name, file.index)

    @work(thread=True, exclusive=True, exit_on_error=False, group="count", name="count-lines", description="-")
    def count_lines(self, case: Case, name: str, file: int) -> None:
        """Count the lines of a file that the scan has not been through."""
        reader = case.new_reader(file)
        try:
            self.post_message(self.Counted(name, reader.count()))
        finally:
            reader.close()

    def on_raw_pane_counted(self, message: Counted) -> None:
        """The file's length is known."""
        if message.file == self._file:
            self.viewer.line_count = message.lines
            self.viewer.move_to(self.selection.line or 1, always=True)
            self._title()

    def _title(self) -> None:
        """Where we are, what the search found, and what the line is cited for."""
        if self._file is None:
            return
        self.heading.name_shown = Content(
            f"5 {printable(self._file)}:{self.viewer.cursor} of {self.viewer.line_count:,}"
        )
        cited = self.view.citations.get(self._file, {}) if self.view else {}
        why = self.selection.why or cited.get(self.viewer.cursor, "")
        found = self.matches.words(self.viewer.cursor) if self.matches else ""
        self.heading.note = " · ".join(part for part in (found, printable(why)) if part)

    def on_raw_viewer_moved(self, message: RawViewer.Moved) -> None:
        """Tell where the cursor went, or ask for the whole line."""
        message.stop()
        if message.opened:
            place = f"{self._file}:{message.line}"
            self.post_message(WholeLineWanted(place, self.viewer.text_of(message.line)))
        else:
            self._tell(message.line)

    def _tell(self, line: int) -> None:
        """Post where the cursor is, with what the line says about its rank and time."""
        if self._file is not None and self.view is not None:
            rank, time = line_facts(self.view, self._file, self.viewer.text_of(line), self.selection.time)
            self.post_message(LineChosen(self._file, line, rank, time, step=True))

    def ask(self, sign: str) -> None:
        """Open the prompt: `/` for a search, `:` for a line number."""
        hint = "regular expression" if sign == "/" else f"line number, 1 to {self.viewer.line_count:,}"
        self.query_one(PromptBar).open(sign, hint)

    def on_prompt_bar_closed(self, message: PromptBar.Closed) -> None:
        """Back to the lines."""
        message.stop()
        self.viewer.focus()

    def on_prompt_bar_answered(self, message: PromptBar.Answered) -> None:
        """Search, or go to the line."""
        message.stop()
        if message.sign == "/":
            self._begin_search(message.text)
        elif message.text.strip().isdecimal():
            self.viewer.action_to(int(message.text))
        elif message.text.strip():
            self.notify(f"not a line number: {message.text}", severity="warning", markup=False)

    def _end_search(self) -> None:
        self.workers.cancel_group(self, "search")
        self.matches = None
        self._awaited = False
        self.viewer.search(None)

    def _begin_search(self, pattern: str) -> None:
        self._end_search()
        if pattern:
            try:
                regex = compile_search(pattern)
            except re.error as error:
                self.notify(f"not a regular expression: {error}", severity="warning", markup=False)
                return
            self.matches, self._awaited = Matches(regex), True
            self.viewer.search(regex)
            self.search_file(regex)
        self._title()

    @work(
        thread=True,
        exclusive=True,
        exit_on_error=False,
        group="search",
        name="search-file",
        description="-",
    )
    def search_file(self, regex: re.Pattern[str]) -> None:
        """Search the file that is shown, from the cursor on."""
        from logtui.tui.line_search import search_lines  # numpy comes with it

        worker = get_current_worker()
        case = self.view.case if self.view else None
        file = case.file_named(self._file) if case and self._file else None
        if case is None or file is None:
            return
        reader = case.new_reader(file.index)
        try:
            for found in search_lines(reader, regex, self.viewer.cursor, lambda: worker.is_cancelled):
                self.post_message(self.Searched(regex, found))
        finally:
            reader.close()
        self.post_message(self.Searched(regex, None))

    def on_raw_pane_searched(self, message: Searched) -> None:
        """Count, and go to the first match as soon as there is one."""
        if self.matches is None or self.matches.regex is not message.regex:
            return
        if message.found is None:
            self.matches.finished = True
            if not self.matches.total:
                self.notify(f"no line matches /{message.regex.pattern}/", markup=False)
        else:
            self.matches.add(message.found)
            if self._awaited and self.matches.lines:
                self._awaited = False
                self._go_to_match(1, self.viewer.cursor - 1)
        self._title()

    def _go_to_match(self, direction: int, line: int) -> None:
        target = self.matches.beyond(line, direction) if self.matches else None
        if target is not None:
            self.viewer.move_to(target)
            if self.matches and (hit := self.matches.regex.search(self.viewer.text_of(target))):
                self.viewer.reveal(*hit.span())
            self._tell(target)

    def action_match(self, direction: int) -> None:
        """The next or previous match."""
        if self.matches is None:
            self.notify("search with / first")
        elif not self.matches.lines:
            self.notify("no match so far" if not self.matches.finished else "no match", severity="warning")
        else:
            self._go_to_match(direction, self.viewer.cursor)
