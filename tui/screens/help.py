"""What the focused pane is, and every key that works there."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Markdown


class HelpScreen(ModalScreen[None]):
    """A page of text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q,f1", "dismiss(None)", "Close", show=False),
        Binding("j", "scroll(1)", "Down", show=False),
        Binding("k", "scroll(-1)", "Up", show=False),
    ]

    def __init__(self, text: str, keys: list[tuple[str, str]]) -> None:
        super().__init__()
        rows = "\n".join(f"| `{key}` | {what} |" for key, what in keys)
        self._page = f"{text}\n\n## Keys here\n\n| key | what it does |\n|---|---|\n{rows}\n"

    def compose(self) -> ComposeResult:
        """The page, scrollable."""
        with VerticalScroll(id="help"):
            yield Markdown(self._page)

    def on_mount(self) -> None:
        """Say how to leave."""
        self.query_one("#help").border_title = "help"
        self.query_one("#help").border_subtitle = "esc closes"

    def action_scroll(self, lines: int) -> None:
        """A line up or down."""
        self.query_one("#help").scroll_relative(y=lines, animate=False)
