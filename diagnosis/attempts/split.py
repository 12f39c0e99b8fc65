"""The attempts of a case: which records belong to which, over all its files."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.attempts.boundaries import boundaries
from logtui.parsers.case import Case
from logtui.parsers.pattern import Role
from logtui.parsers.record import Record, RecordTable
from logtui.parsers.source import FileKind
from logtui.parsers.stamp import TimeFrom

SLACK_S = 5.0
"""Clocks of nodes differ: a file without a start of its own may be that much ahead of the others."""
_ONE_CLOCK = (FileKind.WORKER, FileKind.LAUNCHER, FileKind.SCHEDULER)
"""Other files may be in another zone: where none of their lines falls into the last attempt, all are kept for it."""

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Attempt:
    """One attempt and the records that belong to it; its files are those of the whole case."""

    number: int
    """From 0."""
    case: Case
    first: Record | None
    """The line that shows that it began; None for the first one."""


def split_attempts(case: Case) -> list[Attempt]:
    """The attempts in order; one, with the case itself, where there is nothing to split.

    Facts of the job (world size, versions) that an attempt does not state again are those of all attempts.
    """
    starts, folders = boundaries(case), _folders(case)
    count = max([1 + len(rows) for rows in starts.values()] + [len(folders)], default=1)
    if count < 2:
        return [Attempt(0, case, None)]
    begun = _begun(case, starts, folders, count)
    numbers = _numbers(case, starts, folders, begun, count)
    firsts = {n: _first(starts, n, count) or _first_in_folder(case, folders, n) for n in range(1, count)}
    return [Attempt(n, _part(case, numbers, n), firsts.get(n)) for n in range(count)]


def _folders(case: Case) -> list[int]:
    """The attempts that torchrun's tree of logs names."""
    return sorted({f.hints.attempt for f in case.files if f.hints.attempt is not None})


def _first(starts: Mapping[int, Sequence[Record]], number: int, count: int) -> Record | None:
    """The earliest line of an attempt; files that lack some have the last ones."""
    found = [rows[at] for rows in starts.values() if 0 <= (at := number - (count - len(rows))) < len(rows)]
    return min(found, key=lambda r: (r.time if r.time is not None else float("inf"), r.file, r.line), default=None)


def _first_in_folder(case: Case, folders: Sequence[int], number: int) -> Record | None:
    """The earliest record below an attempt's folder."""
    if number >= len(folders):
        return None
    files = [f.index for f in case.files if f.hints.attempt == folders[number]]
    mine = np.flatnonzero(np.isin(case.records.rows["file"], files))
    if not len(mine):
        return None
    times = np.nan_to_num(case.records.rows["time"][mine], nan=np.inf)
    return case.records[int(mine[np.argmin(times)])]


def _begun(case: Case, starts: Mapping[int, Sequence[Record]], folders: Sequence[int], count: int) -> list[float]:
    """When each attempt but the first began, ascending; NaN where no line says."""
    times = [float("nan")] * (count - 1)
    for number in range(1, count):
        first = _first(starts, number, count) or _first_in_folder(case, folders, number)
        if first is not None and first.time is not None:
            times[number - 1] = first.time
    return times


def _numbers(
    case: Case, starts: Mapping[int, Sequence[Record]], folders: Sequence[int], begun: Sequence[float], count: int
) -> Numbers:
    """For each record the attempt it belongs to; what has no time and no place belongs to the last."""
    rows = case.records.rows
    numbers = np.full(len(rows), count - 1, np.int64)
    if all(t == t for t in begun):
        numbers = _by_time(case, np.array(begun) - SLACK_S, count)
    for file, own in starts.items():
        whole = case.records.rows_of_file(file)
        here = np.arange(whole.start, whole.stop)
        passed = np.searchsorted(np.array([r.row for r in own]), here, side="right")
        lacking = count - 1 - len(own)
        numbers[here] = np.where(passed == 0, np.minimum(numbers[here], lacking), passed + lacking)
    for log in case.files:
        if log.hints.attempt is not None and len(folders) > 1:
            numbers[case.records.rows_of_file(log.index)] = bisect_right(folders, log.hints.attempt) - 1
    return np.minimum(numbers, count - 1)


def _by_time(case: Case, limits: npt.NDArray[np.float64], count: int) -> Numbers:
    rows = case.records.rows
    numbers = np.full(len(rows), count - 1, np.int64)
    dated = np.isfinite(rows["time"]) & (rows["time_from"] != TimeFrom.UPTIME)
    numbers[dated] = np.searchsorted(limits, rows["time"][dated], side="right")
    for log in case.files:
        if log.kind not in _ONE_CLOCK:
            here = case.records.rows_of_file(log.index)
            numbers[here] = numbers[here] if (numbers[here] == count - 1).any() else count - 1
    return numbers


def _part(case: Case, numbers: Numbers, number: int) -> Case:
    """The case with one attempt's records, and with facts of the job that only others state."""
    records = case.records
    mine = numbers == number
    fact = np.array([p.role is Role.INFO and p.numeric is None for p in records.patterns], np.bool_)
    stated = np.zeros(len(records.patterns), np.bool_)
    stated[np.unique(records.rows["pattern"][mine])] = True
    borrowed = ~mine & (fact & ~stated)[records.rows["pattern"]]
    table = RecordTable(records.rows[mine | borrowed], records.blob, records.hosts, records.patterns, ())
    return replace(case, records=table)
