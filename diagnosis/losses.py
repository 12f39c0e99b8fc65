"""The loss that step lines print, read from the lines themselves: the record table keeps step and time only."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.steps import StepSeries
from logtui.parsers.case import Case

MOST = 512
"""Lines that are read of a series, spread over it evenly."""
LEAST = 24
_LOSS = re.compile(
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
    """At most so many losses of a stretch of a series. Costs one short read for each."""
    end = len(series.steps) if end is None else end
    picked = np.unique(np.linspace(begin, max(begin, end - 1), min(most, max(end - begin, 1))).astype(np.intp))
    found = [(i, loss) for i in picked.tolist() if (loss := _loss(case, series, i)) is not None]
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
    text = case.lines(series.file, int(series.lines[index]), 1)
    found = _LOSS.search(text[0]) if text else None
    return float(found[1]) if found and found[1].count(".") <= 1 else None


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
