"""Two ranks side by side, aligned by time."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from logtui.tui.case_view import CaseView
from logtui.tui.cited_text import without_prefix
from logtui.tui.messages import LineChosen
from logtui.tui.printable import printable
from logtui.tui.side_by_side import Pair, TimedLine, aligned, lines_of_rank
from logtui.tui.widgets.key_line import KeyLine
from logtui.tui.widgets.row_list import Cells, RowList
from logtui.tui.wording import time_text

TIME_WIDTH = 9


class PairList(RowList):
    """A time, then what either rank wrote then."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.pairs: list[Pair] = []
        self.column = 0
        self.on_right = False

    def cells(self, row: int, width: int) -> Cells:
        """One row."""
        pair, room = self.pairs[row], max((width - TIME_WIDTH - 3) // 2, 1)
        said = row > 0 and time_text(pair.time) == time_text(self.pairs[row - 1].time)
        return [
            (f"{'' if said else time_text(pair.time):<{TIME_WIDTH}}", "dim"),
            (self._text(pair.left, room), "" if self.on_right else "bold"),
            (" │ ", "dim"),
            (self._text(pair.right, room), "bold" if self.on_right else ""),
        ]

    def _text(self, line: TimedLine | None, room: int) -> str:
        text = without_prefix(line.text) if line else ""  # time and rank stand beside it
        return f"{text[self.column : self.column + room]:<{room}}"


class CompareScreen(Screen[LineChosen | None]):
    """What two ranks did at the same time; its result is the line to go to."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "side", "Other side", key_display="tab", id="compare.side"),
        Binding("n", "other(1)", "Next rank", id="compare.next", tooltip="Another rank on the right"),
        Binding("N", "other(-1)", "Previous rank", show=False, id="compare.previous"),
        Binding("right,l", "scroll(16)", "Scroll right", show=False, id="compare.right"),
        Binding("left,h", "scroll(-16)", "Scroll left", show=False, id="compare.left"),
        Binding("escape,q,vertical_line", "dismiss(None)", "Close", id="compare.close"),
    ]

    @dataclass
    class Read(Message):
        """The lines of both are there."""

        other: int
        pairs: list[Pair]

    def __init__(self, view: CaseView, rank: int, other: int, moment: float, file: str | None) -> None:
        super().__init__()
        self._view, self._rank, self._moment, self._file = view, rank, moment, file
        self.other = other
        """The rank on the right."""

    def compose(self) -> ComposeResult:
        """Who, rows, keys."""
        yield Static(id="compare-head", markup=False)
        yield PairList(id="compare-list")
        yield KeyLine()

    @property
    def listed(self) -> PairList:
        """The rows."""
        return self.query_one(PairList)

    def on_mount(self) -> None:
        """Read both."""
        self.listed.focus()
        self._head("reading…")
        self.read_lines(self.other)

    def _head(self, note: str = "") -> None:
        names = [self._who(rank, side) for rank, side in ((self._rank, False), (self.other, True))]
        self.query_one("#compare-head", Static).update(f"{' │ '.join(names)}   {note}")

    def _who(self, rank: int, right: bool) -> str:
        state = self._view.states.get(rank)
        where = f" {printable(state.host)}" if state and state.host else ""
        mark = "▶ " if self.listed.on_right == right else ""
        return f"{mark}rank {rank}{where} · {self._view.status(rank).replace('_', ' ')}"

    @work(thread=True, exclusive=True, exit_on_error=False, group="compare", name="read-ranks", description="-")
    def read_lines(self, other: int) -> None:
        """Read what both wrote around the moment."""
        mine = lines_of_rank(self._view, self._rank, self._moment, self._file)
        theirs = lines_of_rank(self._view, other, self._moment)
        self.post_message(self.Read(other, aligned(mine, theirs)))

    def on_compare_screen_read(self, message: Read) -> None:
        """Show the rows, the moment under the cursor."""
        if message.other != self.other:
            return
        listed = self.listed
        listed.pairs = message.pairs
        listed.show_rows(len(message.pairs))
        if message.pairs:
            listed.move_to(bisect_left([pair.time for pair in message.pairs], self._moment))
        self._head("" if message.pairs else "neither has a line with a time around this moment")

    def action_side(self) -> None:
        """Enter opens lines of the other side."""
        self.listed.on_right = not self.listed.on_right
        self.listed.refresh()
        self._head()

    def action_other(self, direction: int) -> None:
        """Another rank on the right."""
        ranks = [rank for rank in self._view.ranks if rank != self._rank]
        at = ranks.index(self.other) if self.other in ranks else -1
        self.other = ranks[(at + direction) % len(ranks)]
        self._head("reading…")
        self.read_lines(self.other)

    def action_scroll(self, columns: int) -> None:
        """Both to the side."""
        self.listed.column = max(self.listed.column + columns, 0)
        self.listed.refresh()

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Enter opens the line."""
        message.stop()
        if not message.opened or not self.listed.pairs:
            return
        pair = self.listed.pairs[message.row]
        line = (pair.right if self.listed.on_right else pair.left) or pair.left or pair.right
        rank = self.other if line is pair.right else self._rank
        if line is not None:
            self.dismiss(LineChosen(line.file, line.line, rank, line.time, f"beside rank {self.other}", opened=True))


def companion(view: CaseView, rank: int) -> int | None:
    """The rank it is best compared with: for an odd one any that is not, else the oddest."""
    odd = view.outliers
    others = [r for r in view.ranks if r not in odd and r != rank] if rank in odd else [r for r in odd if r != rank]
    return next(iter((*others, *(r for r in view.ranks if r != rank))), None)
