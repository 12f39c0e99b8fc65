"""Training progress, slow spans, and whether training went on after a line."""

from __future__ import annotations

import numpy as np
import pytest

from logtui.diagnosis.steps import SLOW_RATIO, StepSeries, last_step, median_ms, slow_spans, smoothed_ratio


def series(ms: list[float], first: int = 0) -> StepSeries:
    count = len(ms)
    steps = np.arange(first, first + count, dtype=np.float64)
    return StepSeries(
        0, "plain.step", np.arange(count), steps, np.array(ms), np.full(count, np.nan), np.arange(1, count + 1)
    )


@pytest.mark.parametrize(
    ("current", "best", "ratio", "slow"),
    [
        pytest.param(9465, 3101, 2.05, True, id="three times the best"),
        pytest.param(16704, 3101, 4.39, True, id="five times the best"),
        pytest.param(5581, 3101, 0.80, False, id="just below"),
        pytest.param(5582, 3101, 0.80, True, id="just above"),
    ],
)
def test_the_ratio_is_the_relative_slow_down(current: float, best: float, ratio: float, slow: bool) -> None:
    found = smoothed_ratio(current, best)
    assert (round(found, 2), found >= SLOW_RATIO) == (ratio, slow)


def test_a_lasting_slow_down_is_one_span() -> None:
    spans = slow_spans(series([900.0] * 5 + [100.0] * 20 + [400.0] * 15))
    assert [(s.first, s.last) for s in spans] == [(25, 39)]
    assert spans[0].ratio == pytest.approx(3.0)


def test_warm_up_and_single_bumps_are_not_slow() -> None:
    bumpy = [100.0] * 40
    bumpy[12] = bumpy[27] = 2000.0
    assert slow_spans(series([5000.0] * 5 + bumpy)) == []


def test_median_needs_two_times() -> None:
    assert median_ms([series([float("nan"), 120.0])]) is None
    assert median_ms([series([100.0, 120.0, 140.0])]) == 120.0


def test_times_between_lines_stand_in_for_printed_ones() -> None:
    count = 4
    one = StepSeries(
        0, "plain.step", np.arange(count), np.array([0.0, 10, 20, 30]), np.full(count, np.nan),
        np.array([0.0, 5, 10, 15]), np.arange(1, count + 1),
    )  # fmt: skip
    assert median_ms([one]) == 500.0


def test_last_step_is_the_furthest_end() -> None:
    assert last_step([series([1.0] * 5), series([1.0] * 3, first=40)]) == 42
