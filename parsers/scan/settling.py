"""The year of stamps that have none, and the day of those that give only the time of day.

A scan completes them with the day of the file's last write, which copying a log may have changed, and on which no job
of several days has begun. Where lines of the same case do have a date, they know better, and so do flight-recorder
dumps: whether those lines are records or stand before one, which has its time from them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from logtui.parsers.prefix.stamp import HEIR, TimeFrom
from logtui.parsers.records.columns import AnyRows, put

DAY_S = 86400.0
YEAR_S = 365.2425 * DAY_S
_WITH_DATE = (TimeFrom.ZONED, TimeFrom.DATED, TimeFrom.YEARLESS)
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]


def settle(rows: AnyRows, anchor: Callable[[], float | None] = lambda: None) -> None:
    """Years, then days. In place; afterwards a row does not tell any more where its neighbour had its time from."""
    settle_years(rows, anchor)
    settle_days(rows)
    source = rows["time_from"]
    heirs = np.flatnonzero(source > TimeFrom.NEIGHBOUR)
    if len(heirs):
        put(rows, "time_from", heirs, np.full(len(heirs), TimeFrom.NEIGHBOUR, np.uint8))


def _sources(rows: AnyRows) -> Bytes:
    """Where each time was read, in the line itself or in a neighbour."""
    source = rows["time_from"]
    found: Bytes = np.where(source > TimeFrom.NEIGHBOUR, source >> HEIR, source)
    return found


# -- Years


def settle_years(rows: AnyRows, anchor: Callable[[], float | None] = lambda: None) -> None:
    """Move yearless times by whole years, next to the dated ones of their file or else of the case. In place.

    A file moves as one, by where its last such line stands: a kernel log may begin many months earlier. `anchor`
    gives a date of the case that stands in no line, in seconds since the epoch; it is asked where a file needs it.
    """
    source = _sources(rows)
    dated, yearless = np.isin(source, (TimeFrom.ZONED, TimeFrom.DATED)), source == TimeFrom.YEARLESS
    if not yearless.any():
        return
    known = anchor() if np.setdiff1d(rows["file"][yearless], rows["file"][dated]).size else None
    if known is None and not dated.any():
        return
    files = int(rows["file"].max()) + 1
    reference = np.full(files, np.nan)
    _put_one_per_file(reference, rows, np.flatnonzero(dated), middle=True)
    reference[np.isnan(reference)] = rows["time"][dated][int(dated.sum()) // 2] if known is None else known
    last = np.full(files, np.nan)
    _put_one_per_file(last, rows, np.flatnonzero(yearless), middle=False)
    years = np.nan_to_num(np.rint((reference - last) / YEAR_S)).astype(np.int64)
    moving = np.flatnonzero(yearless & (years[rows["file"]] != 0))
    if len(moving):
        put(rows, "time", moving, _plus_years(rows["time"][moving], years[rows["file"][moving]]))


def _put_one_per_file(into: Floats, rows: AnyRows, some: npt.NDArray[np.intp], middle: bool) -> None:
    """Write the time of each file's middle or last row among some rows, which are ordered by file."""
    files, starts, counts = np.unique(rows["file"][some], return_index=True, return_counts=True)
    into[files] = rows["time"][some[starts + (counts // 2 if middle else counts - 1)]]


def _plus_years(time: Floats, years: npt.NDArray[np.int64]) -> Floats:
    """The same month, day and time of day, some years later; 29 February may become 1 March."""
    days = np.floor(time / 86400).astype(np.int64)
    dates = days.astype("datetime64[D]")
    months = dates.astype("datetime64[M]")
    later: npt.NDArray[np.int64] = ((months + 12 * years).astype("datetime64[D]") + (dates - months)).astype(np.int64)
    moved: Floats = time + (later - days) * 86400.0
    return moved


# -- Days


def settle_days(rows: AnyRows) -> None:
    """Move bare times of day next to the dated rows of their file, where it has any. In place."""
    source = _sources(rows)
    bare = np.flatnonzero(source == TimeFrom.CLOCK)
    if not len(bare):
        return
    files = np.asarray(rows["file"])
    dated = np.flatnonzero(np.isin(source, _WITH_DATE) & np.isin(files, np.unique(files[bare])))
    bare = bare[np.isin(files[bare], np.unique(files[dated]))]
    if len(bare):
        put(rows, "time", bare, _moved(bare, dated, np.asarray(rows["time"]), np.asarray(rows["line"]), files))


def _moved(
    bare: Places, dated: Places, times: Floats, lines: npt.NDArray[np.int64], files: npt.NDArray[np.uint32]
) -> Floats:
    """The times of the bare rows, run by run: each run lies between two dated rows, and its nearer end decides."""
    going_on = _unwrapped(times[bare], files[bare])
    before = np.searchsorted(dated, bare) - 1
    _, first, run = np.unique(before << 32 | files[bare], return_index=True, return_inverse=True)
    ends = np.append(np.sort(first)[1:], len(bare)) - 1
    last = ends[np.searchsorted(np.sort(first), first)]
    gaps, days = [], []
    for edge, neighbour in ((first, before[first]), (last, before[last] + 1)):
        at = dated[np.clip(neighbour, 0, len(dated) - 1)]
        there = (neighbour >= 0) & (neighbour < len(dated)) & (files[at] == files[bare[edge]])
        gaps.append(np.where(there, np.abs(lines[at] - lines[bare[edge]]).astype(np.float64), np.inf))
        days.append(np.rint((times[at] - going_on[edge]) / DAY_S))
    nearer = np.where(gaps[0] <= gaps[1], days[0], days[1])
    moved: Floats = going_on + DAY_S * nearer[run]
    return moved


def _unwrapped(times: Floats, files: npt.NDArray[np.uint32]) -> Floats:
    """Times of day that go on past midnight."""
    day = times % DAY_S
    steps = np.diff(day, prepend=day[:1])
    steps[np.flatnonzero(np.diff(files, prepend=files[:1]))] = 0.0
    going_on: Floats = day - DAY_S * np.cumsum(np.rint(steps / DAY_S))
    return going_on
