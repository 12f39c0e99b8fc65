"""Counting newlines at the speed of the cache."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_STEP = 1 << 17
"""Bytes compared at a time, so that neither they nor the result leave the cache."""
_FEW = 32
"""Places up to which single searches are faster than finding every newline."""
_SHORT = 2048
"""Bytes below which a plain count is faster than numpy's calls."""

Indices = npt.NDArray[np.int64]


class NewlineCounter:
    """Counts in one buffer, whose content may change between calls but not its size."""

    def __init__(self, buffer: bytearray) -> None:
        self._buffer = buffer
        self._bytes = np.frombuffer(buffer, np.uint8)
        self._equal = np.empty(_STEP, np.bool_)

    def count(self, begin: int, end: int) -> int:
        """Newlines in `buffer[begin:end]`."""
        if end - begin < _SHORT:
            return self._buffer.count(b"\n", begin, end)
        total = 0
        for first in range(begin, end, _STEP):
            piece = self._bytes[first : min(first + _STEP, end)]
            equal = self._equal[: len(piece)]
            np.equal(piece, 10, out=equal)
            total += int(np.count_nonzero(equal))
        return total

    def bounds(self, places: Indices, begin: int, end: int) -> tuple[Indices, Indices, Indices]:
        """For bytes of `buffer[begin:end]` in ascending order: the newlines before each, and where its line begins and
        ends."""
        if len(places) <= _FEW:
            return self._bounds_of_few(places.tolist(), begin, end)
        newlines = np.flatnonzero(self._bytes[begin:end] == 10) + begin
        before = np.searchsorted(newlines, places)
        edges = np.concatenate(([begin - 1], newlines, [end]))
        return before, edges[before] + 1, edges[before + 1]

    def _bounds_of_few(self, places: list[int], begin: int, end: int) -> tuple[Indices, Indices, Indices]:
        lines, count, at = np.empty((3, len(places)), np.int64), 0, begin
        for n, place in enumerate(places):
            first = self._buffer.rfind(b"\n", begin, place) + 1 or begin
            stop = self._buffer.find(b"\n", place, end)
            count += self.count(at, max(at, first))
            at = max(at, first)
            lines[:, n] = count, first, end if stop < 0 else stop
        return lines[0], lines[1], lines[2]
