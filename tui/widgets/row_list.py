"""Lists of rows with a cursor, drawn row by row: ten thousand rows cost what fits on the screen.

Component styles of widgets that draw lines are taken apart: the framework blends a component's colours with what lies
below only when asked for the whole style; a piece of text on the cursor's row needs the text's ink on the cursor's
ground.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

Cells = Sequence[tuple[str, str]]
"""Pieces of a row: text, and the name of its component style ("" for plain)."""


class ComponentStyles:
    """The inks and grounds of one widget, kept until its style changes."""

    def __init__(self, widget: Widget, prefix: str) -> None:
        """`prefix` is what the names of the component classes begin with."""
        self._widget, self._prefix = widget, prefix
        self._inks: dict[str, Style] = {}
        self._grounds: dict[str, Style] = {}
        self._base: Style | None = None

    def clear(self) -> None:
        """The theme or the focus changed."""
        self._inks.clear()
        self._grounds.clear()
        self._base = None

    @property
    def base(self) -> Style:
        """The widget's own style. The framework gathers it from all ancestors each time it is asked."""
        if self._base is None:
            self._base = self._widget.rich_style
        return self._base

    def ink(self, name: str) -> Style:
        """Colour and weight of text, without what lies below it."""
        if name not in self._inks:
            whole = self._whole(name)
            self._inks[name] = Style(
                color=whole.color,
                bold=whole.bold,
                italic=whole.italic,
                underline=whole.underline,
                reverse=whole.reverse,
            )
        return self._inks[name]

    def ground(self, name: str) -> Style:
        """What lies below text, and whether it is turned round or bold."""
        if name not in self._grounds:
            whole = self._whole(name)
            self._grounds[name] = Style(bgcolor=whole.bgcolor, bold=whole.bold, reverse=whole.reverse)
        return self._grounds[name]

    def _whole(self, name: str) -> Style:
        return self._widget.get_component_rich_style(f"{self._prefix}--{name}")


class RowList(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows of one line each; subclasses say what stands in them."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "row-list--cursor",
        "row-list--dim",
        "row-list--bold",
        "row-list--error",
        "row-list--warning",
    }

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Line", id="list.open"),
        Binding("up,k", "move(-1)", "Up", show=False, id="list.up"),
        Binding("down,j", "move(1)", "Down", show=False, id="list.down"),
        Binding("pageup,ctrl+b", "page(-1)", "Page up", show=False, id="list.page-up"),
        Binding("pagedown,ctrl+f,space", "page(1)", "Page down", show=False, id="list.page-down"),
        Binding("home,g", "to(0)", "First", show=False, id="list.first"),
        Binding("end,G", "to(-1)", "Last", show=False, id="list.last"),
    ]

    class Moved(Message):
        """The cursor stands on another row, or Enter was pressed on it."""

        def __init__(self, row: int, opened: bool = False) -> None:
            super().__init__()
            self.row = row
            self.opened = opened

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.row_count = 0
        self.cursor = 0
        self._jumped = False
        """The cursor was brought into sight from afar: its place follows from the height alone."""
        self._look = ComponentStyles(self, "row-list")

    def cells(self, row: int, width: int) -> Cells:
        """What stands in a row; nothing, unless a subclass says."""
        return ()

    def show_rows(self, count: int) -> None:
        """The rows changed; the cursor stays where it is if it can."""
        self.row_count = count
        self.cursor = max(0, min(self.cursor, count - 1))
        self.virtual_size = Size(self.size.width, count)
        self.refresh()

    def move_to(self, row: int) -> None:
        """Put the cursor on a row without telling anyone."""
        row = max(0, min(row, self.row_count - 1))
        if row != self.cursor:
            for y in (self.cursor, row):
                self.refresh(Region(0, y - self.scroll_offset.y, self.size.width, 1))
            self.cursor = row
        self._scroll_to_cursor()

    def _scroll_to_cursor(self) -> None:
        top, height = self.scroll_offset.y, self.size.height
        if not height or top <= self.cursor < top + height:
            return
        if self.cursor == top - 1:
            target = self.cursor
        elif self.cursor == top + height:
            target = self.cursor - height + 1
        else:
            self._jump()
            return
        self.scroll_to(y=target, animate=False, force=True, immediate=True)

    def _jump(self) -> None:
        """Show the cursor in the middle, unless the first rows hold it."""
        self._jumped, height = True, self.size.height
        target = 0 if self.cursor < height else self.cursor - height // 2
        self.scroll_to(y=target, animate=False, force=True, immediate=True)

    def on_resize(self, event: events.Resize) -> None:
        """Keep the cursor in sight, and where a jump would put it: heights in between leave no trace."""
        self.virtual_size = Size(self.size.width, self.row_count)
        if self._jumped and self.size.height:
            self._jump()
        else:
            self._scroll_to_cursor()

    def notify_style_update(self) -> None:
        """Forget the styles of another theme."""
        super().notify_style_update()
        self._look.clear()

    def render_line(self, y: int) -> Strip:
        """One row, cut or padded to the width."""
        row, width = y + self.scroll_offset.y, self.scrollable_content_region.width
        base = self._look.base
        if row >= self.row_count:
            return Strip.blank(width, base)
        over = self._look.ground("cursor") if row == self.cursor else Style.null()
        inks = ((text, self._look.ink(name) if name else Style.null()) for text, name in self.cells(row, width))
        segments = [Segment(text, base + ink + over) for text, ink in inks]
        return Strip(segments).adjust_cell_length(width, base + over)

    def _go(self, row: int) -> None:
        before, self._jumped = self.cursor, False
        self.move_to(row)
        if self.cursor != before:
            self.post_message(self.Moved(self.cursor))

    def action_move(self, rows: int) -> None:
        """A row up or down."""
        self._go(self.cursor + rows)

    def action_page(self, direction: int) -> None:
        """A screen up or down."""
        self._go(self.cursor + direction * max(self.size.height - 1, 1))

    def action_to(self, row: int) -> None:
        """A row by number; -1 for the last."""
        self._go(self.row_count - 1 if row < 0 else row)

    def action_open(self) -> None:
        """Ask for what the row stands for."""
        if self.row_count:
            self.post_message(self.Moved(self.cursor, opened=True))

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor, a second one opens the row."""
        row = event.y + self.scroll_offset.y
        if row < self.row_count:
            self.post_message(self.Moved(row, opened=row == self.cursor))
            self.move_to(row)


class ChoiceList(RowList):
    """A text per row; whoever has the focus may walk through them. `Moved` comes from clicks and keys of its own."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"row-list--chosen"}

    def __init__(self, texts: Sequence[str] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.texts = list(texts)
        self.row_count = len(self.texts)

    def show(self, texts: Sequence[str]) -> None:
        """Offer others, the first of them chosen."""
        self.texts, self.cursor = list(texts), 0
        self.show_rows(len(self.texts))
        self.scroll_to(y=0, animate=False, force=True, immediate=True)

    def add(self, text: str) -> None:
        """Offer one more."""
        self.texts.append(text)
        self.show_rows(len(self.texts))

    @property
    def chosen(self) -> int | None:
        """The row under the cursor."""
        return self.cursor if self.row_count else None

    def walk(self, direction: int) -> None:
        """A row down or up, round the ends."""
        if self.row_count:
            self.move_to((self.cursor + direction) % self.row_count)

    def cells(self, row: int, width: int) -> Cells:
        """The text."""
        return [(self.texts[row], "chosen" if row == self.cursor else "")]
