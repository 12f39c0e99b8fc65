"""Stages of one script, told by what the later one lacks: a program that failed left nothing for the next to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from logtui.diagnosis.facts.relaunches import TRACEBACK, Fall, fall_of
from logtui.parsers.files.case import Case

MOST_LOOKED_AT = 16
"""Tracebacks on either side of a start that are looked at: each rank prints its own."""
LACKING = "FileNotFoundError"


def is_next_stage(case: Case, row: int) -> bool:
    """Whether what begins at a row is no new attempt but the next program of a script: it does not find a file, and the
    program before it, another one, had failed."""
    file = int(case.records.rows["file"][row])
    whole, raised = case.records.rows_of_file(file), case.records.indices(TRACEBACK)
    mine = raised[(raised >= whole.start) & (raised < whole.stop)]
    at = int(np.searchsorted(mine, row))
    after = next(_falls(case, mine[at : at + MOST_LOOKED_AT]), None)
    if after is None or not after.raised.endswith(LACKING) or not after.program:
        return False
    before = next(_falls(case, mine[max(at - MOST_LOOKED_AT, 0) : at][::-1]), None)
    return before is not None and not before.by_hand and before.program not in ("", after.program)


def _falls(case: Case, rows: Iterable[int]) -> Iterator[Fall]:
    """How the processes ended that tracebacks tell of, where one surely did."""
    return (fall for row in rows if (fall := fall_of(case, case.records[int(row)])) is not None)
