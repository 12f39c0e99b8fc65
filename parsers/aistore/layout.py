"""Where the records of a block of text begin, and at what time of day each was written; in columns.

Cut records are handled here: an I record longer than 2048 bytes loses its rest and its newline, and the next
record starts on the same line.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from logtui.parsers.aistore.grammar import RECORD_CUT, RECORD_START

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
_PAD = bytes(32)
_NEWLINE, _SPACE, _COLON, _POINT, _BRACE = 10, 32, 58, 46, 123
_DAY = 86400
_HEAD = 19
"""Bytes of a record that are looked at: severity, time, and the first of what follows."""
_CLOCK = slice(2, 10)
_WEIGHTS = np.array([36000, 3600, 0, 600, 60, 0, 10, 1], np.float32)
"""Seconds per digit of `HH:MM:SS`; single precision holds every sum that bytes can give, exactly."""
_ZEROS = 48 * int(_WEIGHTS.sum())


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
        places = self.records[chosen]
        bounds = self.bounds[self.bounds.searchsorted(places, "right")].tolist()
        lines = self.newlines.searchsorted(places).tolist()
        glued = self.glued
        return [
            (record, line, bound if bound in glued else bound - 1, bound in glued)
            for record, line, bound in zip(chosen.tolist(), lines, bounds, strict=True)
        ]


def lay_out(block: bytes, indent: int = 0) -> Layout:
    """Find the records of a block of whole lines; `indent` is the length of a collector's prefix."""
    view = np.frombuffer(block + _PAD, np.uint8)
    newlines = np.flatnonzero(view[: len(block)] == _NEWLINE)
    ends = newlines if block.endswith(b"\n") else np.append(newlines, len(block))
    starts = np.empty(len(ends), np.int64)
    starts[:1] = 0
    starts[1:] = ends[:-1] + 1
    glued = _glued(block, starts, ends, indent)
    bounds = np.append(starts, ends[-1:] + 1)
    # A prefix may be longer than the line it is missing from.
    positions = np.minimum(starts + indent, len(block)) if indent else starts
    if glued:
        extra = np.array(sorted(glued), np.int64)
        bounds = np.insert(bounds, bounds.searchsorted(extra), extra)
        positions = np.insert(positions, positions.searchsorted(extra), extra)
    records, clocks, braced = _stamped(view, positions)
    return Layout(newlines, bounds, records, clocks, braced, glued)


def _stamped(view: Bytes, positions: Ints) -> tuple[Ints, Ints, npt.NDArray[np.bool_]]:
    """Those positions at which a stamp stands, their seconds of the day, and whether a `{` follows the stamp."""
    heads = as_strided(view, (len(view) - _HEAD, _HEAD), (1, 1), writeable=False)[positions]
    letter = heads[:, 0]
    shape = (heads[:, 4] == _COLON) & (heads[:, 7] == _COLON) & (heads[:, 1] == _SPACE) & (heads[:, 10] == _POINT)
    shape &= (letter == 73) | (letter == 87) | (letter == 69)
    if not shape.all():
        positions, heads = positions[shape], heads[shape]
    clocks = (heads[:, _CLOCK].astype(np.float32) @ _WEIGHTS).astype(np.int64) - _ZEROS
    braced = heads[:, _HEAD - 1] == _BRACE
    if not len(clocks) or (int(clocks.min()) >= 0 and int(clocks.max()) < _DAY):
        return positions, clocks, braced
    good = (clocks >= 0) & (clocks < _DAY)
    return positions[good], clocks[good], braced[good]


def _glued(block: bytes, starts: Ints, ends: Ints, indent: int) -> frozenset[int]:
    """Where a record begins 2048 bytes after another one, on the same line."""
    found: list[int] = []
    for i in np.flatnonzero(ends - starts > RECORD_CUT + indent).tolist():
        at, end = int(starts[i]) + indent, int(ends[i])
        while at + RECORD_CUT < end and block[at : at + 1] == b"I" and RECORD_START.match(block, at + RECORD_CUT):
            at += RECORD_CUT
            found.append(at)
    return frozenset(found)
