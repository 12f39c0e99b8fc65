"""A page of text to scroll through: one widget, whatever its length."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip


class TextPage(ScrollView, can_focus=True):
    """Draws lines that are laid out for its width."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: Sequence[Strip] = ()
        self._width = 0

    def lay_out(self, width: int) -> Sequence[Strip]:
        """The lines for a width; they may be shown later instead."""
        return self._lines

    def show(self, lines: Sequence[Strip]) -> None:
        """Show other lines."""
        self._lines = lines
        self.virtual_size = Size(self._width, len(lines))
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Paragraphs follow the width."""
        self._fit()
        self.virtual_size = Size(self._width, len(self._lines))

    def _fit(self) -> None:
        width = self.scrollable_content_region.width
        if width != self._width:
            self._width = width
            self._lines = self.lay_out(width)

    def notify_style_update(self) -> None:
        """Lay out anew in another theme."""
        super().notify_style_update()
        self._width = 0

    def render_line(self, y: int) -> Strip:
        """A line in sight."""
        self._fit()
        at, base = y + int(self.scroll_offset.y), self.rich_style
        if at >= len(self._lines):
            return Strip.blank(self.size.width, base)
        return self._lines[at].apply_style(base).extend_cell_length(self.size.width, base)

    def action_scroll(self, lines: int) -> None:
        """Some lines up or down."""
        self.scroll_relative(y=lines, animate=False)

    def action_page(self, direction: int) -> None:
        """A page up or down."""
        self.scroll_relative(y=direction * max(self.size.height - 1, 1), animate=False)

    def action_edge(self, end: int) -> None:
        """To the top or the bottom."""
        self.scroll_to(y=self.max_scroll_y if end else 0, animate=False)
