"""Runs appended to one file that no line announces: the step counter is back at its start, and hours have passed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.steps import FURTHER
from logtui.parsers.case import Case
from logtui.parsers.stamp import TimeFrom

PAUSE_S, PACES = 600.0, 20.0
"""So much time must have passed, and so many usual intervals between steps: an evaluation takes less."""
BACK_S = 60.0
"""A clock that falls back by more is another run's, put behind a later one."""
_EPOCH = re.compile(r"\bepoch\b\D{0,3}(\d+)", re.IGNORECASE)

UNCLOCKED = frozenset({TimeFrom.NEIGHBOUR, TimeFrom.NONE})

Rows = npt.NDArray[np.intp]


def appended(case: Case) -> Rows:
    """Rows of step lines with which a run begins anew, ascending."""
    found = [row for p in case.records.patterns if p.numeric is not None for row in _of_pattern(case, p.name)]
    return np.array(sorted(found), np.intp)


def _of_pattern(case: Case, name: str) -> Iterator[int]:
    for part in case.records.by_file(case.records.indices(name)):
        yield from _of_file(case, part)


def _of_file(case: Case, rows: Rows) -> Iterator[int]:
    if len(rows) < 2 * FURTHER:
        return
    steps = case.records.rows["a"][rows]
    back = (steps[1:] < steps[:-1]) & (steps[1:] <= steps[0])
    for at in (np.flatnonzero(back) + 1).tolist():
        if _long_pause(case, rows, steps, at) and not _next_epoch(case, rows[at - 1 : at + 1]):
            yield int(rows[at])


def _long_pause(case: Case, rows: Rows, steps: npt.NDArray[np.float64], at: int) -> bool:
    """Whether a run had lived before, lives after, and the clocks of both say that they are not one."""
    before, after = (case.records[int(row)] for row in rows[at - 1 : at + 1])
    if before.time is None or after.time is None or {before.time_from, after.time_from} & UNCLOCKED:
        return False
    if min(len(np.unique(part[:256])) for part in (steps[at - 1 :: -1], steps[at:])) < FURTHER:
        return False
    pause = after.time - before.time
    return pause < -BACK_S or (pause > PAUSE_S and pause > PACES * _usual_s(case, rows))


def _usual_s(case: Case, rows: Rows) -> float:
    """The usual time from one line to the next; 0 where no clock says."""
    times = case.records.rows["time"][rows]
    gaps = np.diff(times[~np.isin(case.records.rows["time_from"][rows], tuple(UNCLOCKED))])
    return float(np.median(gaps[gaps > 0])) if (gaps > 0).any() else 0.0


def _next_epoch(case: Case, rows: Rows) -> bool:
    """Whether the two step lines belong to different epochs: their counter starts anew by design."""
    both = (case.records[int(row)] for row in rows)
    epochs = [_EPOCH.search("".join(case.lines(r.file, r.line, 1))) for r in both]
    return all(epochs) and len({e[1] for e in epochs if e}) == 2
