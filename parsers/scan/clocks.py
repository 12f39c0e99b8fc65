"""The time of the nearest line before, for many lines of a block at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from logtui.parsers.prefix.stamp import Stamp, TimeFrom, heir_of
from logtui.parsers.scan.blocks import COMPARED, CONTEXT, TextBlock

Numbers = npt.NDArray[np.int64]
Times = npt.NDArray[np.float64]
Sources = npt.NDArray[np.uint8]
_COLON, _ZERO = ord(":"), ord("0")


class Clocks:
    """The lines of a block, and of what stands before it, that hold a time of day."""

    def __init__(self, block: TextBlock, clocks: Numbers, read: Callable[[bytes], Stamp | None]) -> None:
        """`clocks` are where times of day stand, some or more; `read` gives the stamp of a line."""
        self._block, self._read = block, read
        signs = np.frombuffer(block.buffer, np.uint8)
        context = np.flatnonzero(signs[block.context : block.begin] == 10) + block.context
        self._edges = np.concatenate((context, block.newlines))
        """The newlines that can be seen: a line begins behind each."""
        from_start = block.offset == block.begin - block.context
        if from_start:
            self._edges = np.concatenate(([block.context - 1], self._edges))
        self._file_start = block.context if from_start else -1
        lines = np.searchsorted(self._edges, clocks) - 1
        self._lines = lines[np.diff(lines, prepend=-1) > 0]
        self._begins = self._edges[self._lines] + 1
        self._known: dict[int, Stamp | None] = {}

    def before(self, begins: Numbers) -> tuple[Times, Sources]:
        """For lines by their first bytes, the time of the nearest one before that has one, as far as it can be seen,
        and where it is from."""
        times = np.full(len(begins), np.nan)
        sources = np.full(len(begins), TimeFrom.NONE, np.uint8)
        left, at = np.arange(len(begins)), np.searchsorted(self._begins, begins) - 1
        floor = np.maximum(self._block.context, begins - CONTEXT)
        floor -= floor == self._file_start
        while True:
            seen = (at >= 0) & (self._begins[at] > floor[left]) if len(self._begins) else np.zeros(len(at), np.bool_)
            left, at = left[seen], at[seen]
            if not len(left):
                return times, sources
            some, which = np.unique(at, return_inverse=True)
            stamps = [self._stamp(one) for one in some.tolist()]
            times[left] = np.array([s.epoch if s else np.nan for s in stamps])[which]
            sources[left] = np.array([heir_of(s.source) if s else TimeFrom.NONE for s in stamps], np.uint8)[which]
            bare = sources[left] == TimeFrom.NONE
            left, at = left[bare], at[bare] - 1

    def _stamp(self, at: int) -> Stamp | None:
        if at not in self._known:
            begin, line = int(self._begins[at]), int(self._lines[at]) + 1
            end = int(self._edges[line]) if line < len(self._edges) else self._block.end
            self._known[at] = self._read(bytes(memoryview(self._block.buffer)[begin:end]))
        return self._known[at]


def find_clocks(block: TextBlock) -> Numbers:
    """Where a time of day stands in a block or before it, `00:00:00` but for its digits: its first colon."""
    signs, begin, end = np.frombuffer(block.buffer, np.uint8), block.context + 2, block.end - 6
    found = [at + _pairs(signs[at : min(at + COMPARED, end) + 3]) for at in range(begin, end, COMPARED)]
    at = np.concatenate([np.empty(0, np.int64), *found])
    for step in (-2, -1, 1, 2, 4, 5):
        at = at[signs[at + step] - np.uint8(_ZERO) <= 9]
    return at


def _pairs(signs: npt.NDArray[np.uint8]) -> Numbers:
    """Where a colon stands, and another one three bytes behind it."""
    colons = signs == _COLON
    return np.flatnonzero(colons[:-3] & colons[3:])
