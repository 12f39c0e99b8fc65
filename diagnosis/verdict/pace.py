"""The pace of training, from step lines: its strip, its lasting changes, and what was said just before each."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.evidence import cite, cite_line
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.last_words import is_aftermath
from logtui.diagnosis.facts.slow_steps import BLOCK, SLOW_RATIO, change_points, smoothed_ratio
from logtui.diagnosis.facts.steps import StepSeries, durations
from logtui.diagnosis.model.analyses import Pace, PaceChange, StepTime
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.predicates.slowdown import slow_ranks, timed_series
from logtui.parsers.pattern import Role
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.prefix.template import template
from logtui.parsers.records.record import Record

# -- What was said just before, and was not usual till then

USUAL_LINES, LINES = 400, 200
"""Lines before the last fast step that say what is usual, and at most so many that come after it."""
LEAD_S = 60.0
LISTED = 3
_TELLING = frozenset({Role.CAUSE, Role.SYMPTOM, Role.STATE})


def nearby(facts: Facts, fast: Record, slow: Record) -> tuple[Evidence, ...]:
    """Lines between the last fast step and the first slow one, and events of other files at that time."""
    found = [*_odd_lines(facts, fast, slow), *_events(facts, fast, slow)]
    return tuple({e.place: e for e in found}.values())


def _odd_lines(facts: Facts, fast: Record, slow: Record) -> list[Evidence]:
    file, case = fast.file, facts.case
    first = max(1, fast.line - USUAL_LINES)
    before = case.bodies(file, first, fast.line - first + 1)
    between = case.bodies(file, fast.line + 1, min(slow.line - fast.line - 1, LINES))
    usual = {template(text.encode()) for text in [*before, *case.bodies(file, slow.line, 1)]}
    out: list[Evidence] = []
    for n, text in enumerate(between):
        kind = template(text.encode())
        if kind and kind not in usual and not is_aftermath(text):
            usual.add(kind)
            out.append(cite_line(case, slow, fast.line + 1 + n, text, None))
    return out[:LISTED]


def _events(facts: Facts, fast: Record, slow: Record) -> list[Evidence]:
    """Kinds of records that first come up around then, anywhere."""
    if slow.time is None or fast.time is None or slow.time_from is TimeFrom.NEIGHBOUR:
        return []
    begin, end = fast.time - LEAD_S, slow.time
    return [cite(facts.case, r) for r in _first_of_each_kind(facts) if r.time is not None and begin <= r.time <= end][
        :LISTED
    ]


def _first_of_each_kind(facts: Facts) -> Iterator[Record]:
    records = facts.case.records
    for pattern in records.patterns:
        rows = records.indices(pattern.name) if pattern.role in _TELLING else np.empty(0, np.intp)
        dated = rows[np.isfinite(records.rows["time"][rows])]
        if len(dated):
            yield records[int(dated[np.argmin(records.rows["time"][dated])])]


# -- The pace

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
