"""Dates for parts that have neither header nor marker: from their name, their neighbours, or the file's time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from logtui.parsers.aistore.dating import DAY, HALF_DAY
from logtui.parsers.aistore.grammar import day_number
from logtui.parsers.aistore.naming import DaemonName
from logtui.parsers.aistore.scanned import FileScan, RawPart


def date_parts(files: Sequence[tuple[FileScan, DaemonName, float]]) -> None:
    """Give every part of one daemon's files a base day and say what it rests on. Times of files are UTC epochs."""
    known = [p.base for scan, _, _ in files for p in scan.parts if p.base is not None]
    for scan, name, mtime in files:
        for part in scan.parts:
            if part.header or part.base is not None:
                part.dated_by = "header" if part.header else "marker"
            elif part.first is not None:
                _guess(part, name if part is scan.parts[0] else DaemonName(), mtime, known)


def _guess(part: RawPart, name: DaemonName, mtime: float, known: Sequence[int]) -> None:
    near = known[0] if known else int(mtime // DAY)
    if name.stamp is not None and (day := _named_day(name.stamp, near)) is not None:
        first = int(part.first or 0)
        # The file is named by the time it was opened; its first record may be of the day after or before.
        part.base = day + (1 if name.stamp[2] - first > HALF_DAY else -1 if first - name.stamp[2] > HALF_DAY else 0)
        part.dated_by = "name"
        return
    last = part.last or 0.0
    part.base = int((mtime - last + 60) // DAY)
    part.dated_by = "mtime"


def _named_day(stamp: tuple[int, int, int], near: int) -> int | None:
    """The day of a month and day, in the year that brings it nearest to a known one."""
    year = datetime.fromtimestamp(near * DAY, UTC).year
    days = [d for y in (year - 1, year, year + 1) if (d := day_number(y, stamp[0], stamp[1])) is not None]
    return min(days, key=lambda d: abs(d - near)) if days else None
