"""Two ranks side by side, aligned by time."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from logtui.parsers.clean import clean
from logtui.parsers.prefix.stamp import stamp_near
from logtui.parsers.prefix.writers import labels_of, owner
from logtui.tui.panes.raw.window import drawable
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.messages import LineChosen
from logtui.tui.shared.prefixes import without_prefix
from logtui.tui.shared.wording import printable, time_text
from logtui.tui.widgets.key_line import KeyLine
from logtui.tui.widgets.row_list import Cells, RowList

if TYPE_CHECKING:
    from logtui.parsers.files.lines import LineReader

AROUND = 400
"""Lines of a rank before and after the moment, at most."""
READ_LINES = 4000
"""Lines of its file looked at for those, in either direction."""
PROBED_LINES = 60
HEAD_CHARS = 200

TIME_WIDTH = 9


@dataclass(frozen=True, slots=True)
class TimedLine:
    """A line of one rank."""

    file: str
    line: int
    text: str
    time: float
    """Its own, or that of the line it follows."""
    own_time: bool


@dataclass(frozen=True, slots=True)
class Pair:
    """A row: what the two wrote at one moment; None where one was silent."""

    time: float
    left: TimedLine | None
    right: TimedLine | None


def lines_of_rank(view: CaseView, rank: int, moment: float, prefer: str | None = None) -> list[TimedLine]:
    """What a rank wrote around a moment, in the file where it says most; reads a few thousand lines."""
    case, state = view.case, view.states.get(rank)
    names = state.files if state else ()
    last = state.last_words.file if state and state.last_words else None
    name = next((n for n in (prefer, last, *names) if n is not None and n in (*names, last)), None)
    file = case.file_named(name) if case and name else None
    if case is None or file is None or name is None:
        return []
    labels, alone = labels_of(case, file.index), view.rank_of_file(name) == rank
    reader = case.new_reader(file.index)
    try:
        first = max(_line_at(reader, moment) - READ_LINES, 1)
        texts = [clean(raw) for raw in reader.lines(first, 2 * READ_LINES)]
    finally:
        reader.close()
    mine: list[TimedLine] = []
    known: float | None = None
    current: int | None = None
    for number, text in enumerate(texts, first):
        writer = owner(text, labels)
        stamp = _time(text, moment)
        if writer is not None or stamp is not None:
            current = writer
        known = stamp if stamp is not None else known
        if known is not None and (alone or current == rank):
            mine.append(TimedLine(name, number, drawable(text), known, stamp is not None))
    at = next((n for n, line in enumerate(mine) if line.time >= moment), len(mine))
    return mine[max(at - AROUND, 0) : at + AROUND]


def _time(text: str, near: float) -> float | None:
    stamp = stamp_near(text[:HEAD_CHARS], near)
    return stamp.epoch if stamp else None


def _line_at(reader: LineReader, moment: float) -> int:
    """About the first line at or after a moment, in a file whose times ascend: found by halving, not by reading."""
    low, high = 0, reader.size()
    while high - low > 1 << 16:
        middle = (low + high) // 2
        seen = _time_after(reader, middle, moment)
        if seen is None or seen >= moment:
            high = middle
        else:
            low = middle
    return reader.line_at(high)


def _time_after(reader: LineReader, offset: int, near: float) -> float | None:
    lines = reader.lines_from(offset, PROBED_LINES)[1:]
    return next((t for raw in lines if (t := _time(clean(raw), near)) is not None), None)


def aligned(left: list[TimedLine], right: list[TimedLine]) -> list[Pair]:
    """Both in the order of time; lines of the same second stand in one row, each in the order of its file."""
    return list(_merged(left, right))


def _merged(left: list[TimedLine], right: list[TimedLine]) -> Iterator[Pair]:
    a = b = 0
    while a < len(left) or b < len(right):
        mine = left[a] if a < len(left) else None
        other = right[b] if b < len(right) else None
        if mine is not None and other is not None and int(mine.time) == int(other.time):
            yield Pair(min(mine.time, other.time), mine, other)
            a, b = a + 1, b + 1
        elif other is None or (mine is not None and mine.time < other.time):
            assert mine is not None, "one of them is there"
            yield Pair(mine.time, mine, None)
            a += 1
        else:
            yield Pair(other.time, None, other)
            b += 1


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
