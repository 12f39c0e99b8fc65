"""Runs appended to one file, told by their counters: the step is back at its start, and hours have passed, or the epoch
is back there too.

A counter of steps alone begins anew in every epoch and every evaluation. Neither takes hours, and no epoch comes before
the one that it follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.steps import BACK_S, FURTHER, PAUSE_GAPS, PAUSE_S
from logtui.parsers.files.case import Case
from logtui.parsers.prefix.stamp import TimeFrom

LOADED_S = 120.0
"""Behind a checkpoint a counter goes on again after at least so long, which loading takes."""
LIVED = 256
"""Step lines on either side of a fall that are looked at."""
MOST_FILES, MOST_FALLS, MOST_RUNS = 8, 1024, 64
"""Files of which epochs are read; falls of a counter beside which they are, and runs that they tell, the last ones."""
UNCLOCKED = frozenset({TimeFrom.NEIGHBOUR, TimeFrom.NONE})
ALIKE = 3
"""Lines of several processes that say the same show it."""
IN_TURN = 4
"""Steps before and after a fall that rise: of several processes that write in turn they do not."""
_OF_EPOCH = re.compile(
    r"(\b\w{0,12}) ?\bepoch\b\D{0,3}(\d{1,9})\b.{0,12}?(?<![\w./]) {0,8}\d{1,9}/(\d{1,9})(?![\w./])", re.IGNORECASE
)
"""The epoch, where in it a line stands, and the word before it."""
_TOTAL = re.compile(r"(?<![\w./])\d{1,9}/(\d{1,9})(?![\w./])")
_EPOCH = re.compile(r"\bepoch\b\D{0,3}(\d{1,9})", re.IGNORECASE)

Rows = npt.NDArray[np.intp]


def appended(case: Case) -> Rows:
    """Rows of step lines with which a run begins anew, ascending."""
    series = series_of(case)
    found = {row for rows in series for row in _after_pauses(case, rows)}
    if _of_few_files(case, series):
        found.update(row for rows in series for row in _back_at_first_epochs(case, rows))
    rows = np.array(sorted(found), np.intp)
    return np.unique(_firsts_of_lines(case, rows)) if found else rows


def begun_within_epochs(case: Case) -> dict[int, int]:
    """Rows of step lines with which an epoch begins anew that was not over, and the bytes behind the last before."""
    series = series_of(case)
    if not _of_few_files(case, series):
        return {}
    found = {int(rows[at]): int(rows[at - 1]) for rows in series for at in _back_in_epoch(case, rows)}
    firsts = _firsts_of_lines(case, np.array(sorted(found), np.intp)).tolist() if found else ()
    behind = {row: _behind(case, found[of]) for row, of in zip(firsts, sorted(found), strict=True)}
    return {row: begin for row, begin in behind.items() if begin is not None}


def series_of(case: Case) -> list[Rows]:
    """The rows of step lines, of each pattern in each file."""
    names = [p.name for p in case.records.patterns if p.numeric is not None]
    return [part for name in names for part in case.records.by_file(case.records.indices(name))]


def _of_few_files(case: Case, series: Sequence[Rows]) -> bool:
    """Whether these are few enough for their epochs to be read."""
    return len({int(case.records.rows["file"][rows[0]]) for rows in series}) <= MOST_FILES


def _behind(case: Case, row: int) -> int | None:
    """The byte behind a record's line."""
    record = case.records[row]
    return case.reader(record.file).offset_of(record.line + 1)


def _back_in_epoch(case: Case, rows: Rows) -> Iterator[int]:
    """Where in a series the counter is back at its start within the same epoch, of the same total."""
    steps, ranks = case.records.rows["a"][rows], case.records.rows["rank"][rows]
    for at in [*_falls(case, rows)][-MOST_FALLS:]:
        before = steps[max(at - IN_TURN, 0) : at]
        if _rises_around(case, rows, at) and ranks[at] == ranks[at - 1]:
            said, again = (_OF_EPOCH.search(_text(case, int(row))) for row in rows[at - 1 : at + 1])
            if said is None or again is None or said.groups() != again.groups():
                continue
            if before[-1] + (before[-1] - before[-2]) <= int(said[3]):
                yield at


def _rises_around(case: Case, rows: Rows, at: int) -> bool:
    """Whether the counter rises for several lines on both sides of a place."""
    steps = case.records.rows["a"][rows]
    sides = steps[max(at - IN_TURN, 0) : at], steps[at : at + IN_TURN]
    return all(len(side) == IN_TURN and bool((np.diff(side) > 0).all()) for side in sides)


def _firsts_of_lines(case: Case, rows: Rows) -> Rows:
    """The first record of each record's line: whatever else the line says is of the same run."""
    files, lines = case.records.rows["file"], case.records.rows["line"]
    other = np.concatenate(([True], (files[1:] != files[:-1]) | (lines[1:] != lines[:-1])))
    begins = np.flatnonzero(other)
    firsts: Rows = begins[np.searchsorted(begins, rows, side="right") - 1]
    return firsts


def _falls(case: Case, rows: Rows) -> Iterator[int]:
    """Where in a series the counter is back at its start."""
    steps = case.records.rows["a"][rows]
    back = (steps[1:] < steps[:-1]) & (steps[1:] <= steps[0])
    yield from (np.flatnonzero(back) + 1).tolist()


def _partial_falls(case: Case, rows: Rows) -> list[int]:
    """Where the counter goes on from a checkpoint, behind where it was: no epoch and no evaluation does."""
    steps = case.records.rows["a"][rows]
    found: list[int] = (np.flatnonzero((steps[1:] < steps[:-1]) & (steps[1:] > steps[0])) + 1).tolist()
    return found[-MOST_FALLS:]


def _two_lived(case: Case, rows: Rows, at: int) -> bool:
    """Whether several steps were reached before and after a fall."""
    steps = case.records.rows["a"][rows]
    return min(len(np.unique(part)) for part in (steps[max(at - LIVED, 0) : at], steps[at : at + LIVED])) >= FURTHER


# -- Hours have passed


def _after_pauses(case: Case, rows: Rows) -> Iterator[int]:
    partial = _partial_falls(case, rows)
    resumed = {at for at in partial if _rises_around(case, rows, at)}
    for at in (*_falls(case, rows), *partial):
        pause_s = LOADED_S if at in resumed else PAUSE_S
        both = rows[at - 1 : at + 1]
        if _long_pause(case, rows, at, pause_s) and _two_lived(case, rows, at) and not next_epoch(case, both):
            yield int(rows[at])


def _long_pause(case: Case, rows: Rows, at: int, pause_s: float) -> bool:
    """Whether the clocks of both sides say that they are not of one run."""
    before, after = (case.records[int(row)] for row in rows[at - 1 : at + 1])
    if before.time is None or after.time is None or {before.time_from, after.time_from} & UNCLOCKED:
        return False
    pause = after.time - before.time
    return pause < -BACK_S or (pause > pause_s and pause > PAUSE_GAPS * _usual_s(case, rows))


def _usual_s(case: Case, rows: Rows) -> float:
    """The usual time from one line to the next; 0 where no clock says."""
    times = case.records.rows["time"][rows]
    gaps = np.diff(times[~np.isin(case.records.rows["time_from"][rows], tuple(UNCLOCKED))])
    return float(np.median(gaps[gaps > 0])) if (gaps > 0).any() else 0.0


def next_epoch(case: Case, both: Sequence[int] | Rows) -> bool:
    """Whether the second of two step lines belongs to a later epoch: its counter starts anew by design."""
    before, after = (_epoch(case, int(row)) for row in both)
    return before is not None and after is not None and before < after


# -- The epoch is back


def _back_at_first_epochs(case: Case, rows: Rows) -> list[int]:
    """Rows at which one writer's epoch is back where its first one was, or before it."""
    ranks = case.records.rows["rank"][rows]
    falls = [at for at in _falls(case, rows) if ranks[at] == ranks[at - 1]][-MOST_FALLS:]
    first = _epoch(case, int(rows[0])) if falls else None
    if first is None:
        return []
    found = [at for at in falls if _back_at(case, rows[at - 1 : at + 1], first) and _two_lived(case, rows, at)]
    return [int(rows[at]) for at in found[-MOST_RUNS:] if not _says_the_same(case, rows, at)]


def _says_the_same(case: Case, rows: Rows, at: int) -> bool:
    """Whether the lines behind a fall stand above it already, word for word: another process says what all say."""
    said = {_text(case, int(row)) for row in rows[max(at - LIVED, 0) : at]}
    return all(_text(case, int(row)) in said for row in rows[at : at + ALIKE])


def _text(case: Case, row: int) -> str:
    record = case.records[row]
    return "".join(case.lines(record.file, record.line, 1))


def _back_at(case: Case, both: Rows, first: int) -> bool:
    before, after = (_epoch(case, int(row)) for row in both)
    return before is not None and after is not None and after < before and after <= first


def _epoch(case: Case, row: int) -> int | None:
    """The epoch that a step line names."""
    told = _EPOCH.search(_text(case, row))
    return int(told[1]) if told else None


# -- Beside another sign


def row_behind(case: Case, whole: slice, at: int) -> int:
    """The row of the first record behind a byte of a file; `whole` are its records."""
    return int(whole.start) + int(np.searchsorted(case.records.rows["offset"][whole], at))


def around(case: Case, whole: slice, row: int) -> tuple[int, int] | None:
    """The rows of the last step before a row and of the first behind it, of one counter; `whole` are its file's."""
    patterns = case.records.rows["pattern"][whole]
    numbered = np.array([p.numeric is not None for p in case.records.patterns], np.bool_)[patterns]
    at = row - whole.start
    before, after = np.flatnonzero(numbered[:at]), at + np.flatnonzero(numbered[at:])
    if not len(before) or not len(after) or patterns[before[-1]] != patterns[after[0]]:
        return None
    return whole.start + int(before[-1]), whole.start + int(after[0])


def counts_anew(case: Case, both: tuple[int, int]) -> bool:
    """Whether the second of two step lines is behind the first, and that by no epoch's design."""
    return step(case, both[1]) < step(case, both[0]) and not next_epoch(case, both)


def counts_anew_behind(case: Case, whole: slice, row: int) -> bool:
    """Whether the counter of steps is behind where it was before a row, and that by no epoch's design."""
    both = around(case, whole, row)
    return both is not None and counts_anew(case, both)


def goes_on(case: Case, whole: slice, row: int) -> bool:
    """Whether a counter of steps goes on behind a row from where it was before it: it is the same run."""
    both = around(case, whole, row)
    return both is not None and step(case, both[1]) > step(case, both[0]) and not _of_other_totals(case, both)


def _of_other_totals(case: Case, both: Sequence[int]) -> bool:
    """Whether two step lines count up to different totals."""
    totals = [_TOTAL.search(_text(case, row)) for row in both]
    return None not in totals and totals[0][1] != totals[1][1]  # type: ignore[index]


def step(case: Case, row: int) -> float:
    """The step that a record counts."""
    return float(case.records.rows["a"][row])
