"""Lines of two ranks beside each other, aligned by time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from logtui.parsers.clean import clean
from logtui.parsers.stamp import stamp_near
from logtui.tui.case_view import CaseView
from logtui.tui.line_pages import drawable

if TYPE_CHECKING:
    from logtui.parsers.lines import LineReader

AROUND = 400
"""Lines of a rank before and after the moment, at most."""
READ_LINES = 4000
"""Lines of its file looked at for those, in either direction."""
PROBED_LINES = 60
HEAD_CHARS = 200


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
    from logtui.parsers.writers import labels_of, owner  # not before the first frame

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
