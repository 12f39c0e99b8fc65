"""One operation of one rank as its recorder has it, with the stacks of all ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from logtui.tui.screens.overlay import Overlay


class DumpEntryScreen(Overlay[bool]):
    """A page; its result is whether the log line is wanted."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "dismiss(True)", "Log line", id="entry.line"),
        Binding("escape,q", "dismiss(False)", "Close", id="entry.close"),
        Binding("j", "scroll(1)", "Down", show=False),
        Binding("k", "scroll(-1)", "Up", show=False),
    ]

    def __init__(self, title: str, lines: Sequence[Content]) -> None:
        super().__init__()
        self._page_title = title
        self._lines = lines

    def compose(self) -> ComposeResult:
        """The page, scrollable."""
        with VerticalScroll(id="dump-entry"):
            yield Static(Content("\n").join(self._lines), id="dump-entry-text")

    def on_mount(self) -> None:
        """Say whose it is and what the keys do."""
        box = self.query_one("#dump-entry")
        box.border_title = Content(self._page_title)
        box.border_subtitle = "enter log line · esc closes"

    def action_scroll(self, lines: int) -> None:
        """A line up or down."""
        self.query_one("#dump-entry").scroll_relative(y=lines, animate=False)
