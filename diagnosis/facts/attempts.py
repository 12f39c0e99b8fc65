"""The attempts of a case, and which records belong to which: those of one file by where they begin in it, others by
their clocks, and whole files where each holds one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import RLock

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.boundaries import boundaries
from logtui.diagnosis.facts.run_files import runs_of_files
from logtui.diagnosis.facts.start_places import Judged
from logtui.diagnosis.facts.steps import PAUSE_S
from logtui.diagnosis.facts.undivided import Numbers, Placed, with_failures_placed
from logtui.parsers.files.case import Case
from logtui.parsers.pattern import Mark, Pattern, Role
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.records.record import Record
from logtui.parsers.source import Cut, FileKind

SLACK_S = 5.0
"""Clocks of nodes differ: a file without a start of its own may be that much ahead of the others."""
_ONE_CLOCK = (FileKind.WORKER, FileKind.LAUNCHER, FileKind.SCHEDULER)
"""Other files may be in another zone: where none of their lines falls into the last attempt, all are kept for it."""


@dataclass(frozen=True)
class Attempt:
    """One attempt and the records that belong to it; its files are those of the whole case."""

    number: int
    """From 0."""
    case: Case
    first: Record | None
    """The line that shows that it began; None for the first one."""
    begins: Mapping[int, int] = field(default_factory=dict)
    """File → the byte with which it begins there, where it is a run that was appended to others."""
    unknown: tuple[int, int] | None = None
    """Of the last one: file and byte of a newer run of which no line is known."""
    judged: Mapping[int, Judged] = field(default_factory=dict)
    """Of the last one: what was learnt of places like those of a file has to say of where runs begin."""


def split_attempts(case: Case) -> list[Attempt]:
    """The attempts in order; one, with the case itself, where there is nothing to split.

    Facts of the job (world size, versions) that an attempt does not state again are those of all attempts.
    """
    tree = _of_tree(case)
    apart = {} if tree else runs_of_files(case)
    begins, own = boundaries(case), tree or apart
    past = {file for file, number in own.items() if number < max(own.values())}
    starts = {file: rows for file, rows in begins.by_file.items() if file not in past}
    runs = len({*own.values()})
    count = max([(runs if file in own else 1) + len(rows) for file, rows in starts.items()] + [runs], default=1)
    if count < 2:
        return [Attempt(0, case, None, unknown=begins.unknown, judged=begins.judged)]
    placed = _placed(starts, count)
    begun = _begun(case, placed, own, count)
    numbers = _numbers(case, placed, own, begun, count)
    firsts = {n: _first(placed, n) or _first_of_files(case, own, n) for n in range(1, count)}
    parts = [_part(case, numbers, n, _of_others(apart, n)) for n in range(count)]
    attempts = [
        Attempt(n, part, firsts.get(n), _begins(placed, begins.runs, n) or _wholly(apart, n))
        for n, part in enumerate(parts)
    ]
    return [*attempts[:-1], replace(attempts[-1], unknown=begins.unknown, judged=begins.judged)]


def _of_others(runs: Mapping[int, int], number: int) -> set[int]:
    """The files that other runs hold alone; restarts within the newest one share its files."""
    return {file for file, of in runs.items() if of != min(number, max(runs.values()))}


def _wholly(own: Mapping[int, int], number: int) -> dict[int, int]:
    """The files that one attempt holds alone, which begin with it."""
    return {file: 0 for file, of in own.items() if of == number}


def _begins(placed: Placed, runs: Mapping[int, int], number: int) -> dict[int, int]:
    """File → the byte with which an attempt begins there, where that is a run which was appended."""
    starts = (record for rows in placed.values() for n, record in rows if n == number)
    return {record.file: runs[record.row] for record in starts if record.row in runs}


def _of_tree(case: Case) -> dict[int, int]:
    """File → the attempt, from 0, to which torchrun's tree of logs gives it."""
    told = {f.index: f.hints.attempt for f in case.files if f.hints.attempt is not None}
    numbers = sorted({*told.values()})
    return {file: numbers.index(number) for file, number in told.items()}


def _placed(starts: Mapping[int, Sequence[Record]], count: int) -> Placed:
    """Which attempts begin in each file: by time where a file lacks some and all are dated, else the last ones."""
    fullest = next((rows for rows in starts.values() if len(rows) == count - 1), [])
    known = _times(fullest)
    placed: dict[int, list[tuple[int, Record]]] = {}
    for file, rows in starts.items():
        numbers = list(range(count - len(rows), count))
        times = _times(rows)
        if len(rows) < count - 1 and known is not None and times is not None:
            apart = np.abs(known[:, None] - times)
            nearest = (1 + apart.argmin(axis=0)).tolist()
            near = bool((apart.min(axis=0) < PAUSE_S).all())
            numbers = nearest if near and nearest == sorted(nearest) else numbers
        placed[file] = list(zip(numbers, rows, strict=True))
    return placed


def _times(rows: Sequence[Record]) -> npt.NDArray[np.float64] | None:
    """The times of some records in order, of their own or of a line near; None where one has none."""
    times = [r.time for r in rows if r.time is not None and r.time_from is not TimeFrom.UPTIME]
    return np.array(times) if times and len(times) == len(rows) else None


def _first(placed: Placed, number: int) -> Record | None:
    """The earliest line of an attempt."""
    found = [record for rows in placed.values() for n, record in rows if n == number]
    return min(found, key=lambda r: (r.time if r.time is not None else float("inf"), r.file, r.line), default=None)


def _first_of_files(case: Case, own: Mapping[int, int], number: int) -> Record | None:
    """The earliest record of the files that hold one attempt alone."""
    mine = np.flatnonzero(np.isin(case.records.rows["file"], [file for file, of in own.items() if of == number]))
    if not len(mine):
        return None
    times = np.nan_to_num(case.records.rows["time"][mine], nan=np.inf)
    return case.records[int(mine[np.argmin(times)])]


def _begun(case: Case, placed: Placed, own: Mapping[int, int], count: int) -> list[float]:
    """When each attempt but the first began, ascending; NaN where no line says."""
    times = [float("nan")] * (count - 1)
    for number in range(1, count):
        first = _first(placed, number) or _first_of_files(case, own, number)
        if first is not None and first.time is not None:
            times[number - 1] = first.time
    return times


def _numbers(case: Case, placed: Placed, own: Mapping[int, int], begun: Sequence[float], count: int) -> Numbers:
    """For each record the attempt it belongs to; what has no time and no place belongs to the last."""
    rows = case.records.rows
    numbers = np.full(len(rows), count - 1, np.int64)
    if all(t == t for t in begun):
        numbers = _by_time(case, np.array(begun) - SLACK_S, count)
    for file, begun_there in placed.items():
        whole = case.records.rows_of_file(file)
        here = np.arange(whole.start, whole.stop)
        passed = np.searchsorted(np.array([r.row for _, r in begun_there]), here, side="right")
        before = begun_there[0][0] - 1
        numbers[here] = np.where(
            passed == 0, np.minimum(numbers[here], before), np.array([before, *(n for n, _ in begun_there)])[passed]
        )
    for file, number in own.items():
        if file not in placed:
            numbers[case.records.rows_of_file(file)] = number
    return with_failures_placed(case, np.minimum(numbers, count - 1), placed, count)


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


def _states(pattern: Pattern) -> bool:
    """Whether lines of a pattern state facts of the job; a sign that a step was made is of the attempt alone."""
    return pattern.role is Role.INFO and pattern.numeric is None and Mark.UNNUMBERED_STEP not in pattern.marks


def _part(case: Case, numbers: Numbers, number: int, other: Container[int]) -> Case:
    """The case with one attempt's records, and with facts of the job that only others state; of files that are other
    runs' alone nothing is read."""
    records = case.records
    mine = numbers == number
    fact = np.array([_states(p) for p in records.patterns], np.bool_)
    stated = np.zeros(len(records.patterns), np.bool_)
    stated[np.unique(records.rows["pattern"][mine])] = True
    borrowed = ~mine & (fact & ~stated)[records.rows["pattern"]]
    closed = [f.index for f in case.files if f.index in other]
    if not closed:
        return replace(case, records=records.part(mine | borrowed))
    files = tuple(replace(f, size=0, cut=Cut((), f.stored)) if f.index in other else f for f in case.files)
    held = ~np.isin(records.rows["file"], closed)
    indexes = {file: index for file, index in case.indexes.items() if file not in other}
    return replace(
        case,
        files=files,
        records=records.part((mine | borrowed) & held),
        indexes=indexes,
        _readers=OrderedDict(),
        _lock=RLock(),
    )
