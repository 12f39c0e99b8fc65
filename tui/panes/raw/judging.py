"""Judge all lines of a file by rules, from a line on and round, in batches that can be cancelled; which lines are left.

What is kept is a bit per line; what is read is a block at a time, whatever the file's size. A *row* counts the shown
lines from 0; a *line* is a line's number in the file, from 1. A hundred million lines take 12 MB at most, and stretches
without a shown line take nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from logtui.parsers.files.lines import LineReader
from logtui.parsers.prefix.writers import Labels, marked_lines
from logtui.tui.panes.raw.expressions import LineRules, OtherRanks
from logtui.tui.panes.raw.line_search import Runner, file_blocks, inline, matching_lines

CHUNK = 1 << 16
"""Lines whose bits are kept together."""

Mask = npt.NDArray[np.bool_]
_Bits = npt.NDArray[np.uint8]

TOLD_S = 0.1
"""Batches are handed over no more often than that, the first one at once."""
BATCH_LINES = 1 << 20


class ShownLines(Protocol):
    """Rows to lines and back."""

    @property
    def count(self) -> int:
        """Rows."""

    def lines(self, row: int, count: int) -> list[int]:
        """The lines on up to `count` rows from one on."""

    def row(self, line: int) -> int:
        """The row of a line; of the next shown line where it is hidden, `count` where none follows."""


class ChosenLines:
    """Lines that were chosen; more may be chosen at any time."""

    def __init__(self) -> None:
        self._chunks: dict[int, _Bits] = {}
        self._counts = np.zeros(16, np.int64)
        self._before: npt.NDArray[np.int64] | None = None
        """Shown lines before each chunk, and in all; None once a chunk changed."""
        self._pinned: int | None = None

    @property
    def count(self) -> int:
        """Rows: the lines chosen, and the pinned one."""
        return int(self._totals()[-1])

    @property
    def chosen(self) -> int:
        """Lines chosen."""
        return self.count - (self._pinned is not None)

    @property
    def kept_bytes(self) -> int:
        """What the bits take."""
        return sum(bits.nbytes for bits in self._chunks.values())

    def choose(self, first: int, chosen: Mask) -> None:
        """Set for the lines from `first` on which of them are shown."""
        at = first - 1
        while len(chosen):
            chunk, begin = divmod(at, CHUNK)
            here = chosen[: CHUNK - begin]
            bits = self._unpacked(chunk)
            if here.any() or bits.any():
                bits[begin : begin + len(here)] = here
                self._keep(chunk, bits)
            at, chosen = at + len(here), chosen[len(here) :]
        if self._pinned is not None:
            self.pin(self._pinned, again=True)

    def pin(self, line: int | None, *, again: bool = False) -> None:
        """Show a line though it was not chosen, and no longer the one that was pinned before."""
        if self._pinned is not None and not again:
            self._set(self._pinned, False)
        self._pinned = line if line is not None and not self.shows(line) else None
        if self._pinned is not None:
            self._set(self._pinned, True)

    def _set(self, line: int, shown: bool) -> None:
        chunk, at = divmod(line - 1, CHUNK)
        bits = self._unpacked(chunk)
        bits[at] = shown
        self._keep(chunk, bits)

    def shows(self, line: int) -> bool:
        """Whether a line is shown."""
        chunk, at = divmod(line - 1, CHUNK)
        bits = self._chunks.get(chunk)
        return bits is not None and bool(bits[at >> 3] >> (7 - (at & 7)) & 1)

    def lines(self, row: int, count: int) -> list[int]:
        """The lines on up to `count` rows from one on."""
        before, found = self._totals(), []
        row, last = max(row, 0), min(row + count, self.count)
        while row < last:
            chunk = int(np.searchsorted(before, row, "right")) - 1
            at = row - int(before[chunk])
            here = np.flatnonzero(self._unpacked(chunk))[at : at + last - row] + chunk * CHUNK + 1
            found += here.tolist()
            row += len(here)
        return found

    def row(self, line: int) -> int:
        """The row of a line, or of the next one that is shown."""
        chunk, at = divmod(max(line, 1) - 1, CHUNK)
        before = self._totals()
        if chunk + 1 >= len(before):
            return int(before[-1])
        return int(before[chunk]) + int(np.count_nonzero(self._unpacked(chunk)[:at]))

    def _unpacked(self, chunk: int) -> Mask:
        bits = self._chunks.get(chunk)
        return np.zeros(CHUNK, np.bool_) if bits is None else np.unpackbits(bits).view(np.bool_)

    def _keep(self, chunk: int, lines: Mask) -> None:
        while chunk >= len(self._counts):
            self._counts = np.concatenate((self._counts, np.zeros_like(self._counts)))
        self._counts[chunk] = np.count_nonzero(lines)
        self._before = None
        if self._counts[chunk]:
            self._chunks[chunk] = np.packbits(lines)
        else:
            self._chunks.pop(chunk, None)

    def _totals(self) -> npt.NDArray[np.int64]:
        if self._before is None:
            self._before = np.concatenate((np.zeros(1, np.int64), np.cumsum(self._counts)))
        return self._before


def chosen_ranges(ranges: Iterable[tuple[int, int]]) -> ChosenLines:
    """The lines of some ranges: (first, how many)."""
    chosen = ChosenLines()
    for first, count in ranges:
        chosen.choose(first, np.ones(count, np.bool_))
    return chosen


@dataclass(frozen=True, slots=True)
class Judged:
    """A stretch of lines."""

    first: int
    shown: Mask
    """For each line from `first` on whether it is shown."""
    hits: tuple[int, ...]
    """Lines that each rule matched."""
    others: int
    """Lines of other ranks."""
    unsigned: int
    """Lines that do not say who wrote them."""
    bytes_done: int = 0
    bytes_total: int = 0


@dataclass(frozen=True, slots=True)
class JudgeJob:
    """Judges lines by rules."""

    rules: LineRules
    labels: Labels

    def __call__(self, text: str, line: int) -> Judged:
        """What the rules say of each."""
        return _judge(text, line, self.rules, self.labels)


def judge_lines(
    reader: LineReader,
    rules: LineRules,
    labels: Labels,
    start: int,
    cancelled: Callable[[], bool] = lambda: False,
    run: Runner = inline,
) -> Iterator[Judged]:
    """Yield what the rules say of each line, first of those from line `start` to the end, then of those before it.

    Raises:
        Overtime: if an expression takes too long, where `run` minds that.
    """
    pending: list[Judged] = []
    told = 0.0
    for block, answer in run(JudgeJob(rules, labels), file_blocks(reader, start), cancelled):
        judged = replace(answer, bytes_done=block.bytes_done, bytes_total=block.bytes_total)
        if pending and pending[-1].first + len(pending[-1].shown) != judged.first:
            yield _joined(pending)
            pending = []
        pending.append(judged)
        if time.monotonic() - told >= TOLD_S or sum(len(p.shown) for p in pending) >= BATCH_LINES:
            yield _joined(pending)
            pending, told = [], time.monotonic()
    if pending:
        yield _joined(pending)


def _joined(batches: list[Judged]) -> Judged:
    return Judged(
        batches[0].first,
        np.concatenate([b.shown for b in batches]),
        tuple(sum(column) for column in zip(*(b.hits for b in batches), strict=True)),
        sum(b.others for b in batches),
        sum(b.unsigned for b in batches),
        batches[-1].bytes_done,
        batches[-1].bytes_total,
    )


def _judge(text: str, line: int, rules: LineRules, labels: Labels) -> Judged:
    lines = text.count("\n") + (not text.endswith("\n"))
    wanted = None if any(not rule.out for rule in rules.rules) else np.ones(lines, np.bool_)
    refused, hits = np.zeros(lines, np.bool_), []
    for rule in rules.rules:
        matched = np.zeros(lines, np.bool_)
        matched[np.fromiter(matching_lines(rule.regex, text, 0), np.int64)] = True
        hits.append(int(np.count_nonzero(matched)))
        if rule.out:
            refused |= matched
        else:
            wanted = matched if wanted is None else wanted | matched
    assert wanted is not None, "with a rule for lines to show there is a set of them"
    others, unsigned = _others(text, lines, rules, labels)
    shown = wanted & ~refused
    if rules.others is OtherRanks.HIDDEN:
        shown &= ~others
    return Judged(line, shown, tuple(hits), int(np.count_nonzero(others)), unsigned)


def _others(text: str, lines: int, rules: LineRules, labels: Labels) -> tuple[Mask, int]:
    """The lines of other ranks than the wanted one, and how many lines do not say whose they are."""
    others = np.zeros(lines, np.bool_)
    if rules.others is OtherRanks.SHOWN:
        return others, 0
    marked = list(marked_lines(text, labels))
    if not marked:
        return others, lines
    places, ranks = np.array(marked, np.int64).T
    ends = (
        np.array([i for i, sign in enumerate(text) if sign == "\n"], np.int64)
        if not text.isascii()
        else (np.flatnonzero(np.frombuffer(text.encode("ascii"), np.uint8) == 10))
    )
    at = np.searchsorted(ends, places)
    others[at[ranks != rules.rank]] = True
    return others, lines - len(np.unique(at))
