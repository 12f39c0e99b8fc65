"""Lines of one file under the user's keys, whatever its size: only what is on the screen is read and drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events, work
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from logtui.parsers.gist import first_shown
from logtui.tui.panes.raw.expressions import Spotter
from logtui.tui.panes.raw.painting import GUTTER_TAIL, LAYERS, Decoration, LinePainter
from logtui.tui.panes.raw.window import AllLines, LinePages, LineWindow
from logtui.tui.shared.messages import FormatsLoaded
from logtui.tui.shared.prefixes import WORTH_CHARS, Prefix, read_prefix
from logtui.tui.shared.shortening import formats_are_loaded, load_formats
from logtui.tui.widgets.row_list import ComponentStyles

if TYPE_CHECKING:
    from logtui.parsers.files.case import Case
    from logtui.tui.panes.raw.judging import ShownLines

WHEEL_LINES = 3
SIDE_STEP = 16  # columns
NARROW = 120
"""Columns for text below which prefixes are folded."""
UNFOLDED = Prefix(0, "")


class RawViewer(Widget, can_focus=True):
    """Lines with their numbers, the cited ones marked, one under the cursor, which keys and mouse move.

    Scrolls by itself: the framework's virtual size would lay the whole screen out again for every other file.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "raw-viewer--gutter",
        "raw-viewer--mark",
        "raw-viewer--cited",
        "raw-viewer--cursor",
        "raw-viewer--faded",
        *(f"raw-viewer--{layer}" for layer in LAYERS),
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
        Binding("w", "wrap", "Wrap lines", show=False, id="raw.wrap", tooltip="Long lines on several rows, and back"),
    ]

    class Moved(Message):
        """The cursor stands on another line, or Enter was pressed on it."""

        def __init__(self, line: int, opened: bool = False) -> None:
            super().__init__()
            self.line = line
            self.opened = opened

    class PageArrived(Message):
        """Lines that were late are there now."""

        def can_replace(self, message: Message) -> bool:
            """One frame shows all that came before it."""
            return isinstance(message, RawViewer.PageArrived)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.line_count = 0
        self.cursor = 1
        self._centred = 0
        """Line that was brought to the middle; 0 once the user scrolled."""
        self.column = 0
        """First column shown."""
        self._folds = True
        """Whether prefixes are folded where room is short."""
        self._revealed: int | None = None
        """First character shown of the line under the cursor, where a match in it is too far on."""
        self._pages: LinePages | None = None
        self._look = ComponentStyles(self, "raw-viewer")
        self._painter = LinePainter(self._look)
        self.window = LineWindow(self._pieces)

    def open(self, case: Case, file: int, line_count: int, cited: dict[int, str]) -> None:
        """Show a file of a case; cursor and columns stay where they are. `cited` are lines with the cited text."""
        self.close()
        self._pages = LinePages(case, file, lambda: self.post_message(self.PageArrived()))
        self._painter.decoration.cited = cited
        self._unfold()
        self.set_line_count(line_count)
        if not formats_are_loaded():
            self.call_after_refresh(self._load_formats)

    @work(thread=True, exclusive=True, exit_on_error=False, group="formats", name="load-formats", description="-")
    def _load_formats(self) -> None:
        """What formats read is coloured when they are there: the first verdict does not wait for that."""
        load_formats()
        self.post_message(self.PageArrived())
        self.post_message(FormatsLoaded())

    def set_line_count(self, lines: int) -> None:
        """The file's length is known, or known better."""
        self.line_count = lines
        if isinstance(self.window.shown, AllLines):
            self.window.shown = AllLines(lines)
        self.redraw()

    def rewind(self) -> None:
        """To the first line and column, for another file."""
        self.column, self.cursor, self.window.top = 0, 1, 1

    def close(self) -> None:
        """Let go of the file."""
        if self._pages is not None:
            self._pages.close()
            self._pages = None

    def on_unmount(self) -> None:
        """Leave no reading thread behind."""
        self.close()

    @property
    def decoration(self) -> Decoration:
        """What is picked out; `redraw` after a change."""
        return self._painter.decoration

    def search(self, regex: re.Pattern[str] | None) -> None:
        """Pick out what an expression matches."""
        self.decoration.search = Spotter(regex) if regex is not None else None
        self.redraw()

    def show_lines(self, shown: ShownLines | None, *, centre: bool = False) -> None:
        """Show some lines only; None for all. The cursor stays in sight, or is brought to the middle.

        Where the same lines are in sight as before, only the scroll bar is drawn anew, unless `centre`.
        """
        before = None if centre else self.window.rows()
        self.window.shown = shown if shown is not None else AllLines(self.line_count)
        self.window.forget()
        self.window.scroll_to(self.window.top)
        self.window.show(self.cursor, centre=True, always=centre)
        if self.window.rows() == before:
            self.refresh(Region(self.size.width - 1, 0, 1, self.size.height))
        else:
            self.redraw()

    def move_to(self, line: int, *, centre: bool = True, always: bool = False) -> None:
        """Put the cursor on a line without telling anyone; scroll only if it is out of sight, or `always`."""
        old, self.cursor = self.cursor, max(1, min(line, max(self.line_count, 1)))
        self._revealed = None
        self._painter.forget(old, self.cursor)
        self._unfold()
        for y in (*self.window.rows_of(old), *self.window.rows_of(self.cursor)):
            self.refresh(Region(0, y, self.size.width, 1))
        if self.window.show(self.cursor, centre=centre, always=always):
            self._centred = self.cursor if centre else 0
            self.refresh()

    def _unfold(self) -> None:
        """A cited line is shown whole while the cursor is on it: the words that decide may stand at its end."""
        wanted = self.cursor if self.cursor in self.decoration.cited else 0
        if wanted != self.window.unfolded:
            self.window.unfolded = wanted
            self.window.forget()
            self.refresh()

    def reveal(self, start: int, end: int) -> None:
        """Scroll to the side until these columns of the lines are in sight."""
        if self.window.is_whole(self.cursor):
            begins, shown = self._begins(self.cursor), self._pieces(self.cursor) * self._room
            if not begins <= start <= end <= begins + shown:
                self._revealed = max(0, start - shown // 2)
        else:
            self._folds = self._folds and start >= self._prefix(self.cursor).chars
            prefix = self._prefix(self.cursor)
            start, end, room = start - prefix.chars, end - prefix.chars, self._room - len(prefix.label) - 1
            if start < self.column or end > self.column + room:
                self.column = max(0, start - room // 2) if end > room else 0
        self.refresh()

    def _prefix(self, line: int) -> Prefix:
        """What of a line is folded."""
        if not self._is_narrow or not self._folds or self.window.is_whole(line):
            return UNFOLDED
        prefix = read_prefix(self.text_of(line))
        return prefix if prefix.chars >= WORTH_CHARS else UNFOLDED

    @property
    def _is_narrow(self) -> bool:
        return self._room < NARROW and not self.window.wrapped

    def text_of(self, line: int) -> str:
        """A line as it is drawn; "" where it is not there yet."""
        return (self._pages.line(line) if self._pages else None) or ""

    def redraw(self) -> None:
        """Draw everything anew."""
        self._painter.forget()
        self.window.forget()
        self.refresh()

    def on_raw_viewer_page_arrived(self, message: PageArrived) -> None:
        """Draw what was blank."""
        message.stop()
        self.window.forget()
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Keep the cursor in sight, and in the middle if it was brought there: the panes above take room late."""
        self.window.height = max(event.size.height, 1)
        self.window.forget()
        self.window.scroll_to(self.window.top)
        self.window.show(self.cursor, centre=True, always=self._centred == self.cursor)
        self.refresh()

    def notify_style_update(self) -> None:
        """Forget what was drawn in another theme."""
        super().notify_style_update()
        self._look.clear()
        self._painter.forget()

    @property
    def _digits(self) -> int:
        return len(str(self.line_count))

    @property
    def _room(self) -> int:
        """Columns for text."""
        return max(self.size.width - 1 - self._digits - GUTTER_TAIL, 1)

    def _pieces(self, line: int) -> int:
        """Rows that a wrapped line takes; not more than half a screen, or it would hide all others."""
        wanted = -(-cell_len(self.text_of(line)) // self._room)
        return max(1, min(wanted, max(self.window.height // 2, 1)))

    def _begins(self, line: int) -> int:
        """First character shown of a line on several rows: what matters is in sight, where that is not all of it."""
        if line != self.cursor or not self.window.is_whole(line):
            return 0
        if self._revealed is not None:
            return self._revealed
        return first_shown(self.text_of(line), self._pieces(line) * self._room) if formats_are_loaded() else 0

    def render_line(self, y: int) -> Strip:
        """A row of the screen, and its piece of the scroll bar."""
        rows, width = self.window.rows(), self.size.width - 1
        if y >= len(rows):
            return Strip.blank(width + 1, self._look.base)
        line, piece = rows[y]
        text = self._pages.line(line) if self._pages else None
        strip = self._painter.strip(line, text, self.cursor, self._digits, self._look.base)
        ground = self._painter.ground(line, self.cursor, self._look.base)
        whole = Strip([*self._head(strip, line, piece, ground), *self._body(strip, line, piece, ground)])
        bar = Segment(self._bar(y), self._look.base + self._look.ink("gutter"))
        return Strip([*whole.adjust_cell_length(width, ground), bar])

    def _head(self, strip: Strip, line: int, piece: int, ground: Style) -> Iterator[Segment]:
        """The number and what is folded; `…` where the beginning of the text is not shown."""
        gutter, prefix = self._digits + GUTTER_TAIL, self._prefix(line)
        if piece:
            yield Segment(" " * gutter, ground)
            return
        is_cut = bool(self._begins(line) if self.window.is_whole(line) else self.column)
        yield from strip.crop(0, gutter - (is_cut and not prefix.label))
        if is_cut or prefix.label:
            label = f"{prefix.label}{'…' if is_cut else ' '}"
            yield Segment(label, ground + self._look.ink("gutter"))

    def _body(self, strip: Strip, line: int, piece: int, ground: Style) -> Iterator[Segment]:
        """What there is room for of the text; `…` where it goes on past the last column."""
        room, is_whole, prefix = self._room, self.window.is_whole(line), self._prefix(line)
        begins = self._begins(line) + piece * room if is_whole else prefix.chars + self.column
        room -= len(prefix.label) + 1 if prefix.label else 0
        start = self._digits + GUTTER_TAIL + begins
        goes_on = strip.cell_length > start + room and (not is_whole or piece == self._pieces(line) - 1)
        yield from strip.crop(start, start + room - goes_on)
        if goes_on:
            yield Segment("…", ground + self._look.ink("gutter"))

    def _bar(self, y: int) -> str:
        """`█` where in the file the screen is."""
        height, shown = self.size.height, self.window.shown
        span = shown.count - height
        at = round(shown.row(self.window.top) / span * (height - 1)) if span > 0 else -1
        return "█" if y == min(at, height - 1) else " "

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
        """A step to the side, the line under the cursor too; 0 for the start of the lines.

        Left of what lines say lie the prefixes that are folded where room is short.
        """
        if self.window.is_whole(self.cursor):
            wanted = self._begins(self.cursor) + direction * SIDE_STEP if direction else 0
            self._revealed = max(0, min(wanted, len(self.text_of(self.cursor)) - 1))
        at_start = not self.column or not direction
        if self._is_narrow and at_start and self._folds == (direction <= 0):
            self._folds = direction > 0
            self.column = 0
        elif not self.window.wrapped:
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
