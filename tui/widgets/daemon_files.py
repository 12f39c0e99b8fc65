"""Every file of one daemon: when it begins and ends, and what says so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from logtui.tui.daemon_bars import CHOSEN, FILE, RESTART, WINDOW
from logtui.tui.printable import printable
from logtui.tui.widgets.row_list import Cells, RowList
from logtui.tui.wording import shortened, time_text

if TYPE_CHECKING:  # numpy comes with it: the first frame must not wait for that
    from logtui.diagnosis.storage.panels import Bar

OPENINGS = {"started": RESTART, "rotated": " ", "duplicate": "="}
NARROW, WIDE = 60, 100
"""Below, a glyph stands for how a file begins; from the other on there is room for what each time derives from."""


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
        about = f"  {_times(bar, width)}  {_about(bar, width)}"
        room = max(width - len(about) - 2, 8)
        style = "bold" if chosen else "dim" if bar.duplicate_of else ""
        mark = (f"{CHOSEN if chosen else FILE} ", "bold" if chosen else "dim")
        return [mark, (_name(bar, room).ljust(room), style), (about, "dim")]


def _name(bar: Bar, room: int) -> str:
    """The file's own name: directory and archive are those of the daemon, as a rule."""
    whole = printable(bar.name if bar.line <= 1 else f"{bar.name}:{bar.line}")
    return whole if len(whole) <= room else shortened(re.split(r"[/!]", whole)[-1], room)


def _about(bar: Bar, width: int) -> str:
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
