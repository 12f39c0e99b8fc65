"""Runs that were cut short, and the ones behind them in the same file: the counter had not come to its total, nobody
said that it stops, and it begins anew; or it begins anew behind a long silence.

Who stops a training by hand leaves no word of it in the file of a logger. A fold, a stage or a trial of one job says
that it is over, or is one by its name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.openings import Writers, writers
from logtui.diagnosis.facts.stamped import parted
from logtui.parsers.files.case import Case
from logtui.parsers.regex import regex

Rows = npt.NDArray[np.intp]

REST_S = 600.0
"""Within one job hardly anybody says nothing for so long between two trainings."""
ABOVE, MOST = 200, 400
"""Lines above the last step of a run that are said again and again in it; lines between it and the next run's first."""
_COUNT = regex(r"(?i)(?:epoch|step|iter(?:ation)?|round)\W{0,4}0{0,8}(\d{1,9})\W{0,3}(?:/|of)\W{0,3}(\d{1,9})(?![\d.])")
_OVER = regex(
    r"(?i)\bearly.?stop|stopp(?:ed|ing)|converge|\bbest\b|fold|trial|stage|phase|finish|done|complete|total time|took"
    r"|\btest\b|\bfinal\b|sweep|config #?\d|run #?\d|seed|experiment|ensemble|model #?\d|interrupt|error|cancel"
)
"""What says that a part of a job is over, or that another one of it begins."""
_DIGITS = re.compile(rb"\d+")


def begun_after_cut(case: Case, steps: Rows, row: int) -> int | None:
    """The line with which a run begins whose first step is given, if the one before it in its file was cut short, or
    nobody said anything for long between the two; None where neither is so."""
    at = int(np.searchsorted(steps, row))
    record = case.records[row]
    if not at or writers(case, record.file) is not Writers.ONE:
        return None
    last = case.records[int(steps[at - 1])]
    if last.file != record.file or not 0 < record.line - last.line <= MOST:
        return None
    between = case.bodies(record.file, last.line + 1, record.line - last.line - 1)
    told = [parted(text.encode()) for text in between]
    clocks = [clock for _, clock in told]
    if (rested := _behind_rest(clocks)) is not None:
        return last.line + 1 + rested
    if not _unfinished(case, last.line, record.file) or any(map(_OVER.search, between)):
        return None
    first = max(_first_of_run(case, steps[:at]), last.line - ABOVE)
    above = case.bodies(record.file, first, last.line - first + 1)
    usual = {_DIGITS.sub(b"#", parted(text.encode())[0]) for text in above}
    opening = next((n for n, (said, _) in enumerate(told) if _DIGITS.sub(b"#", said) not in usual), len(told))
    dated = any(clock is not None for clock in clocks[opening:])
    return last.line + 1 + opening if dated else None


def _behind_rest(clocks: Sequence[float | None]) -> int | None:
    """Which of some lines was said first after nobody had said anything for long, by their times."""
    known = [(n, clock) for n, clock in enumerate(clocks) if clock is not None]
    return next((n for (_, a), (n, b) in pairwise(known) if b - a >= REST_S), None)


def _first_of_run(case: Case, steps: Rows) -> int:
    """The line of the first step of the run to which the last of some steps belongs."""
    rows = case.records.rows[steps[-ABOVE:]]
    mine = rows[(rows["pattern"] == rows["pattern"][-1]) & (rows["file"] == rows["file"][-1])]
    falls = np.flatnonzero(np.diff(mine["a"]) < 0)
    return int(mine["line"][falls[-1] + 1 if len(falls) else 0])


def _unfinished(case: Case, line: int, file: int) -> bool:
    """Whether a step line counts up to a total to which it had not come."""
    told = _COUNT.search("".join(case.bodies(file, line, 1)))
    return told is not None and int(told[1]) + 1 < int(told[2])
