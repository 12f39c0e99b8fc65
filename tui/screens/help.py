"""What the focused pane is, and every key that works there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.strip import Strip

from logtui.tui.help_page import Block, blocks_of, key_blocks, laid_out
from logtui.tui.screens.overlay import Overlay
from logtui.tui.widgets.text_page import TextPage

PREFIX = "help-page--"


class HelpPage(TextPage):
    """Paragraphs and a table of keys."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"{PREFIX}{style}" for style in ("heading", "code", "strong", "bullet")}

    def __init__(self, blocks: Sequence[Block], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._blocks = blocks

    def lay_out(self, width: int) -> list[Strip]:
        """All lines: it is a page or three."""
        looks = {name.removeprefix(PREFIX): self.get_component_rich_style(name) for name in self.COMPONENT_CLASSES}
        lines = laid_out(self._blocks, width)
        return [Strip([Segment(text, looks.get(style)) for text, style in line if text]) for line in lines]


class HelpScreen(Overlay[None]):
    """A page of text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q,f1", "dismiss(None)", "Close", show=False),
        Binding("j", "scroll(1)", "Down", show=False),
        Binding("k", "scroll(-1)", "Up", show=False),
    ]

    def __init__(self, text: str, keys: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        heading = Block((("Keys here", "heading"),))
        self._blocks = (*blocks_of(text), heading, *key_blocks(keys))

    def compose(self) -> ComposeResult:
        """The page, scrollable."""
        page = HelpPage(self._blocks, id="help")
        page.border_title, page.border_subtitle = "help", "esc closes"
        yield page

    def action_scroll(self, lines: int) -> None:
        """A line up or down."""
        self.query_one(HelpPage).action_scroll(lines)
