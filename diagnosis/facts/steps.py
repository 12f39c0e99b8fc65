"""Training progress, from step lines: which steps were reached, how long they took, where they became slow; and losses.

The record table keeps step and time only; the loss is read from the lines themselves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.identity import Identity
from logtui.parsers.bounded import compile_bounded
from logtui.parsers.files.case import Case
from logtui.parsers.numbers import real
from logtui.parsers.pattern import Mark, Pattern
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.records.columns import cells
from logtui.parsers.records.record import Record, RecordTable

# -- Steps and their times

MAX_STEP = 1e12
RECALLED = 4
"""More steps than these show that a counter goes up, line by line."""
MOST_STEPS = 1 << 20
"""Step lines of one file and pattern that are looked at."""
_DATED = np.isin(np.arange(256), (TimeFrom.ZONED, TimeFrom.DATED, TimeFrom.YEARLESS))
_BORROWED = np.isin(np.arange(256), (TimeFrom.NEIGHBOUR, TimeFrom.NONE))
"""By where a time is from."""


@dataclass(frozen=True, slots=True)
class StepSeries:
    """The step lines of one pattern in one file, in file order. Times of a step in ms, NaN where not printed."""

    file: int
    pattern: str
    rows: npt.NDArray[np.intp]
    """Row numbers in the record table."""
    steps: npt.NDArray[np.float64]
    ms: npt.NDArray[np.float64]
    times: npt.NDArray[np.float64]
    """Seconds since the epoch, NaN where the line has no time of its own."""
    lines: npt.NDArray[np.int64]
    dated: bool = False
    """Whether the times carry a date, so that they compare with other files."""


def read_steps(identity: Identity) -> list[StepSeries]:
    """Every series of step lines, longest first."""
    records = identity.case.records
    found: list[StepSeries] = []
    for pattern in records.patterns:
        if pattern.numeric is None:
            continue
        for part in records.by_file(records.indices(pattern.name)):
            some = _thinned(part)
            some = some[np.abs(cells(records.rows, "a", some)) < MAX_STEP]
            if len(some):
                found.append(_series(records, pattern, some[: len(some) - _recalls(cells(records.rows, "a", some))]))
    return sorted(found, key=lambda s: -len(s.steps))


def _recalls(steps: npt.NDArray[np.float64]) -> bool:
    """Whether the very last line only recalls a step, such as the best one: a counter that falls begins anew, or goes
    on from where it fell to."""
    return len(steps) > RECALLED and bool(steps[0] + 1 < steps[-1] < steps[-2])


def read_signs_of_life(identity: Identity) -> list[StepSeries]:
    """Lines that training prints once a step without its number, counted instead: they show that it goes on."""
    records = identity.case.records
    unnumbered = [p for p in records.patterns if Mark.UNNUMBERED_STEP in p.marks]
    found = (_series(records, p, part) for p in unnumbered for part in records.by_file(records.indices(p.name)))
    return [replace(s, steps=np.arange(len(s.rows), dtype=np.float64)) for s in found]


def _thinned(rows: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Of millions of step lines some at equal distances, and all at the end, by which the last step is known."""
    every = len(rows) // MOST_STEPS + 1
    last = len(rows) - min(len(rows), MOST_STEPS // 8)
    return rows if every == 1 else np.concatenate((rows[:last:every], rows[last:]))


def _series(records: RecordTable, pattern: Pattern, rows: npt.NDArray[np.intp]) -> StepSeries:
    mine = {name: cells(records.rows, name, rows) for name in ("a", "b", "time", "time_from", "line")}
    clocks = mine["time_from"]
    return StepSeries(
        int(records.rows["file"][rows[0]]),
        pattern.name,
        rows,
        mine["a"],
        mine["b"] * pattern.unit_ms,
        np.where(_BORROWED[clocks], np.nan, mine["time"]),
        mine["line"],
        bool(_DATED[clocks].all()),
    )


def last_step(series: Sequence[StepSeries]) -> int | None:
    """The last step anybody reached, by the series that say so at the end of their file."""
    finals = [int(s.steps[-1]) for s in series if len(s.steps) >= 1]
    return max(finals) if finals else None


def different_steps(steps: npt.NDArray[np.float64]) -> int:
    """How many steps these are; where they are counted anew in every epoch, those of each."""
    changes = np.count_nonzero(np.diff(steps))  # within an epoch they never fall, so that equal ones stand together
    return int(changes) + 1 if len(steps) else 0


def first_step(series: Sequence[StepSeries]) -> int | None:
    """The first step printed."""
    return int(min(s.steps[0] for s in series)) if series else None


def durations(series: StepSeries) -> npt.NDArray[np.float64]:
    """Milliseconds per step: as printed, or from the lines' own times where they advance by whole steps."""
    if np.isfinite(series.ms).sum() >= len(series.ms) // 2 + 1:
        return series.ms
    gaps = np.full(len(series.steps), np.nan)
    ds, dt = np.diff(series.steps), np.diff(series.times)
    with np.errstate(divide="ignore", invalid="ignore"):
        gaps[1:] = np.where((ds > 0) & (dt > 0), dt / ds * 1000.0, np.nan)
    return gaps


def median_ms(series: Sequence[StepSeries]) -> float | None:
    """Median time of a step in the longest series that has times."""
    for one in series:
        ms = durations(one)
        ms = ms[np.isfinite(ms) & (ms > 0)]
        if len(ms) >= 2:
            return round(float(np.median(ms)), 3)
    return None


# -- Whether training went on after a line

FURTHER = 3
"""Different steps that must follow a line before training counts as having gone on."""
LEAST_FURTHER = 2
"""The same where nothing else speaks of a failure: loops that print every hundredth step have few lines to show."""


class Progress:
    """Answers at once whether training went on after a line."""

    def __init__(self, series: Sequence[StepSeries], further: int = FURTHER) -> None:
        self._line_of: dict[int, int] = {}
        """file → the line after which fewer than `further` different steps follow."""
        self._time = self._last = float("-inf")
        self._behind = {one.file for one in series if _put_behind(one)}
        """Files in which the next stamp is no upper bound of the time of a line."""
        for one in series:
            if one.dated and np.isfinite(one.times).any():
                self._last = max(self._last, float(np.nanmax(one.times)))
            behind = one.file in self._behind
            order = np.argsort(one.times, kind="stable") if behind else np.arange(len(one.steps))
            at = _start_of_last(one.steps[order], further)
            if at is not None and not behind:
                self._line_of[one.file] = max(self._line_of.get(one.file, 0), int(one.lines[at]))
            if at is not None and one.dated:
                self._time = max(self._time, float(one.times[order[at]]))

    def ended_within(self, record: Record, seconds: float) -> bool:
        """Whether the last step came after a dated line, but not so long after it."""
        return record.time is not None and record.time <= self._last <= record.time + seconds

    def goes_beyond(self, file: int, line: int) -> bool:
        """Whether enough steps follow a line of a file; where none are known there, another file tells."""
        return file not in self._line_of or line < self._line_of[file]

    def went_on_after(self, record: Record, until: float | None = None) -> bool:
        """By position in the record's own file; in other files by time.

        The time of an unstamped line is only a lower bound and proves nothing there; `until` is an upper one.
        """
        if record.file in self._line_of:
            return record.line < self._line_of[record.file]
        own = record.time_from not in (TimeFrom.NEIGHBOUR, TimeFrom.NONE, TimeFrom.UPTIME)
        latest = record.time if own else until if record.file not in self._behind else None
        return latest is not None and latest + 1.0 < self._time


TURNS = 4
"""A loop that shows the first and the last step of each epoch has two different ones: so many turns stand for one."""
BACK_S = 60.0
"""A clock that falls back by more is not one process's."""


def _put_behind(series: StepSeries) -> bool:
    """Whether files of one run were put behind each other: time begins anew, and lines further down are no later."""
    return series.dated and bool((np.diff(series.times) < -BACK_S).any())


def _start_of_last(steps: npt.NDArray[np.float64], count: int) -> int | None:
    """Index from which exactly `count` different steps remain, or so many turns of fewer; None if there are fewer."""
    seen: set[float] = set()
    for i in range(len(steps) - 1, -1, -1):
        seen.add(float(steps[i]))
        if len(seen) == count:
            return i
    turns = np.flatnonzero(np.diff(steps))
    return int(turns[-TURNS * count]) if len(turns) >= TURNS * count else None


# -- Losses

MOST = 512
"""Lines that are read of a series, spread over it evenly."""
LEAST = 24
_LOSS = compile_bounded(
    r"(?<![a-z_/])(?:(?:train|training|lm)[_/ ])?loss['\"]?\s*[:=]?\s*(-?\d[\d.]*(?:e[+-]?\d+)?)(?![\w.])", re.I
)
SPREADS = 6.0
"""A rise of so many times the usual spread is no noise."""
RISE = 0.5
"""And it is one of at least this share of the level before."""
UNLEARNT = 0.5
"""And it undoes so much: the level after is at least this share of the very first loss."""
PAUSE_S, PAUSE_GAPS = 600.0, 20.0
"""Seconds between two step lines, and multiples of what is usual, after which a run may have begun anew."""
SAMPLE = 30
"""Values that say what is usual."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Losses:
    """Finite losses of one series, in file order, with the index in the series of each."""

    series: StepSeries
    at: npt.NDArray[np.intp]
    values: Floats


def read_losses(case: Case, series: StepSeries, begin: int = 0, end: int | None = None, most: int = MOST) -> Losses:
    """At most so many losses of a stretch of a series. Costs one short read for each of their lines."""
    end = len(series.steps) if end is None else end
    picked = np.unique(np.linspace(begin, max(begin, end - 1), min(most, max(end - begin, 1))).astype(np.intp))
    lines = series.lines[picked].tolist()
    firsts = dict(reversed([*zip(lines, picked.tolist(), strict=True)]))  # a line may hold a thousand steps
    said = {line: _loss(case, series, index) for line, index in firsts.items()}
    found = [(i, loss) for i, line in zip(picked.tolist(), lines, strict=True) if (loss := said[line]) is not None]
    return Losses(series, np.array([i for i, _ in found], np.intp), np.array([v for _, v in found], np.float64))


def last_run(series: StepSeries) -> int:
    """Index of the first step since the counter last fell back after a pause: what stands before it is another run's,
    appended to the same file. A counter that begins anew with every epoch does not pause there."""
    back = np.flatnonzero(np.diff(series.steps) < 0)
    gaps = np.diff(series.times)
    known = gaps[np.isfinite(gaps)]
    usual = float(np.median(known)) if len(known) else 0.0
    paused = back[~(gaps[back] <= max(PAUSE_S, PAUSE_GAPS * usual))]  # no time is no proof of going on
    return int(paused[-1]) + 1 if len(paused) else 0


def _loss(case: Case, series: StepSeries, index: int) -> float | None:
    record = case.records[int(series.rows[index])]
    found = _LOSS.search(case.text_at(series.file, record.offset, record.length))
    return value if found and isfinite(value := real(found[1])) else None


def lost(before: Floats, after: Floats, first: float) -> bool:
    """Whether the values after lie above those before for good, by far more than they vary, and near the first one."""
    usual = before[-SAMPLE:]
    level = float(np.median(usual))
    spread = 1.4826 * float(np.median(np.abs(usual - level)))
    limit = level + max(SPREADS * spread, RISE * level)
    return level > 0 and limit < float(np.quantile(after, 0.1)) and UNLEARNT * first <= float(np.median(after))


def lasting_rise(losses: Losses) -> int | None:
    """Index in the values from which the loss stays high to the end; None where it does not."""
    values = losses.values
    if len(values) < 2 * LEAST:
        return None
    least_after = max(6, len(values) // 50)
    best = np.minimum.accumulate(values)
    high = values > (1 + RISE) * best
    calm = np.flatnonzero(~high)
    at = int(calm[-1]) + 1 if len(calm) else len(values)
    enough = at >= LEAST and len(values) - at >= least_after
    return at if enough and lost(values[:at], values[at:], float(np.median(values[:5]))) else None
