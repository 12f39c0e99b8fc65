"""The raw lines of one file, whatever its size: only what is on the screen is read and drawn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.cache import LRUCache
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from logtui.tui.component_styles import ComponentStyles
from logtui.tui.highlight import TOKENS, pieces
from logtui.tui.line_pages import LinePages

if TYPE_CHECKING:
    from logtui.parsers.case import Case

STRIPS_KEPT = 512
WHEEL_LINES = 3
SIDE_STEP = 16  # columns


class RawViewer(Widget, can_focus=True):
    """Lines with their numbers, the cited ones marked, one under the cursor.

    Scrolls by itself: the framework's virtual size would lay the whole screen out again for every other file.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "raw-viewer--gutter",
        "raw-viewer--mark",
        "raw-viewer--cited",
        "raw-viewer--cursor",
        "raw-viewer--match",
        *(f"raw-viewer--{token}" for token in TOKENS),
    }

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open_line", "Line", id="raw.whole-line"),
        Binding("up,k", "move(-1)", "Line up", show=False, id="raw.up"),
        Binding("down,j", "move(1)", "Line down", show=False, id="raw.down"),
        Binding("pageup,ctrl+b", "page(-1)", "Page up", show=False, id="raw.page-up"),
        Binding("pagedown,ctrl+f,space", "page(1)", "Page down", show=False, id="raw.page-down"),
        Binding("home,g", "to(1)", "First line", show=False, id="raw.first"),
        Binding("end,G", "to(-1)", "Last line", show=False, id="raw.last"),
        Binding("left,h", "side(-1)", "Scroll left", show=False, id="raw.left"),
        Binding("right,l", "side(1)", "Scroll right", show=False, id="raw.right"),
        Binding("0", "side(0)", "Start of line", show=False, id="raw.line-start"),
    ]

    class Moved(Message):
        """The cursor stands on another line, or Enter was pressed on it."""

        def __init__(self, line: int, opened: bool = False) -> None:
            super().__init__()
            self.line = line
            self.opened = opened

    class PageArrived(Message):
        """Lines that were late are there now."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.line_count = 0
        self.cursor = 1
        self.top = 1
        """First line shown."""
        self.column = 0
        """First column shown."""
        self._cited: dict[int, str] = {}
        self._pages: LinePages | None = None
        self._search: re.Pattern[str] | None = None
        self._kept: LRUCache[int, Strip] = LRUCache(STRIPS_KEPT)
        self._look = ComponentStyles(self, "raw-viewer")

    def open(self, case: Case, file: int, line_count: int, cited: dict[int, str]) -> None:
        """Show a file of a case; cursor and columns stay where they are."""
        self.close()
        self._pages = LinePages(case, file, lambda: self.post_message(self.PageArrived()))
        self._cited, self.line_count = cited, line_count
        self._redraw()

    def rewind(self) -> None:
        """To the first line and column, for another file."""
        self.column, self.cursor, self.top = 0, 1, 1

    def close(self) -> None:
        """Let go of the file."""
        if self._pages is not None:
            self._pages.close()
            self._pages = None

    def on_unmount(self) -> None:
        """Leave no reading thread behind."""
        self.close()

    def search(self, regex: re.Pattern[str] | None) -> None:
        """Pick out what an expression matches."""
        self._search = regex
        self._redraw()

    def move_to(self, line: int, *, centre: bool = True, always: bool = False) -> None:
        """Put the cursor on a line without telling anyone; scroll only if it is out of sight, or `always`."""
        old, self.cursor = self.cursor, max(1, min(line, max(self.line_count, 1)))
        for number in (old, self.cursor):
            self._kept.discard(number)
            self.refresh(Region(0, number - self.top, self.size.width, 1))
        self._show_cursor(centre, always=always)

    def reveal(self, start: int, end: int) -> None:
        """Scroll to the side until these columns of the lines are in sight."""
        room = self.size.width - 1 - len(self._gutter(1))
        if start < self.column or end > self.column + room:
            self.column = max(0, start - room // 2) if end > room else 0
            self.refresh()

    def _show_cursor(self, centre: bool, *, always: bool = False) -> None:
        height = max(self.size.height, 1)
        if self.top <= self.cursor < self.top + height and not always:
            return
        edge = self.cursor if self.cursor < self.top else self.cursor - height + 1
        self._scroll_top(self.cursor - height // 2 if centre else edge)

    def _scroll_top(self, top: int) -> None:
        last = max(self.line_count - self.size.height + 1, 1)
        top = max(1, min(top, last))
        if top != self.top:
            self.top = top
            self.refresh()

    def text_of(self, line: int) -> str:
        """A line as it is drawn; "" where it is not there yet."""
        return (self._pages.line(line) if self._pages else None) or ""

    def _redraw(self) -> None:
        self._kept.clear()
        self.refresh()

    def on_raw_viewer_page_arrived(self, message: PageArrived) -> None:
        """Draw what was blank."""
        message.stop()
        self._redraw()

    def on_resize(self, event: events.Resize) -> None:
        """Keep the cursor in sight."""
        self._scroll_top(self.top)
        self._show_cursor(centre=True)

    def notify_style_update(self) -> None:
        """Forget what was drawn in another theme."""
        super().notify_style_update()
        self._look.clear()
        self._kept.clear()

    def render_line(self, y: int) -> Strip:
        """One line of the file, and its piece of the scroll bar."""
        number, width = self.top + y, self.size.width - 1
        if number > self.line_count:
            return Strip.blank(width + 1, self.rich_style)
        strip = self._strip(number)
        gutter = len(self._gutter(number))
        body = strip.crop(gutter + self.column, self.column + width)
        line = Strip.join([strip.crop(0, gutter), body]).adjust_cell_length(width, self._base(number))
        return Strip.join([line, Strip([Segment(self._bar(y), self.rich_style + self._look.ink("gutter"))])])

    def _strip(self, number: int) -> Strip:
        """A whole line, kept while it is likely to be shown again."""
        if (strip := self._kept.get(number)) is not None:
            return strip
        if self._pages is None or (text := self._pages.line(number)) is None:  # late: drawn when it is there
            return Strip([Segment(self._gutter(number), self.rich_style + self._look.ink("gutter"))])
        self._kept[number] = strip = self._build(number, text)
        return strip

    def _bar(self, y: int) -> str:
        """`█` where in the file the screen is."""
        height = self.size.height
        span = self.line_count - height
        at = round((self.top - 1) / span * (height - 1)) if span > 0 else -1
        return "█" if y == at else " "

    def _base(self, number: int) -> Style:
        style = self.rich_style
        if number in self._cited:
            style += self._look.ground("cited")
        return style + self._look.ground("cursor") if number == self.cursor else style

    def _gutter(self, number: int) -> str:
        mark = "▶" if number == self.cursor else "▸" if number in self._cited else " "
        return f"{number:>{len(str(self.line_count))}} {mark} "

    def _build(self, number: int, text: str) -> Strip:
        base = self._base(number)
        marked = number in self._cited or number == self.cursor
        gutter = Segment(self._gutter(number), base + self._look.ink("mark" if marked else "gutter"))
        return Strip([gutter, *pieces(text, self._look.ink, base, self._search)])

    def _go(self, line: int, centre: bool = False) -> None:
        before = self.cursor
        self.move_to(line, centre=centre)
        if self.cursor != before:
            self.post_message(self.Moved(self.cursor))

    def action_move(self, lines: int) -> None:
        """A line up or down."""
        self._go(self.cursor + lines)

    def action_page(self, direction: int) -> None:
        """A screen up or down, the cursor with it."""
        step = direction * max(self.size.height - 1, 1)
        self._scroll_top(self.top + step)
        self._go(self.cursor + step)

    def action_to(self, line: int) -> None:
        """A line by number; -1 for the last."""
        self._go(self.line_count if line < 0 else line)

    def action_side(self, direction: int) -> None:
        """A step to the side; 0 for the start of the lines."""
        longest = self._pages.width if self._pages else 0
        room = self.size.width - 1 - len(self._gutter(1))
        wanted = self.column + direction * SIDE_STEP if direction else 0
        self.column = max(0, min(wanted, max(longest - room, 0) + 1))
        self.refresh()

    def action_open_line(self) -> None:
        """Ask for the whole line."""
        self.post_message(self.Moved(self.cursor, opened=True))

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor."""
        self._go(self.top + event.y)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel moves the lines, not the cursor."""
        event.stop()
        self._scroll_top(self.top + WHEEL_LINES)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel moves the lines, not the cursor."""
        event.stop()
        self._scroll_top(self.top - WHEEL_LINES)
