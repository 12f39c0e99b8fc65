"""Streams into which several jobs wrote without a sign of where one ends, beside their other stream, which shows it.

`train.out` holds a scheduler's report after each job, `train.err` nothing but what each raised, undated. What stands
last in it is of the newest job if that one failed, and of an earlier one if it ended well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.counted_anew import UNCLOCKED
from logtui.parsers.files.case import Case
from logtui.parsers.pattern import Mark, Role
from logtui.parsers.records.record import Record

NEAR = 100
"""Lines within which failures alike are of one job: its ranks raise together."""
TRACEBACK = "py.traceback"
_FAILS = frozenset({Mark.ENDS, Mark.EXIT_CODE, Mark.CHILD_EXIT, Mark.TASK_EXIT})
_STREAM = re.compile(r"(?:std)?(?:out|err)\b|(?<=\.)[oe](?=\d)")

Numbers = npt.NDArray[np.int64]
Placed = Mapping[int, Sequence[tuple[int, Record]]]
"""By file the number of each attempt that begins there, and its first record, both ascending."""


def with_failures_placed(case: Case, numbers: Numbers, placed: Placed, count: int) -> Numbers:
    """The attempt of each record, where those of streams that are not divided so far are put right."""
    newest = count - 1
    divided = {_stem(case, file) for file, own in placed.items() if own and own[-1][0] == newest}
    known = {file: own[-1] for file, own in placed.items() if own}
    ended_well, failed = _end(case, numbers == newest)
    for log in case.files:
        last, begin = known.get(log.index, (0, None))
        if last == newest or _stem(case, log.index) not in divided or not (ended_well or failed):
            continue
        raised = _failures(case, log.index, begin.row if begin is not None else 0)
        numbers[raised] = newest - 1
        if not ended_well and not _raised(case, numbers == newest):
            numbers[_last_alike(case, raised)] = newest
    return numbers


def _stem(case: Case, file: int) -> str:
    """A file's name without what tells standard output from standard error."""
    return _STREAM.sub("", case.files[file].name)


def _end(case: Case, mine: npt.NDArray[np.bool_]) -> tuple[bool, bool]:
    """Whether an attempt ended on purpose, and whether somebody saw it fail."""
    patterns = [case.records.patterns[p] for p in np.unique(case.records.rows["pattern"][mine]).tolist()]
    return any(p.role is Role.END for p in patterns), any(not _FAILS.isdisjoint(p.marks) for p in patterns)


def _failures(case: Case, file: int, begin: int) -> npt.NDArray[np.intp]:
    """Rows from a row on of a file that state a failure, and that no clock of their own dates."""
    whole = case.records.rows_of_file(file)
    first = max(whole.start, begin)
    rows = case.records.rows[first : whole.stop]
    states = np.array([p.role is Role.CAUSE or p.name == TRACEBACK for p in case.records.patterns], np.bool_)
    unclocked = np.isin(rows["time_from"], (*UNCLOCKED,))
    found: npt.NDArray[np.intp] = first + np.flatnonzero(states[rows["pattern"]] & unclocked)
    return found


def _raised(case: Case, mine: npt.NDArray[np.bool_]) -> bool:
    """Whether an attempt has a traceback of its own."""
    return bool(mine[case.records.indices(TRACEBACK)].any())


def _last_alike(case: Case, raised: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """The last of some failures, and those of its kind right before it."""
    rows = case.records.rows[raised]
    if not len(rows):
        return raised
    apart = (rows["pattern"] != rows["pattern"][-1]) | (np.diff(rows["line"].astype(np.int64), append=1 << 62) > NEAR)
    apart[-1] = False
    return raised[int(np.flatnonzero(apart)[-1]) + 1 if apart.any() else 0 :]
