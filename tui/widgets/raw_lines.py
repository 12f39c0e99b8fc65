"""The lines of the file that is selected, at the line that is: the raw pane without what the user asks of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content

from logtui.tui.case_view import CaseView
from logtui.tui.daemon_time import both_clocks
from logtui.tui.line_facts import line_facts
from logtui.tui.mark_book import MarkBook
from logtui.tui.matches import Matches
from logtui.tui.messages import LineChosen, WholeLineWanted
from logtui.tui.printable import printable
from logtui.tui.widgets.filter_bar import FilterBar
from logtui.tui.widgets.line_counter import LineCounter
from logtui.tui.widgets.line_searcher import LineSearcher
from logtui.tui.widgets.pane import Pane
from logtui.tui.widgets.prompt_bar import PromptBar
from logtui.tui.widgets.raw_viewer import RawViewer

if TYPE_CHECKING:
    from logtui.parsers.case import Case
    from logtui.parsers.source import LogFile

NO_LINE = "nothing cites a line here · f finds a file"
JUDGED_ABOVE = 20_000
"""Lines; judged in a few milliseconds."""


class RawLines(Pane):
    """Follows the selection, and tells where its own cursor goes."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._file: str | None = None
        self.book = MarkBook()
        """The user's marks."""

    def compose_pane(self) -> ComposeResult:
        """Lines above, filters and prompt below."""
        yield RawViewer(id="raw-viewer")
        yield FilterBar(id="filters")
        yield LineSearcher(id="searcher")
        yield LineCounter()
        yield PromptBar(id="prompt")

    @property
    def viewer(self) -> RawViewer:
        """The lines."""
        return self.query_one("#raw-viewer", RawViewer)

    @property
    def filters(self) -> FilterBar:
        """What is hidden."""
        return self.query_one("#filters", FilterBar)

    @property
    def searcher(self) -> LineSearcher:
        """What is looked for."""
        return self.query_one("#searcher", LineSearcher)

    @property
    def matches(self) -> Matches | None:
        """What was found."""
        return self.searcher.matches

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
            self._title()
            return
        if name != self._file:
            self._open(self.view, name)
        if line is not None and line != self.viewer.cursor:
            self._pin(line)
            self.viewer.move_to(line)
        self._title()

    def _pin(self, line: int) -> None:
        """A line that was asked for is shown, whatever the filters say."""
        if self.filters.shown is not None:
            self.filters.shown.pin(line)
            self.viewer.redraw()

    def _shown_file(self) -> tuple[Case, LogFile] | None:
        case = self.view.case if self.view else None
        file = case.file_named(self._file) if case and self._file else None
        return (case, file) if case is not None and file is not None else None

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
        self.viewer.open(case, file.index, known or self.selection.line or 1, view.cited_texts.get(name, {}))
        self.viewer.decoration.marks = self.book.of_file(name)
        self.filters.open(case, file.index, self._first_to_judge())
        if not known:
            self.query_one(LineCounter).count_lines(case, name, file.index)

    def _first_to_judge(self) -> int:
        """Filters begin well above the screen, so that it is filled at once."""
        return max(1, (self.selection.line or 1) - JUDGED_ABOVE)

    def on_line_counter_counted(self, message: LineCounter.Counted) -> None:
        """The file's length is known."""
        if message.file == self._file:
            self.viewer.set_line_count(message.lines)
            self.viewer.move_to(self.selection.line or 1, always=True)
            self._title()

    def _title(self) -> None:
        """Where we are, what the search found, and what the line is cited for."""
        if self._file is None:
            self.heading.name_shown = Content("5 raw lines")
            self.heading.note = NO_LINE if self.view else ""
            return
        self.heading.name_shown = Content(
            f"5 {printable(self._file)}:{self.viewer.cursor} of {self.viewer.line_count:,}"
        )
        cited = self.view.citations.get(self._file, {}) if self.view else {}
        why = self.selection.why or cited.get(self.viewer.cursor, "")
        found = self.matches.words(self.viewer.cursor) if self.matches else ""
        self.heading.note = " · ".join(filter(None, (found, both_clocks(self.view, self.selection), printable(why))))

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

    def _end_search(self) -> None:
        self.searcher.end()
        self.viewer.search(None)
