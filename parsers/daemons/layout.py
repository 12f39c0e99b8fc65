"""Where the records of a block of text begin, at what time of day each was written, and on which day; in columns.

Cut records are handled here: an I record longer than 2048 bytes loses its rest and its newline, and the next
record starts on the same line.

Records carry only a time of day: a fall of more than half a day is midnight. Small falls are normal: warnings are
stamped before they queue, and a rotated file may begin with records older than its header. Hourly markers correct
what the walk cannot see.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from logtui.parsers.daemons.grammar import RECORD_CUT, RECORD_START, Marker
from logtui.parsers.records.columns import run_starts

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
DAY = 86400
HALF_DAY = DAY // 2
DISORDER_S = 150
"""How far a record may stand after one that is younger: flush time and a tick, with room."""
_PAD = bytes(32)
_NEWLINE, _BRACE = 10, 123
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
    good &= (clocks >= 0) & (clocks < DAY)
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


class DayCounter:
    """Counts midnights along one part of a file. Days are relative to the part's base day."""

    def __init__(self, clock: int | None, offset: int = 0, day: int = 0) -> None:
        """`clock` is the header's second of the day; None where the first record sets it."""
        self._clock = clock
        self._day = day
        self._widest, self._widest_at = -1, offset
        self.jumps: list[tuple[int, int]] = []
        """(byte offset, days): missed days that markers revealed; they hold for that byte and all after it."""
        self._jumped = 0

    def days(self, clocks: Ints, offsets: Ints) -> Ints:
        """The relative day of each of the next records; missed days are added by `jumps` later."""
        if not len(clocks):
            return np.empty(0, np.int64)
        steps = np.empty_like(clocks)
        steps[0] = 0 if self._clock is None else int(clocks[0]) - self._clock
        np.subtract(clocks[1:], clocks[:-1], out=steps[1:])
        self._clock = int(clocks[-1])
        if int(steps.min()) >= -HALF_DAY and int(steps.max()) <= DAY - DISORDER_S:
            self._note_gap(steps, offsets)
            return np.full(len(clocks), self._day, np.int64)
        midnights = (steps < -HALF_DAY).astype(np.int64)
        midnights -= steps > DAY - DISORDER_S  # a record from just before the midnight already passed
        days = self._day + np.cumsum(midnights)
        self._note_gap(steps + midnights * DAY, offsets)
        self._day = int(days[-1])
        return days

    def _note_gap(self, gaps: Ints, offsets: Ints) -> None:
        widest = int(np.argmax(gaps))
        if gaps[widest] > self._widest:
            self._widest, self._widest_at = int(gaps[widest]), int(offsets[widest])

    def check(self, marker: Marker, base: int | None, day: int, clock: int, offset: int) -> int | None:
        """Compare a marker with the walk; returns the part's base day, which the first marker may set.

        `day` and `clock` are those of the marker's own record. A marker whose minute is not its record's is ignored.
        """
        apart = abs(marker.minute * 60 - clock)
        if min(apart, DAY - apart) > 120:
            return base
        if base is None:
            return marker.day - day - self._jumped
        missed = marker.day - (base + day + self._jumped)
        if missed and apart < HALF_DAY:
            self.jumps.append((self._widest_at if missed > 0 else offset, missed))
            self._jumped += missed
        self._widest, self._widest_at = -1, offset
        return base
