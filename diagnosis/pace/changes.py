"""Where the time of a step changes: which steps count, and the points that best part slow from fast."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.steps import BLOCK, StepSeries, durations
from logtui.parsers.case import Case
from logtui.parsers.pattern import Mark

LEAST_CHANGE = 1.3
"""A lasting change by less is the weather."""
CERTAIN = 4.0
"""How many standard errors apart the two sides must be."""
MOST_CHANGES = 6
LOOKED_AT = 4
"""Series that are asked, the longest first."""

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


def timed_series(case: Case, found: Sequence[StepSeries]) -> tuple[StepSeries, Mask] | None:
    """The longest series that tells how long steps took, and which of its steps count."""
    for series in found[:LOOKED_AT]:
        counted = counted_steps(case, series)
        if counted.sum() >= 2 * BLOCK:
            return series, counted
    return None


def counted_steps(case: Case, series: StepSeries) -> Mask:
    """The steps of a series that hold nothing but training: not the first of a start, no evaluation, no checkpoint."""
    ms = durations(series)
    counted = np.isfinite(ms) & (ms > 0)
    begins = np.diff(series.steps, prepend=np.inf) < 0
    first = series.steps[np.flatnonzero(begins)[np.cumsum(begins) - 1]]
    counted &= series.steps != first  # every rank that writes into this file compiles in its first step
    rows = case.records.rows_marked(Mark.LENGTHENS_STEP)
    bumps = case.records.rows["line"][rows[case.records.rows["file"][rows] == series.file]]
    if len(bumps):
        ends = np.searchsorted(series.lines, bumps)
        counted[ends[ends < len(counted)]] = False
    return counted


def change_points(ms: Floats) -> list[int]:
    """Indices at which a lasting change begins, ascending. O(n) for each found."""
    found: list[int] = []
    logs = np.log(ms)
    parts = [(0, len(ms))]
    while parts and len(found) < MOST_CHANGES:
        begin, end = parts.pop(0)
        at = _best_split(logs[begin:end])
        if at is not None:
            found.append(begin + at)
            parts += [(begin, begin + at), (begin + at, end)]
    return sorted(found)


def _best_split(logs: Floats) -> int | None:
    """Where two sides differ most for their spread; None where they do not differ enough."""
    n = len(logs)
    if n < 2 * BLOCK:
        return None
    left = np.arange(1, n)
    sums, squares = np.cumsum(logs)[:-1], np.cumsum(logs**2)[:-1]
    right = n - left
    mean_l, mean_r = sums / left, (logs.sum() - sums) / right
    spread = squares - left * mean_l**2 + (np.sum(logs**2) - squares) - right * mean_r**2
    error = np.sqrt(np.maximum(spread, 1e-9) / max(n - 2, 1) * (1 / left + 1 / right))
    score = np.abs(mean_l - mean_r) / np.maximum(error, 1e-6)
    score[: BLOCK - 1] = score[n - BLOCK :] = 0.0
    at = int(np.argmax(score))
    before, after = np.median(logs[: at + 1]), np.median(logs[at + 1 :])
    if score[at] < CERTAIN or abs(after - before) < np.log(LEAST_CHANGE):
        return None
    return at + 1
