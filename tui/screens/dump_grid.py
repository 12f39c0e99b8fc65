"""Ranks × numbered operations: a cell each, two million of them without a wait. Only what is in sight is drawn.

Each cell has a glyph, words and a style, so that colour never stands alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from logtui.diagnosis.dumps.matrix import Cell, Matrix
from logtui.tui.widgets.row_list import ComponentStyles

_INKS = {
    "missing": "$rank-never-entered", "pending": "$rank-waiting", "done": "$rank-healthy", "odd": "$rank-ahead",
    "unknown": "$rank-silent",
}  # fmt: skip
HEAD_ROWS = 2
"""Numbers, and where the front is; they stay while the rest scrolls."""
TICK = 10
MAX_DIGITS = 20
MAX_STRIPS = 1024
"""Rows kept as drawn; a terminal shows a tenth of it."""
FRONT = "▼"


@dataclass(frozen=True, slots=True)
class CellLook:
    """One state as it is drawn."""

    glyph: str
    """One cell wide."""
    words: str
    css: str
    """Component class."""

    @property
    def ink(self) -> str:
        """Colour in a text, as a theme variable: that of the rank state nearest to it."""
        return _INKS[self.css]


LOOKS: dict[Cell, CellLook] = {
    Cell.MISSING: CellLook("◆", "not launched", "missing"),
    Cell.SCHEDULED: CellLook("■", "launched, not finished", "pending"),
    Cell.STARTED: CellLook("▶", "running on the device", "pending"),
    Cell.COMPLETED: CellLook("─", "finished", "done"),
    Cell.NO_DUMP: CellLook("×", "no dump", "unknown"),
    Cell.UNKNOWN: CellLook("?", "not known: the ring no longer holds it", "unknown"),
    Cell.NOTHING: CellLook(" ", "nothing launched", "unknown"),
}
"""Loudest first: the order of the legend."""
ODD = CellLook("≠", "another operation than most called", "odd")
"""Drawn over the state."""

GLYPHS = "".join(LOOKS[cell].glyph for cell in sorted(LOOKS)) + ODD.glyph
"""By number of the cell; the last one is for odd calls."""
STYLES = [*(LOOKS[cell].css for cell in sorted(LOOKS)), ODD.css]


class DumpGrid(ScrollView, can_focus=True, inherit_bindings=False):
    """A row per rank, a column per number. A row is drawn once and kept until the columns scroll."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "dump-grid--label", "dump-grid--odd-label", "dump-grid--ruler", "dump-grid--mark", "dump-grid--front",
        "dump-grid--cursor", *(f"dump-grid--{css}" for css in STYLES),
    }  # fmt: skip

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Entry", id="dumps.open", tooltip="Everything recorded of this operation"),
        Binding("left,h", "move(-1,0)", "Left", show=False, id="dumps.left"),
        Binding("right,l", "move(1,0)", "Right", show=False, id="dumps.right"),
        Binding("up,k", "move(0,-1)", "Up", show=False, id="dumps.up"),
        Binding("down,j", "move(0,1)", "Down", show=False, id="dumps.down"),
        Binding("ctrl+left,H", "page(-1,0)", "Screen left", show=False, id="dumps.page-left"),
        Binding("ctrl+right,L", "page(1,0)", "Screen right", show=False, id="dumps.page-right"),
        Binding("pageup,ctrl+b", "page(0,-1)", "Page up", show=False, id="dumps.page-up"),
        Binding("pagedown,ctrl+f", "page(0,1)", "Page down", show=False, id="dumps.page-down"),
        Binding("home,g", "edge(0)", "First rank", show=False, id="dumps.first"),
        Binding("end,G", "edge(-1)", "Last rank", show=False, id="dumps.last"),
        Binding("0", "front", "To the front", show=False, id="dumps.front"),
        Binding("n", "odd(1)", "Next odd rank", id="dumps.next-odd"),
        Binding("N", "odd(-1)", "Previous odd rank", show=False, id="dumps.previous-odd"),
    ]

    @dataclass
    class Moved(Message):
        """The cursor stands on another cell, or Enter was pressed on it."""

        row: int
        """Of the matrix."""
        column: int
        opened: bool = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.matrix: Matrix | None = None
        self.order: Sequence[int] = ()
        """Rows of the matrix in the order they are drawn."""
        self.place = 0
        """Where in that order the cursor is."""
        self.column = 0
        self._labels: Sequence[str] = ()
        self._label_width = 0
        self._oddness: dict[int, int] = {}
        """Odd rows, and where in the order of their oddness."""
        self._strips: dict[tuple[int, int, int], Strip] = {}
        self._look = ComponentStyles(self, "dump-grid")
        self._styles: dict[tuple[int, bool], Style] = {}

    @property
    def front(self) -> int:
        """The column of the front; the last one where nothing hangs."""
        matrix = self.matrix
        if matrix is None or not matrix.seqs:
            return 0
        hung = matrix.hung_at
        return len(matrix.seqs) - 1 if hung is None else max(hung - matrix.seqs[0], 0)

    @property
    def row(self) -> int:
        """The row of the matrix under the cursor."""
        return self.order[self.place] if self.order else 0

    def show(self, matrix: Matrix, labels: Sequence[str], order: Sequence[int], row: int) -> None:
        """Show a group with the cursor on a row of it, at the front. `labels` are those of the matrix's rows."""
        self.matrix, self._labels, self.order = matrix, labels, order
        self._label_width = max(map(len, labels), default=0) + 3
        self._oddness = {odd: n for n, odd in enumerate(matrix.odd_rows)}
        self._strips.clear()
        self.column = self.front
        self.place = order.index(row) if row in order else 0
        self._measure()
        self.refresh()
        self.call_after_refresh(self._reveal)  # scroll bars that appear now take their room first

    def _measure(self) -> None:
        columns = len(self.matrix.seqs) if self.matrix else 0
        self.virtual_size = Size(self._label_width + columns, len(self.order) + HEAD_ROWS)
        self._reveal()

    @property
    def _across(self) -> int:
        """Cells of one row in sight."""
        return max(self.scrollable_content_region.width - self._label_width, 1)

    @property
    def _down(self) -> int:
        """Ranks in sight."""
        return max(self.scrollable_content_region.height - HEAD_ROWS, 1)

    def _reveal(self) -> None:
        """Scroll the cursor into sight."""
        x, y = (int(at) for at in self.scroll_offset)
        if not self.size:
            return
        if not x <= self.column < x + self._across:
            x = max(0, self.column - self._across * 2 // 3)
        if not y <= self.place < y + self._down:
            y = max(0, self.place - self._down // 2)
        self.scroll_to(x=x, y=y, animate=False, force=True, immediate=True)

    def on_resize(self, event: events.Resize) -> None:
        """Keep the cursor in sight."""
        self._measure()

    def notify_style_update(self) -> None:
        """Forget what was drawn in another theme."""
        super().notify_style_update()
        self._look.clear()
        self._styles.clear()
        self._strips.clear()

    def render_line(self, y: int) -> Strip:
        """The head, or one rank."""
        width, base = self.scrollable_content_region.width, self._look.base
        left, top = (int(at) for at in self.scroll_offset)
        place = y - HEAD_ROWS + top
        if self.matrix is None or place >= len(self.order):
            return Strip.blank(width, base)
        if y < HEAD_ROWS:
            return self._head(y, left, width).adjust_cell_length(width, base)
        key = (self.order[place], left, width)
        if key not in self._strips:
            if len(self._strips) >= MAX_STRIPS:
                self._strips.clear()
            self._strips[key] = self._build(self.order[place], left).adjust_cell_length(width, base)
        return self._with_cursor(self._strips[key], left) if place == self.place else self._strips[key]

    def _head(self, y: int, left: int, width: int) -> Strip:
        """Numbers above some columns; the front, and the column of the cursor."""
        assert self.matrix is not None
        signs = self._numbers(self.matrix.seqs, left) if y == 0 else self._marks(left)
        line = [" "] * (width + MAX_DIGITS)
        for column, text in signs.items():
            at = self._label_width + column - left
            line[at : at + len(text)] = text
        drawn = "".join(line[:width])
        blank = len(drawn) - len(drawn.lstrip())
        base = self._look.base
        ink = base + self._look.ink("ruler" if y == 0 else "mark")
        return Strip([Segment(" " * blank, base), Segment(drawn[blank:], ink)])

    def _numbers(self, seqs: Sequence[int], left: int) -> dict[int, str]:
        """The number of every tenth column in sight, and of the first one where there is room for it."""
        shown = seqs[left : left + self._across]
        if not shown:
            return {}
        ticks = {left + n: str(seq) for n, seq in enumerate(shown) if seq % TICK == 0}
        room = min(ticks, default=left + len(shown[0:TICK]) + MAX_DIGITS) - left
        return ticks | ({left: str(shown[0])} if room > len(str(shown[0])) else {})

    def _marks(self, left: int) -> dict[int, str]:
        assert self.matrix is not None
        marks = {self.column: "┊"} | ({self.front: FRONT} if self.matrix.hung_at is not None else {})
        return {column: mark for column, mark in marks.items() if left <= column < left + self._across}

    def _build(self, row: int, left: int) -> Strip:
        """Label and cells of one rank; equal neighbours share a segment."""
        assert self.matrix is not None
        odd, base = row in self._oddness, self._look.base
        label = ("▸ " if odd else "  ") + self._labels[row].ljust(self._label_width - 2)
        segments = [Segment(label, base + self._look.ink("odd-label" if odd else "label"))]
        span = slice(left, left + self._across)
        codes = self.matrix.cells[row, span].tolist()
        for at in self.matrix.odd[row, span].nonzero()[0].tolist():
            codes[at] = len(GLYPHS) - 1
        front = self.front - left if self.matrix.hung_at is not None else -1
        for (code, at_front), run in groupby(enumerate(codes), key=lambda cell: (cell[1], cell[0] == front)):
            segments.append(Segment(GLYPHS[code] * sum(1 for _ in run), self._cell_style(code, at_front)))
        return Strip(segments)

    def _cell_style(self, code: int, at_front: bool) -> Style:
        if (code, at_front) not in self._styles:
            style = self._look.base + self._look.ink(STYLES[code])
            self._styles[code, at_front] = style + self._look.ground("front") if at_front else style
        return self._styles[code, at_front]

    def _with_cursor(self, strip: Strip, left: int) -> Strip:
        at = self._label_width + self.column - left
        before, here, after = strip.crop(0, at), strip.crop(at, at + 1), strip.crop(at + 1)
        over: Style = self._look.ground("cursor")
        return Strip.join([before, here.apply_style(over), after])

    def _go(self, place: int, column: int) -> None:
        matrix = self.matrix
        if matrix is None or not self.order or not matrix.seqs:
            return
        place = min(max(place, 0), len(self.order) - 1)
        column = min(max(column, 0), len(matrix.seqs) - 1)
        if (place, column) == (self.place, self.column):
            return
        rows, moved = {self.place, place}, column != self.column
        self.place, self.column = place, column
        top, width = int(self.scroll_offset.y), self.size.width
        for y in (*(HEAD_ROWS + n - top for n in rows), *([1] if moved else [])):
            self.refresh(Region(0, y, width, 1))
        self._reveal()
        self.post_message(self.Moved(self.row, self.column))

    def action_move(self, dx: int, dy: int) -> None:
        """One cell along."""
        self._go(self.place + dy, self.column + dx)

    def action_page(self, dx: int, dy: int) -> None:
        """One screen along."""
        self._go(self.place + dy * self._down, self.column + dx * self._across)

    def action_edge(self, at: int) -> None:
        """The first or the last rank."""
        self._go(0 if at == 0 else len(self.order) - 1, self.column)

    def action_front(self) -> None:
        """To where the group hangs."""
        self._go(self.place, self.front)

    def action_odd(self, direction: int) -> None:
        """The next rank unlike most, loudest first, at the front."""
        if self._oddness:
            at = self._oddness[self.row] + direction if self.row in self._oddness else 0
            row = list(self._oddness)[at % len(self._oddness)]
            self._go(self.order.index(row), self.front)

    def action_open(self) -> None:
        """Ask for the entry under the cursor."""
        if self.order and self.matrix is not None and self.matrix.seqs:
            self.post_message(self.Moved(self.row, self.column, opened=True))

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor, a second one on the same cell opens it."""
        place = event.y - HEAD_ROWS + int(self.scroll_offset.y)
        column = event.x - self._label_width + int(self.scroll_offset.x)
        if event.y < HEAD_ROWS or not 0 <= place < len(self.order) or column < 0:
            return
        if (place, column) == (self.place, self.column):
            self.action_open()
        else:
            self._go(place, column)
