"""The daemons, a row each: files as bars of glyphs over a common time axis, and those of one daemon as a list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from logtui.tui.shared.timeline_scale import Scale, axis
from logtui.tui.shared.wording import printable, shortened, time_text
from logtui.tui.widgets.row_list import Cells, ComponentStyles, RowList

if TYPE_CHECKING:  # numpy comes with it: the first frame must not wait for that
    from logtui.diagnosis.storage.panels import Bar, Picker, Row

CHOSEN, FILE, RESTART, WINDOW, NOTHING = "█", "▄", "╎", "░", " "
"""A file at the time cursor, any other, a new process, the failure where no file is, and neither."""
FILE_BEGINS = "▗"
GAPS = {"rotated away": "╱", "not collected": "╲", "down": "┄"}
STYLES = {CHOSEN: "chosen", FILE: "file", FILE_BEGINS: "file", RESTART: "restart", WINDOW: "window", NOTHING: ""}
LEGEND = (
    (CHOSEN, "at the cursor"), (FILE, "file"), (RESTART, "restart"), (GAPS["rotated away"], "rotated away"),
    (GAPS["not collected"], "not collected"), (GAPS["down"], "down"), (WINDOW, "failure"),
)  # fmt: skip

BUFFERED_S = 30.0
"""Records are at most so much older than the header of their file."""
MARGIN = 0.15
"""Shown on either side of the failure, as a share of it."""

LABEL_WIDTH = 14
BLAMED = "◆"
"""Before the daemons that the verdict names."""
OPENINGS = {"started": RESTART, "rotated": " ", "duplicate": "="}
NARROW, WIDE = 60, 100
"""Below, a glyph stands for how a file begins; from the other on there is room for what each time derives from."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the rows show: all of it follows from the case, but for the cursor and whether they are narrowed."""

    picker: Picker
    time: float | None
    """The time cursor, on the workers' clock."""
    narrow: bool = False
    """Only files that hold a part of the failure window."""
    file: str | None = None
    """The file that the raw viewer shows."""

    def bars(self, row: Row) -> tuple[Bar, ...]:
        """A daemon's files, or those of them that cover the failure."""
        return tuple(b for b in row.bars if b.covers) if self.narrow else row.bars

    def at_cursor(self, daemon: int) -> Bar | None:
        """The file of a daemon that covers the time cursor.

        That is the one shown, if its header is hardly younger: records that were buffered when a file rotated are
        written to the next one.
        """
        if self.time is None:
            return None
        shown = (b for b in self.picker.rows[daemon].bars if b.name == self.file and _is_about(b, self.time))
        return next(shown, None) or self.picker.at(self.time)[daemon]


def _is_about(bar: Bar, time: float) -> bool:
    return bar.start is not None and bar.end is not None and bar.start - BUFFERED_S <= time <= bar.end


def failure_span(picker: Picker) -> tuple[float, float]:
    """The time axis round the failure; that of all files where no failure is known."""
    if picker.window is None:
        return picker.start, picker.end
    start, end = picker.window
    margin = max((end - start) * MARGIN, 1.0)
    return start - margin, end + margin


def columns(shown: Shown, daemon: int, scale: Scale) -> str:
    """One glyph per column for one daemon."""
    row = shown.picker.rows[daemon]
    cells = [NOTHING] * scale.width
    _fill(cells, scale, shown.picker.window, WINDOW)
    for gap in row.gaps:
        start = scale.start if gap.start is None else gap.start
        _fill(cells, scale, (start, scale.end if gap.end is None else gap.end), GAPS.get(gap.why, NOTHING))
    chosen = shown.at_cursor(daemon)
    for bar in _drawn_in_order(shown.bars(row), chosen):
        _draw(cells, scale, bar, CHOSEN if bar is chosen else FILE)
    for restart in row.restarts:
        if scale.holds(restart):
            cells[_within(scale.column(restart), scale)] = RESTART
    return "".join(cells)


def _drawn_in_order(bars: Sequence[Bar], chosen: Bar | None) -> list[Bar]:
    """ERROR files and duplicates below the others, which say more; the one at the cursor on top."""
    dated = [b for b in bars if b.start is not None and b.end is not None]
    return sorted(dated, key=lambda b: (b is chosen, b.level == "INFO" and not b.duplicate_of))


def _draw(cells: list[str], scale: Scale, bar: Bar, glyph: str) -> None:
    assert bar.start is not None, "only dated files are drawn"
    assert bar.end is not None, "only dated files are drawn"
    _fill(cells, scale, (bar.start, bar.end), glyph)
    first, last = scale.column(bar.start), scale.column(bar.end)
    if glyph == FILE and 0 <= first < min(last, scale.width):
        cells[first] = FILE_BEGINS


def _fill(cells: list[str], scale: Scale, times: tuple[float, float] | None, glyph: str) -> None:
    if times is None or times[1] < scale.start or times[0] > scale.start + scale.span:
        return
    first, last = (_within(scale.column(t), scale) for t in times)
    cells[first : last + 1] = glyph * (last + 1 - first)


def _within(column: int, scale: Scale) -> int:
    return max(0, min(column, scale.width - 1))


def runs(glyphs: str, first: int, window: tuple[int, int] | None, cursor: int | None) -> Iterable[tuple[str, str]]:
    """Glyphs as (text, style); those within the failure and the one under the cursor have styles of their own."""
    styled = [(glyph, _style(glyph, first + n, window, cursor)) for n, glyph in enumerate(glyphs)]
    for style, run in groupby(styled, key=lambda pair: pair[1]):
        yield "".join(glyph for glyph, _ in run), style


def _style(glyph: str, column: int, window: tuple[int, int] | None, cursor: int | None) -> str:
    if column == cursor:
        return "time"
    if window is not None and window[0] <= column <= window[1] and glyph in (FILE, FILE_BEGINS, CHOSEN):
        return "failing"
    return STYLES.get(glyph, "gap")


def window_columns(shown: Shown, scale: Scale) -> tuple[int, int] | None:
    """First and last column of the failure, None where it is out of sight."""
    window = shown.picker.window
    if window is None or window[1] < scale.start or window[0] > scale.start + scale.span:
        return None
    return _within(scale.column(window[0]), scale), _within(scale.column(window[1]), scale)


def bracket(window: tuple[int, int] | None, width: int) -> str:
    """`├─ failure ─┤` above the columns of the failure."""
    if window is None:
        return " " * width
    first, last = window
    room = last - first - 1
    inside = " failure ".center(room, "─") if room >= 9 else "─" * max(room, 0)
    drawn = f"├{inside}┤" if last > first else "┴"
    note = "" if room >= 9 else " failure" if last + 8 < width else ""
    return (" " * first + drawn + note)[:width].ljust(width)


class DaemonAxis(Widget):
    """Times along the top, and where the failure lies."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"daemon-axis--times", "daemon-axis--window", "daemon-axis--head"}

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: Shown | None = None
        self._scale: Scale | None = None
        self._indent, self._head = LABEL_WIDTH, ""
        self._look = ComponentStyles(self, "daemon-axis")

    def show(self, shown: Shown, scale: Scale, indent: int = LABEL_WIDTH, head: str = "") -> None:
        """Draw this axis from a column on; `head` stands to the left of it."""
        drawn = (self._shown and self._shown.picker.window, self._scale, self._indent, self._head)
        if (shown.picker.window, scale, indent, head) != drawn:
            self._shown, self._scale, self._indent, self._head = shown, scale, indent, head
            self.refresh()

    def notify_style_update(self) -> None:
        """Forget the styles of another theme."""
        super().notify_style_update()
        self._look.clear()

    def render_line(self, y: int) -> Strip:
        """Times, then the failure."""
        width, base = self.size.width, self._look.base
        if self._shown is None or self._scale is None or y > 1:
            return Strip.blank(width, base)
        window = window_columns(self._shown, self._scale)
        text = axis(self._scale) if y == 0 else bracket(window, self._scale.width)
        ink = self._look.ink("times" if y == 0 else "window")
        drawn = text.lstrip()  # blanks by themselves: pictures of the screen stretch what begins with them
        head = shortened(self._head, self._indent) if y == 0 else ""
        blank = " " * (self._indent + len(text) - len(drawn) - len(head))
        named = [Segment(head, base + self._look.ink("head"))] if head else []
        segments = [*named, Segment(blank, base), Segment(drawn.rstrip(), base + ink)]
        return Strip(segments).adjust_cell_length(width, base)


class DaemonRows(RowList):
    """One row per daemon."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "row-list--file", "row-list--chosen", "row-list--failing", "row-list--restart", "row-list--gap",
        "row-list--window", "row-list--time",
    }  # fmt: skip

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Line", id="daemons.open", tooltip="The daemon's line at this time"),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.shown: Shown | None = None
        self.scale: Scale | None = None
        self.blamed: frozenset[str] = frozenset()

    @property
    def columns(self) -> int:
        """Columns that stand for time."""
        return max(self.scrollable_content_region.width - LABEL_WIDTH, 1)

    def count(self, daemons: int) -> None:
        """So many rows: known, and the cursor moved in them, before there is room to draw any."""
        if daemons != self.row_count:
            self.show_rows(daemons)
            self.refresh(layout=True)

    def show(self, shown: Shown, scale: Scale) -> None:
        """Draw these rows on this axis."""
        if (shown, scale) != (self.shown, self.scale):
            self.shown, self.scale = shown, scale
            self.show_rows(len(shown.picker.rows))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as there are daemons, where there is room."""
        return self.row_count

    def cells(self, row: int, width: int) -> Cells:
        """`◆ t[QvTbWmKe] ▗▄▄██████`."""
        if self.shown is None or self.scale is None:
            return []
        label = printable(self.shown.picker.rows[row].label)
        mark = BLAMED if label in self.blamed else " "
        time = self.shown.time
        cursor = self.scale.column(time) if time is not None and self.scale.holds(time) else None
        glyphs = columns(self.shown, row, self.scale)
        head = shortened(label, LABEL_WIDTH - 3).ljust(LABEL_WIDTH - 2)
        window = window_columns(self.shown, self.scale)
        return [(f"{mark} ", "error"), (head, "bold"), *runs(glyphs, 0, window, cursor)]


class DaemonFiles(RowList):
    """The files of the daemon under the cursor, by time; the one at the time cursor is marked."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", id="daemon-files.open"),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.bars: tuple[Bar, ...] = ()
        self._chosen: Bar | None = None

    def show(self, bars: tuple[Bar, ...], chosen: Bar | None) -> None:
        """List these files."""
        if (bars, chosen) == (self.bars, self._chosen):
            return
        self.bars, self._chosen = bars, chosen
        self.show_rows(len(bars))
        if chosen in bars and not self.has_focus:
            self.move_to(bars.index(chosen))
            self.call_after_refresh(self._scroll_to_cursor)  # where this is the first layout, nothing has a height yet

    def cells(self, row: int, width: int) -> Cells:
        """`█ aistarget.….INFO.…  23:02:11–00:40:10  started  ░failure`, as much of it as there is room for."""
        bar = self.bars[row]
        chosen = bar is self._chosen
        about = f"  {_times(bar, width)}  {_beginning(bar, width)}"
        room = max(width - len(about) - 2, 8)
        style = "bold" if chosen else "dim" if bar.duplicate_of else ""
        mark = (f"{CHOSEN if chosen else FILE} ", "bold" if chosen else "dim")
        return [mark, (_name(bar, room).ljust(room), style), (about, "dim")]


def _name(bar: Bar, room: int) -> str:
    """The file's own name: directory and archive are those of the daemon, as a rule."""
    whole = printable(bar.name if bar.line <= 1 else f"{bar.name}:{bar.line}")
    return whole if len(whole) <= room else shortened(re.split(r"[/!]", whole)[-1], room)


def _beginning(bar: Bar, width: int) -> str:
    """How the file begins, and whether it covers the failure."""
    if width < NARROW:
        return f"{OPENINGS[_opening(bar)]} {WINDOW if bar.covers else ' '}"
    return f"{_opening(bar):<9} {WINDOW + 'failure' if bar.covers else ' ' * 8}"


def _times(bar: Bar, width: int) -> str:
    start, end = time_text(bar.start, day=width >= WIDE), time_text(bar.end, day=width >= WIDE)
    if bar.start is None:
        return "undated".ljust(len(start) * 2 + 1)
    derived = f" ({bar.start_from} – {bar.end_from})" if width >= WIDE else ""
    return f"{start}–{end}{derived:<26}" if derived else f"{start}–{end}"


def _opening(bar: Bar) -> str:
    if bar.duplicate_of:
        return "duplicate"
    return "started" if bar.started else "rotated"
