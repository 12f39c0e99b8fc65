"""From step lines to the pace of training."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.findings import Pace, PaceChange, StepTime
from logtui.diagnosis.pace.changes import change_points, timed_series
from logtui.diagnosis.pace.nearby import nearby
from logtui.diagnosis.pace.slow_ranks import slow_ranks
from logtui.diagnosis.steps import BLOCK, SLOW_RATIO, StepSeries, durations, smoothed_ratio

STRIP = 512
"""Stretches of the strip at most."""


def read_pace(facts: Facts) -> Pace | None:
    """The pace by the longest series of step lines; None where nothing tells how long a step took."""
    found = timed_series(facts.case, facts.steps)
    if found is None:
        return None
    series, counted = found[0], np.flatnonzero(found[1])
    ms = durations(series)[counted]
    return Pace(tuple(_strip(series, counted, ms)), tuple(_changes(facts, series, counted, ms)), slow_ranks(facts))


def _changes(
    facts: Facts, series: StepSeries, counted: npt.NDArray[np.intp], ms: npt.NDArray[np.float64]
) -> Iterator[PaceChange]:
    points = change_points(ms)
    for n, at in enumerate(points):
        begin, end = points[n - 1] if n else 0, points[n + 1] if n + 1 < len(points) else len(ms)
        fast, slow = (facts.case.records[int(series.rows[counted[i]])] for i in (at - 1, at))
        before, after = float(np.median(ms[begin:at])), float(np.median(ms[at:end]))
        lines = nearby(facts, fast, slow) if after > before else ()
        step = int(series.steps[counted[at]])
        yield PaceChange(step, slow.time, round(before, 3), round(after, 3), cite(facts.case, slow), lines)


def _strip(series: StepSeries, counted: npt.NDArray[np.intp], ms: npt.NDArray[np.float64]) -> Iterator[StepTime]:
    """Medians over equal numbers of steps, where the lines have times of their own."""
    times = series.times[counted]
    dated = np.isfinite(times)
    if dated.sum() < 2 * BLOCK:
        return
    counted, ms, times = counted[dated], ms[dated], times[dated]
    best = float("inf")
    for part in np.array_split(np.arange(len(ms)), min(len(ms), STRIP)):
        now = float(np.median(ms[part]))
        slow = best < float("inf") and smoothed_ratio(now, best) >= SLOW_RATIO
        best = min(best, now)
        yield StepTime(float(times[part[-1]]), int(series.steps[counted[part[-1]]]), now, slow)
