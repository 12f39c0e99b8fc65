"""An expression looked for in all files: how often each holds it, and the first place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input
from textual.worker import get_current_worker

from logtui.parsers.errors import LogtuiError
from logtui.tui.panes.raw.expressions import compile_search
from logtui.tui.screens.overlay import Overlay
from logtui.tui.shared.messages import LineChosen
from logtui.tui.shared.wording import printable
from logtui.tui.widgets.row_list import ChoiceList, RowList

if TYPE_CHECKING:
    from logtui.parsers.files.case import Case

SHOWN_FILES = 2000


@dataclass(frozen=True, slots=True)
class FileHits:
    """What one file holds."""

    file: str
    lines: int
    first: int


class SearchScreen(Overlay[tuple[str, LineChosen] | None]):
    """Type, Enter, and files come in as they are searched; Enter on one goes to its first match."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Close", show=False),
        Binding("down,ctrl+n", "walk(1)", "Down", show=False, priority=True),
        Binding("up,ctrl+p", "walk(-1)", "Up", show=False, priority=True),
    ]

    @dataclass
    class Searched(Message):
        """A file was searched, or all are."""

        regex: re.Pattern[str]
        hits: FileHits | None
        bytes_done: int

    @dataclass
    class Failed(Message):
        """The expression took too long."""

        words: str

    def __init__(self, case: Case, pattern: str) -> None:
        super().__init__()
        self._case, self._pattern = case, pattern
        self._regex: re.Pattern[str] | None = None
        self.hits: list[FileHits] = []
        self._total = sum(file.size for file in case.files)

    def compose(self) -> ComposeResult:
        """Field above, files below."""
        with Vertical(id="finder"):
            field = Input(self._pattern, placeholder="regular expression", id="finder-field", compact=True)
            field.cursor_blink = False
            yield field
            listed = ChoiceList(id="finder-list")
            listed.can_focus = False
            yield listed

    @property
    def _listed(self) -> ChoiceList:
        return self.query_one(ChoiceList)

    def on_mount(self) -> None:
        """Search at once for what was searched for before."""
        self._say("enter searches")
        if self._pattern:
            self._begin(self._pattern)

    def _say(self, words: str) -> None:
        box = self.query_one("#finder")
        box.border_title, box.border_subtitle = "search all files", Content(words)

    def _begin(self, pattern: str) -> None:
        try:
            self._regex = compile_search(pattern)
        except re.error as error:
            self.notify(f"not a regular expression: {error}", severity="warning", markup=False)
            return
        self._pattern, self.hits = pattern, []
        self._listed.show(())
        self.search_files(self._regex)

    @work(thread=True, exclusive=True, exit_on_error=False, group="search-all", name="search-all", description="-")
    def search_files(self, regex: re.Pattern[str]) -> None:
        """Search file by file."""
        from logtui.tui.panes.raw.line_search import Overtime, search_lines
        from logtui.tui.panes.raw.pattern_process import apart

        worker, done = get_current_worker(), 0
        for file in self._case.files:
            lines, first = 0, 0
            try:
                reader = self._case.new_reader(file.index)
            except (LogtuiError, OSError):
                continue
            try:
                for found in search_lines(reader, regex, 1, lambda: worker.is_cancelled, apart):
                    lines, first = lines + len(found.lines), first or next(iter(found.lines), 0)
            except Overtime as overtime:
                self.post_message(self.Failed(f"{file.name}: {overtime.words(f'/{regex.pattern}/')}"))
                return
            finally:
                reader.close()
            done += file.size
            if worker.is_cancelled:
                return
            if lines:
                self.post_message(self.Searched(regex, FileHits(file.name, lines, first), done))
        self.post_message(self.Searched(regex, None, self._total))

    def on_search_screen_failed(self, message: Failed) -> None:
        """The search ended early."""
        self.notify(message.words, severity="warning", markup=False)

    def on_search_screen_searched(self, message: Searched) -> None:
        """Another file."""
        if message.regex is not self._regex:
            return
        if message.hits is not None:
            self.hits.append(message.hits)
            if len(self.hits) <= SHOWN_FILES:
                self._listed.add(f"{message.hits.lines:>9,}  {printable(message.hits.file)}:{message.hits.first}")
        lines = sum(hits.lines for hits in self.hits)
        share = "" if message.hits is None else f" · {message.bytes_done / max(self._total, 1):.0%} searched"
        self._say(f"{lines:,} lines in {len(self.hits):,} files{share} · enter goes to the first · esc closes")

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Search for something else, or go to the chosen file."""
        message.stop()
        if message.value != self._pattern:
            self._begin(message.value)
        elif (at := self._listed.chosen) is not None:
            self._go(self.hits[at])

    def _go(self, hits: FileHits) -> None:
        self.dismiss((self._pattern, LineChosen(hits.file, hits.first, why="first match", opened=True)))

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """A click goes there at once."""
        self._go(self.hits[message.row])

    def action_walk(self, direction: int) -> None:
        """Move the choice while the field keeps the focus."""
        self._listed.walk(direction)
