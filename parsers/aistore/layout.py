"""Where the records of a block of text begin, and at what time of day each was written; in columns.

Cut records are handled here: an I record longer than 2048 bytes loses its rest and its newline, and the next
record starts on the same line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from logtui.parsers.aistore.grammar import RECORD_CUT, RECORD_START
from logtui.parsers.groups import run_starts

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
_PAD = bytes(32)
_NEWLINE, _BRACE = 10, 123
_DAY = 86400
_MESSAGE = 18
"""Bytes of a record before its message, where no source stands between them."""
_MINUTE = (np.uint64(0xFF0000FF0000FF00), np.uint64(0x3A00003A00002000))
"""Bytes of `I HH:MM:` that are the same in every record, and what they are; the first byte counts least."""
_SECOND = (np.uint32(0xFF0000), np.uint32(0x2E0000))
"""The same of `SS.u`."""
_WEIGHTS = {16: 36000, 24: 3600, 40: 600, 48: 60}
"""Seconds per digit of `I HH:MM:`, by its bit."""
_ZEROS = 48 * (sum(_WEIGHTS.values()) + 10 + 1)


@dataclass(frozen=True, slots=True)
class Layout:
    """The records of one block. Positions are bytes from the block's start, in ascending order."""

    newlines: Ints
    bounds: Ints
    """Where each line or glued record begins."""
    records: Ints
    """Where each record begins, past the collector's prefix."""
    clocks: Ints
    """Second of the day of each record."""
    braced: npt.NDArray[np.bool_]
    """Which records have a message that begins with `{`: stats lines."""
    glued: frozenset[int]
    """Records that begin in the middle of a line."""

    def line_of(self, position: int) -> int:
        """Newlines before a byte of the block."""
        return int(self.newlines.searchsorted(position))

    def record_at(self, position: int) -> int:
        """Index of the record that holds a byte, -1 where a line before or between records does."""
        record = int(self.records.searchsorted(position, "right")) - 1
        if record < 0 or position >= self.end_of(int(self.records[record])):
            return -1
        return record

    def end_of(self, position: int) -> int:
        """Where the record or line that holds a byte ends, newline excluded."""
        bound = int(self.bounds[self.bounds.searchsorted(position, "right")])
        return bound if bound in self.glued else bound - 1

    def stats(self, start: int, stop: int) -> list[tuple[int, int, int, bool]]:
        """(record, lines before it, end, cut) of every stats line among the records [start, stop).

        A cut one lost its tail: the next record is glued to it.
        """
        chosen = start + np.flatnonzero(self.braced[start:stop])
        if not len(chosen):
            return []
        found = zip(chosen.tolist(), self.stretches(self.records[chosen]), strict=True)
        return [(record, line, end, end in self.glued) for record, (_, end, line) in found]

    def stretches(self, places: Ints) -> Iterator[tuple[int, int, int]]:
        """(begin, end, lines before it) of records by where they begin."""
        bounds = self.bounds[self.bounds.searchsorted(places, "right")].tolist()
        ends = [bound - (bound not in self.glued) for bound in bounds]
        return zip(places.tolist(), ends, self.newlines.searchsorted(places).tolist(), strict=True)


def lay_out(block: bytes, indent: int = 0) -> Layout:
    """Find the records of a block of whole lines; `indent` is the length of a collector's prefix."""
    view = np.frombuffer(block + _PAD, np.uint8)
    newlines = np.flatnonzero(view[: len(block)] == _NEWLINE)
    ends = newlines if block.endswith(b"\n") else np.append(newlines, len(block))
    bounds = np.zeros(len(ends) + 1, np.int64)
    np.add(ends, 1, out=bounds[1:])
    starts = bounds[:-1]
    glued = _glued(block, starts, ends, indent)
    extra = np.array(sorted(glued), np.int64)
    if glued:
        bounds = np.insert(bounds, bounds.searchsorted(extra), extra)
    positions = bounds[:-1]
    if indent:  # a prefix may be longer than the line it is missing from
        positions = np.minimum(starts + indent, len(block))
        positions = np.insert(positions, positions.searchsorted(extra), extra) if glued else positions
    records, clocks, braced = _stamped(view, positions)
    return Layout(newlines, bounds, records, clocks, braced, glued)


def _stamped(view: Bytes, positions: Ints) -> tuple[Ints, Ints, npt.NDArray[np.bool_]]:
    """Those positions at which a stamp stands, their seconds of the day, and whether a `{` follows the stamp."""
    minutes, seconds = _words(view, "<u8")[positions], _words(view, "<u4")[positions + 8]
    good, clocks = _minutes(minutes)
    good &= (seconds & _SECOND[0]) == _SECOND[1]
    clocks += (seconds & 0xFF) * 10 + (seconds >> 8 & 0xFF)
    good &= (clocks >= 0) & (clocks < _DAY)
    if not good.all():
        positions, clocks = positions[good], clocks[good]
    return positions, clocks, view[positions + _MESSAGE] == _BRACE


def _words(view: Bytes, kind: str) -> npt.NDArray[Any]:
    """The word that begins at each byte."""
    size = np.dtype(kind).itemsize
    return as_strided(view[:size].view(kind), (len(view) - size + 1,), (1,), writeable=False)


def _minutes(words: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[np.bool_], Ints]:
    """Whether each word is the beginning of a stamp, and its seconds of the day as far as it says them.

    Each stretch of equal words, a minute of a busy log, is read once.
    """
    starts = run_starts(words)
    some, lengths = words[starts], np.empty(len(starts), np.int64)
    np.subtract(starts[1:], starts[:-1], out=lengths[:-1])
    lengths[-1:] = len(words) - starts[-1:]
    letters = some & np.uint64(0xFF)
    good = ((some & _MINUTE[0]) == _MINUTE[1]) & ((letters == 73) | (letters == 87) | (letters == 69))
    clocks = np.full(len(some), -_ZEROS)
    for bit, weight in _WEIGHTS.items():
        clocks += (some >> np.uint64(bit) & np.uint64(0xFF)).astype(np.int64) * weight
    return np.repeat(good, lengths), np.repeat(clocks, lengths)


def _glued(block: bytes, starts: Ints, ends: Ints, indent: int) -> frozenset[int]:
    """Where a record begins 2048 bytes after another one, on the same line."""
    found: list[int] = []
    for i in np.flatnonzero(ends - starts > RECORD_CUT + indent).tolist():
        at, end = int(starts[i]) + indent, int(ends[i])
        while at + RECORD_CUT < end and block[at : at + 1] == b"I" and RECORD_START.match(block, at + RECORD_CUT):
            at += RECORD_CUT
            found.append(at)
    return frozenset(found)
