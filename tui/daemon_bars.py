"""The daemons' files as bars of glyphs over a common time axis: which glyph stands in which column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from logtui.tui.timeline_scale import Scale

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
        shown = (b for b in self.picker.rows[daemon].bars if b.name == self.file and _about(b, self.time))
        return next(shown, None) or self.picker.at(self.time)[daemon]


def _about(bar: Bar, time: float) -> bool:
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
