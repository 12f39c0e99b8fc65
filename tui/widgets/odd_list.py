"""Odd lines one by one."""

from __future__ import annotations

from logtui.tui.odd_rows import SEVERE, OddRow
from logtui.tui.printable import printable
from logtui.tui.widgets.row_list import Cells, RowList
from logtui.tui.wording import shortened, time_text

WHO, NUMBER = 14, 9


class OddList(RowList):
    """Time, who, how often, what, and where."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: tuple[OddRow, ...] = ()

    def show(self, rows: tuple[OddRow, ...]) -> None:
        """Show these from the first one."""
        self.rows, self.cursor = rows, 0
        self.show_rows(len(rows))
        self.scroll_to(y=0, animate=False, force=True, immediate=True)

    def cells(self, row: int, width: int) -> Cells:
        """`15:42:03 ✖ rank 57   12×  what   file:line`, the place only where there is room for it."""
        one = self.rows[row]
        style = "error" if one.mark == SEVERE else ""
        cells = [
            (f"{time_text(one.evidence.time)} ", "dim"),
            (f"{one.mark} ", style),
            (f"{shortened(one.who, WHO):<{WHO}} ", "bold"),
            (f"{one.number:>{NUMBER}}  ", "dim"),
        ]
        place = printable(f"  {one.evidence.place}")
        room = width - sum(len(text) for text, _ in cells)
        if len(place) < room // 2:
            return [*cells, (one.text[: room - len(place)].ljust(room - len(place)), style), (place, "dim")]
        return [*cells, (one.text, style)]
