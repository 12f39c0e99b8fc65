"""The raw lines of one file under the user's keys."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from logtui.tui.widgets.line_view import LineView

WHEEL_LINES = 3
SIDE_STEP = 16  # columns


class RawViewer(LineView):
    """Moves its cursor by keys and mouse, and tells of it."""

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
        Binding("w", "wrap", "Wrap lines", show=False, id="raw.wrap", tooltip="Long lines on several rows, and back"),
    ]

    class Moved(Message):
        """The cursor stands on another line, or Enter was pressed on it."""

        def __init__(self, line: int, opened: bool = False) -> None:
            super().__init__()
            self.line = line
            self.opened = opened

    def _go(self, line: int, centre: bool = False) -> None:
        before = self.cursor
        self.move_to(line, centre=centre)
        if self.cursor != before:
            self.post_message(self.Moved(self.cursor))

    def action_move(self, lines: int) -> None:
        """A line up or down."""
        self._go(self.window.step(self.cursor, lines))

    def action_page(self, direction: int) -> None:
        """A screen up or down, the cursor with it."""
        step = direction * max(len({line for line, _ in self.window.rows()}) - 1, 1)
        if self.window.scroll(step):
            self.refresh()
        self._go(self.window.step(self.cursor, step))

    def action_to(self, line: int) -> None:
        """A line by number; -1 for the last one shown."""
        self._go(self.window.step(self.line_count, 0) if line < 0 else line)

    def action_side(self, direction: int) -> None:
        """A step to the side; 0 for the start of the lines."""
        longest = self._pages.width if self._pages else 0
        wanted = self.column + direction * SIDE_STEP if direction else 0
        self.column = max(0, min(wanted, max(longest - self._room, 0) + 1))
        self.refresh()

    def action_wrap(self) -> None:
        """Long lines on several rows, and back."""
        self.window.wrapped = not self.window.wrapped
        self.column = 0
        self.window.forget()
        self.window.show(self.cursor, centre=True, always=True)
        self.refresh()

    def action_open_line(self) -> None:
        """Ask for the whole line."""
        self.post_message(self.Moved(self.cursor, opened=True))

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor."""
        rows = self.window.rows()
        if event.y < len(rows):
            self._go(rows[event.y][0])

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel moves the lines, not the cursor."""
        event.stop()
        self._wheel(WHEEL_LINES)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel moves the lines, not the cursor."""
        event.stop()
        self._wheel(-WHEEL_LINES)

    def _wheel(self, lines: int) -> None:
        self._centred = 0
        if self.window.scroll(lines):
            self.refresh()
