"""When any line of a case was written: by its own stamp, its collector's, or else by its dated neighbours.

Records have times of their own; lines that no pattern knows are dated here, for the few that a report shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from logtui.parsers.files.case import Case
from logtui.parsers.files.lines import UNCOUNTED
from logtui.parsers.prefix.stamp import TimeFrom, stamp_near
from logtui.parsers.records.columns import wide
from logtui.parsers.records.record import Rows

OWN = (TimeFrom.ZONED, TimeFrom.DATED, TimeFrom.YEARLESS, TimeFrom.CLOCK)
"""Sources of a time that stands in the line itself."""
STRETCH = 64
"""Lines before an undated one that are looked through for a stamp at once."""
REACH = 4
"""Stretches, at most, for one line."""
LINES_READ = 100_000
"""Of all files together: a second."""
SUBMITTED = " was submitted from host <"
"""In LSF's report, before the time at which the job began to wait for its turn."""
LINE_AFTER = "line after"
"""Where a time comes from that only a later line of the file gives."""


class LineTime(NamedTuple):
    """A time, and how it is known."""

    epoch: float
    time_from: str
    zoned: bool = False
    inherited: bool = False
    """Whether a neighbour's: the line itself says no time."""


class LineTimes:
    """Dates lines of one case. `about` is a time of the job, for stamps without a year."""

    def __init__(self, case: Case, about: float | None) -> None:
        self._case, self._about = case, about
        self._marks: dict[int, Rows] = {}
        self._own: dict[int, dict[int, LineTime | None]] = {}
        self._read = 0

    def of(self, file: int, line: int) -> LineTime | None:
        """The time of a line; None where no line of its file has one."""
        return self.own(file, line) or self._inherited(file, line)

    def own(self, file: int, line: int) -> LineTime | None:
        """By the stamp that stands in the line, or that its collector gave it."""
        known = self._own.setdefault(file, {})
        if line not in known:
            text = next(iter(self._case.bodies(file, line, 1)), "")
            known[line] = self._stamp(file, text) or self._collected(file, line)
        return known[line]

    def first_from(self, file: int, line: int, reach: int = REACH) -> LineTime | None:
        """The first time that stands in a line or in one of so many stretches behind it; else what its collector says
        of it."""
        parts = range(line, line + reach * STRETCH, STRETCH) if line < UNCOUNTED else ()
        texts = (text for first in parts for text in self._case.bodies(file, first, STRETCH))
        own = next((time for text in texts if (time := self._stamp(file, text)) is not None), None)
        return own or self._collected(file, line)

    def _stamp(self, file: int, text: str) -> LineTime | None:
        near = self._about if self._about is not None else self._case.files[file].mtime
        stamp = stamp_near(text, near)
        if stamp is None or stamp.source not in OWN or SUBMITTED in text:
            return None
        return LineTime(stamp.epoch, stamp.source.word, stamp.source is TimeFrom.ZONED)

    def _collected(self, file: int, line: int) -> LineTime | None:
        stamp = self._case.collected_stamp(file, line)
        return None if stamp is None else LineTime(stamp.epoch, "collector", stamp.source is TimeFrom.ZONED)

    def _inherited(self, file: int, line: int) -> LineTime | None:
        """That of the nearest dated line before it, which it is no earlier than; else of the first one after it."""
        rows = self._dated(file)
        at = int(np.searchsorted(rows["line"], line))
        before = self._just_before(file, line, int(rows["line"][at - 1]) if at else 0)
        if before is None and at:
            before = _time_of(rows[at - 1])
        if before is not None:
            return LineTime(before.epoch, TimeFrom.NEIGHBOUR.word, before.zoned, True)
        after = _time_of(rows[at]) if at < len(rows) else None
        return None if after is None else LineTime(after.epoch, LINE_AFTER, after.zoned, True)

    def _just_before(self, file: int, line: int, known: int) -> LineTime | None:
        """By lines that no pattern knows, back to the nearest known one; within reach."""
        for first, texts in self._backwards(file, line, known):
            for number in range(len(texts) - 1, -1, -1):
                if (found := self._stamp(file, texts[number])) is not None:
                    self._own.setdefault(file, {})[first + number] = found
                    return found
        return None

    def _backwards(self, file: int, line: int, known: int) -> Iterator[tuple[int, list[str]]]:
        if line >= UNCOUNTED:
            return
        for _ in range(REACH):
            first = max(known + 1, line - STRETCH)
            if first >= line or self._read > LINES_READ:
                return
            self._read += line - first
            yield first, self._case.bodies(file, first, line - first)
            line = first

    def _dated(self, file: int) -> Rows:
        """The records of a file that have a time, their own or that of the line before, in order."""
        if file not in self._marks:
            table = self._case.records
            rows = wide(table.rows[table.rows_of_file(file)])
            self._marks[file] = rows[np.isin(rows["time_from"], (*OWN, TimeFrom.NEIGHBOUR)) & np.isfinite(rows["time"])]
        return self._marks[file]


A_DAY_S = 86400.0


def told_start(case: Case, file: int, begin: int, begun: float) -> float:
    """When a run that begins at a byte of a file was started: as its first line says, or as a scheduler tells behind
    it."""
    rows = case.records.rows[case.records.rows_of_file(file)]
    mine = rows["time"][(rows["offset"] >= begin) & np.isin(rows["time_from"], (TimeFrom.DATED, TimeFrom.YEARLESS))]
    near = mine[(mine <= begun) & (mine > begun - A_DAY_S)]
    return float(near.min()) if len(near) else begun


def _time_of(row: np.void) -> LineTime:
    source = TimeFrom(int(row["time_from"]))
    return LineTime(float(row["time"]), source.word, source is TimeFrom.ZONED)
