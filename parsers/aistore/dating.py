"""Days for records that carry only a time of day.

A fall of more than half a day is midnight. Small falls are normal: warnings are stamped before they queue, and a
rotated file may begin with records older than its header. Hourly markers correct what the walk cannot see.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from logtui.parsers.aistore.grammar import Marker

Ints = npt.NDArray[np.int64]

DAY = 86400
HALF_DAY = DAY // 2
DISORDER_S = 150
"""How far a record may stand after one that is younger: flush time and a tick, with room."""


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
