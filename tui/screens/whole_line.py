"""One line in full, wrapped."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from logtui.tui.screens.overlay import Overlay


class WholeLineScreen(Overlay[None]):
    """What does not fit into a row."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q", "dismiss(None)", "Close", show=False),
        Binding("j", "scroll(1)", "Down", show=False),
        Binding("k", "scroll(-1)", "Up", show=False),
    ]

    def __init__(self, place: str, text: str) -> None:
        super().__init__()
        self._place = place
        self._text = text

    def compose(self) -> ComposeResult:
        """The text, scrollable."""
        with VerticalScroll(id="whole-line"):
            yield Static(Content(self._text or "(an empty line)"), id="whole-line-text")

    def on_mount(self) -> None:
        """Say where it is from."""
        box = self.query_one("#whole-line")
        box.border_title = Content(self._place)
        box.border_subtitle = "esc closes"

    def action_scroll(self, lines: int) -> None:
        """A line up or down."""
        self.query_one("#whole-line").scroll_relative(y=lines, animate=False)
