"""Which lines of a file are shown: all of them, or those that filters left over, as one bit per line.

A *row* counts the shown lines from 0; a *line* is a line's number in the file, from 1. A hundred million lines take
12 MB at most, and stretches without a shown line take nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np
import numpy.typing as npt

CHUNK = 1 << 16
"""Lines whose bits are kept together."""

Mask = npt.NDArray[np.bool_]
_Bits = npt.NDArray[np.uint8]


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
