"""Training progress, slow spans, and whether training went on after a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from logtui.diagnosis.facts import steps
from logtui.diagnosis.facts.slow_steps import BUMP, SLOW_RATIO, rolling_means, slow_spans, smoothed_ratio
from logtui.diagnosis.facts.steps import StepSeries, last_step, median_ms
from logtui.diagnosis.model.report import Report
from logtui.diagnosis.session.opening import analyse_whole
from logtui.parsers.files.case import Case

ReportOf = Callable[[Mapping[str, str]], Report]


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


def test_a_line_that_holds_many_steps_is_read_once(report_of: ReportOf, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Counter[tuple[int, int]] = Counter()
    read = Case.lines

    def counted(case: Case, file: int, first: int, count: int) -> list[str]:
        asked[file, first] += 1
        return read(case, file, first, count)

    monkeypatch.setattr(Case, "lines", counted)
    report_of({"train.log": "\r".join(f"step {n} loss 2.31 step_time 3.1s" for n in range(300)) + "\n"})
    assert 0 < max(asked.values()) < 10, "not once for each step"


def test_a_lasting_slow_down_is_one_span() -> None:
    spans = slow_spans(series([900.0] * 5 + [100.0] * 20 + [400.0] * 15))
    assert [(s.first, s.last) for s in spans] == [(25, 39)]
    assert spans[0].ratio == pytest.approx(3.0)


@pytest.mark.parametrize("before", range(20, 30))
@pytest.mark.parametrize("after", range(10))
def test_a_slow_down_in_two_stages_is_told_as_such_wherever_blocks_begin(before: int, after: int) -> None:
    spans = slow_spans(series([3101.0] * before + [9465.0] * 5 + [16704.0] * (5 + after)))
    assert [(s.first, s.last) for s in spans] == [(before, before + 4), (before + 5, before + 9 + after)]
    assert [round(s.ratio, 2) for s in spans] == [2.05, 4.39]


def test_steps_that_become_fast_again_were_slow(report_of: ReportOf) -> None:
    times = [3.0] * 30 + [9.0] * 12 + [3.0] * 40
    text = "".join(f"step {n} loss 2.31 step_time {s}s\n" for n, s in enumerate(times))
    cut, soon = (text[: text.find(step)] for step in ("step 42 ", "step 50 "))
    told = ((text, "healthy"), (text + "training finished\n", "healthy"), (soon, "healthy"), (cut, "slow-training"))
    for said, cls in told:
        verdict = report_of({"rank0.log": said}).verdict
        assert verdict.cls == cls
        assert "steps 30–41 took 3.0 times the best" in verdict.title


def test_every_so_many_steps_one_is_slow(report_of: ReportOf) -> None:
    text = "".join(f"step {n} loss 2.31 step_time {9.0 if n % 50 == 0 else 3.0}s\n" for n in range(1, 401))
    report = report_of({"rank0.log": text})
    assert report.steps is not None and report.steps.periodic is not None
    assert (report.steps.periodic.every, report.steps.periodic.ratio, report.steps.periodic.evidence.line) == (
        50,
        3.0,
        50,
    )
    assert "one step in 50 took 3.0 times the usual" in report.verdict.title


def test_bumps_at_odd_distances_are_not_periodic(report_of: ReportOf) -> None:
    text = "".join(
        f"step {n} loss 2.31 step_time {9.0 if n in (31, 57, 130, 201, 333) else 3.0}s\n" for n in range(1, 401)
    )
    report = report_of({"rank0.log": text})
    assert report.steps is not None and report.steps.periodic is None


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


@pytest.mark.parametrize("count", [0, 4, 5, 9, 10, 14, 1000])
def test_means_leave_out_the_longest_step_where_it_stands_alone(count: int) -> None:
    ms = np.random.default_rng(count).choice([100.0, 101.3, 250.7, 1000.0], count)
    expected = []
    for at in range(count - 4):
        ordered = np.sort(ms[at : at + 5])
        alone = ordered[-1] >= BUMP * np.median(ordered) > ordered[-2]
        expected.append(float(ordered[:-1].mean() if alone else ordered.mean()))
    assert rolling_means(ms).tolist() == expected


def test_of_millions_of_steps_some_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"2026-11-21 04:00:00 step {n} loss 2.31 step_time {100 if n < 3000 else 300}.0 ms\n" for n in range(5000)]
    (tmp_path / "rank0.log").write_text("".join(lines))

    def read() -> Report:
        analysis = analyse_whole([tmp_path])
        analysis.case.close()
        return analysis.report

    whole = read()
    monkeypatch.setattr(steps, "MOST_STEPS", 400)
    thinned = read()
    assert whole.steps is not None and thinned.steps is not None
    assert (thinned.steps.first, thinned.steps.last) == (whole.steps.first, whole.steps.last) == (0, 4999)
    assert [abs(s.from_step - 3000) < 100 for s in thinned.steps.slow] == [True]


@pytest.mark.parametrize(("epochs", "cls"), [(12, "healthy"), (2, "unknown")])
def test_a_loop_that_shows_two_steps_of_each_epoch_goes_on(epochs: int, cls: str, report_of: ReportOf) -> None:
    refused = (
        "[W socket.cpp:697] [c10d] The client socket has failed to connect to [localhost]:57571 (errno: 99 - no).\n"
    )
    log = refused + "".join(f"INFO:root:[{n},     {step}] loss: 1.{n}\n" for n in range(epochs) for step in (0, 63))
    assert report_of({"job.log": log}).verdict.cls == cls
