"""Where steps became slow: against the best five in a row so far, wherever those begin; in which stages, how often."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.steps import StepSeries, durations

BLOCK = 5
"""Step times per smoothed value."""
SLOW_RATIO = 0.8
"""Steps this much slower than the best ones are slow: (mean − best) / best."""
BUMP = 3.0
"""A single step of a block that took so many times its median is an evaluation or a checkpoint, not a trend."""
LEAST_CHANGE = 1.3
"""A lasting change by less is the weather."""
CERTAIN = 4.0
"""How many standard errors apart the two sides must be."""
SMALL_CHANGE, SURELY, LONG = 1.08, 12.0, 30
"""A change by less than `LEAST_CHANGE` is told where it is so certain, and so many steps on each side show it."""
MOST_CHANGES = 6
TWICE, TIMES, LEAST_EVERY, ALIKE = 2.0, 4, 5, 0.8
"""Slow steps that come again: so many times the usual, so often, at least so many steps apart, and so many of their
distances alike."""

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Slow:
    """A run of steps slower than the baseline."""

    first: int
    last: int
    mean_ms: float
    best_ms: float
    row: int
    """Record of its first line."""
    steps: int = 0
    """Step lines in it."""

    @property
    def ratio(self) -> float:
        """How much slower than the best block: 0.8 is 1.8 times as slow."""
        return self.mean_ms / self.best_ms - 1


def smoothed_ratio(current_ms: float, best_ms: float) -> float:
    """Relative slow-down of a block against the best block so far."""
    return current_ms / best_ms - 1


def rolling_means(ms: Floats) -> Floats:
    """The mean of each five steps in a row, without the longest where that one stands out alone."""
    if len(ms) < BLOCK:
        return np.empty(0)
    ordered = np.sort(np.lib.stride_tricks.sliding_window_view(ms, BLOCK), axis=1)
    limit = BUMP * ordered[:, BLOCK // 2]
    alone = (ordered[:, -1] >= limit) & (limit > ordered[:, -2])
    means: Floats = np.where(alone, ordered[:, :-1].mean(axis=1), ordered.mean(axis=1))
    return means


def slow_spans(series: StepSeries, counted: Mask | None = None) -> list[Slow]:
    """Steps at least `SLOW_RATIO` slower than the best five in a row before them, stage by stage.

    The first five after the start are warm-up and set no baseline. A stretch is cut where its pace changed for good.
    `counted` leaves out steps that are known to hold something else, such as an evaluation.
    """
    ms = durations(series)
    good = np.isfinite(ms) & (ms > 0)
    good &= True if counted is None else counted
    ms, steps, rows = ms[good], series.steps[good], series.rows[good]
    slow, best = _slow_steps(ms)
    stages = _stages(slow, change_points(ms)) if slow.any() else ()
    return [
        Slow(int(steps[a]), int(steps[b]), _mean(ms[a : b + 1]), float(best[a]), int(rows[a]), b - a + 1)
        for a, b in stages
    ]


def _slow_steps(ms: Floats) -> tuple[Mask, Floats]:
    """Which steps are slow, and for each the best mean that had ended when its stretch began."""
    means = rolling_means(ms)
    best = np.full(len(ms), np.inf)
    if len(means) > BLOCK:
        best[2 * BLOCK :] = np.minimum.accumulate(means[BLOCK:])[: len(ms) - 2 * BLOCK]
    limit = best * (1 + SLOW_RATIO)
    blocks = np.flatnonzero(means >= limit[: len(means)])
    covered = np.zeros(len(ms), np.bool_)
    for at in range(BLOCK):
        covered[blocks + at] = True
    return covered & (ms >= limit), best


def _stages(slow: Mask, changes: list[int]) -> Iterator[tuple[int, int]]:
    """First and last of the slow steps of each stage; fewer fast ones between slow ones than a block part nothing."""
    at = np.flatnonzero(slow)
    for part in np.split(at, np.flatnonzero(np.diff(at) > BLOCK) + 1):
        inside = [c for c in changes if part[0] + 2 <= c <= part[-1] - 1]
        for stage in np.split(part, np.searchsorted(part, inside)):
            if len(stage):
                yield int(stage[0]), int(stage[-1])


@dataclass(frozen=True, slots=True)
class Periodic:
    """Single steps that are slow again and again, at equal distances: garbage collection, a report, a checkpoint."""

    every: int
    """Steps from one to the next."""
    ratio: float
    """Its time over the usual one."""
    row: int
    """Record of the first of them."""

    @property
    def words(self) -> str:
        """One clause."""
        return f"one step in {self.every} took {self.ratio:.1f} times the usual"


def periodic(series: StepSeries, counted: Mask) -> Periodic | None:
    """The slow steps that come again at equal distances; None where they are few, or come as they like."""
    ms = durations(series)[counted]
    steps, rows = series.steps[counted], series.rows[counted]
    usual = float(np.median(ms))
    at = np.flatnonzero(ms >= TWICE * usual)
    if len(at) < TIMES or len(at) * LEAST_EVERY > len(ms):
        return None
    gaps = np.diff(steps[at])
    every = int(np.median(gaps))
    if every < LEAST_EVERY or (gaps == every).mean() < ALIKE:
        return None
    return Periodic(every, float(np.median(ms[at])) / usual, int(rows[at[0]]))


def _mean(ms: Floats) -> float:
    """The mean without single steps that stand out."""
    return float(ms[ms < BUMP * np.median(ms)].mean())


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
    change = abs(np.median(logs[at + 1 :]) - np.median(logs[: at + 1]))
    plain = score[at] >= CERTAIN and change >= np.log(LEAST_CHANGE)
    small = score[at] >= SURELY and change >= np.log(SMALL_CHANGE) and LONG <= at + 1 <= n - LONG
    return at + 1 if plain or small else None
