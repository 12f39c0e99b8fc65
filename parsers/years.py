"""The year of stamps that have none.

A scan completes them with the year of the file's last write, which copying a log may have changed. Where lines of the
same case do have a year, they know better, and so do flight-recorder dumps.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from logtui.parsers.narrow import AnyRows, NarrowRows
from logtui.parsers.stamp import TimeFrom

YEAR_S = 365.2425 * 86400
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


def settle_years(rows: AnyRows, anchor: Callable[[], float | None] = lambda: None) -> None:
    """Move yearless times by whole years, next to the dated ones of their file or else of the case. In place.

    A file moves as one, by where its last such line stands: a kernel log may begin many months earlier. `anchor`
    gives a date of the case that stands in no line, in seconds since the epoch; it is asked where a file needs it.
    """
    dated, yearless = _sourced(rows, TimeFrom.ZONED, TimeFrom.DATED), _sourced(rows, TimeFrom.YEARLESS)
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
    moving = np.flatnonzero((yearless | _sourced(rows, TimeFrom.NEIGHBOUR)) & (years[rows["file"]] != 0))
    if len(moving):
        file, time = rows["file"][moving], rows["time"][moving]
        moved = _plus_years(time, years[file])
        # The neighbour a time was taken from may be a dated line, which is right as it is.
        nearer = yearless[moving] | (np.abs(moved - reference[file]) < np.abs(time - reference[file]))
        _put_times(rows, moving, np.where(nearer, moved, time))


def _put_times(rows: AnyRows, at: npt.NDArray[np.intp], times: Floats) -> None:
    if isinstance(rows, NarrowRows):
        rows.put("time", at, times)
    else:
        rows["time"][at] = times


def _sourced(rows: AnyRows, *sources: TimeFrom) -> Mask:
    return np.isin(rows["time_from"], sources)


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
