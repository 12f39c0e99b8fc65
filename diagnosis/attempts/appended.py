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

Rows = npt.NDArray[np.intp]


def appended(case: Case) -> Rows:
    """Rows of step lines with which a run begins anew, ascending."""
    found = [row for p in case.records.patterns if p.numeric is not None for row in _of_pattern(case, p.name)]
    return np.array(sorted(found), np.intp)


def _of_pattern(case: Case, name: str) -> Iterator[int]:
    rows = case.records.indices(name)
    if len(rows) < 2 * FURTHER:
        return
    table = case.records.rows[rows]
    _, begins, of = np.unique(table["file"], return_index=True, return_inverse=True)
    steps, same = table["a"], np.diff(table["file"].astype(np.int64)) == 0
    back = same & (steps[1:] < steps[:-1]) & (steps[1:] <= steps[begins][of][1:])
    for at in (np.flatnonzero(back) + 1).tolist():
        mine = slice(int(begins[of[at]]), int(np.searchsorted(of, of[at], side="right")))
        if _long_pause(table[mine], at - mine.start) and not _next_epoch(case, rows[at - 1 : at + 1]):
            yield int(rows[at])


def _long_pause(table: npt.NDArray[np.void], at: int) -> bool:
    """Whether a run had lived before, lives after, and the clocks of both say that they are not one."""
    own = ~np.isin(table["time_from"], (TimeFrom.NEIGHBOUR, TimeFrom.NONE))
    if not own[at - 1] or not own[at]:
        return False
    if min(len(np.unique(part[:256])) for part in (table["a"][at - 1 :: -1], table["a"][at:])) < FURTHER:
        return False
    gaps = np.diff(table["time"][own])
    usual = float(np.median(gaps[gaps > 0])) if (gaps > 0).any() else 0.0
    pause = float(table["time"][at] - table["time"][at - 1])
    return pause < -BACK_S or pause > max(PAUSE_S, PACES * usual)


def _next_epoch(case: Case, rows: Rows) -> bool:
    """Whether the two step lines belong to different epochs: their counter starts anew by design."""
    both = (case.records[int(row)] for row in rows)
    epochs = [_EPOCH.search("".join(case.lines(r.file, r.line, 1))) for r in both]
    return all(epochs) and len({e[1] for e in epochs if e}) == 2
