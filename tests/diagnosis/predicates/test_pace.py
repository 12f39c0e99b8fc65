"""How fast training went, where that changed, what changed then, and which rank is slow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from logtui.diagnosis.facts.slow_steps import change_points
from logtui.diagnosis.model.analyses import Pace
from logtui.diagnosis.model.report import Report
from logtui.diagnosis.report.markdown import render
from logtui.diagnosis.session.opening import analyse_whole
from logtui.parsers.generator import Fault, Framework, JobSpec, generate

ReportOf = Callable[[Mapping[str, str]], Report]


def step(n: int, ms: float, clock: int) -> str:
    """A line of Megatron-LM."""
    return (
        f" [2026-11-21 {clock // 3600:02d}:{clock // 60 % 60:02d}:{clock % 60:02d}] iteration {n:8d}/    1000 | consumed "
        f"samples: {n * 8:12d} | elapsed time per iteration (ms): {ms:.1f} | learning rate: 1.0E-04 | global batch size: "
        "    8 | lm loss: 2.310000E+00 | number of skipped iterations:   0 | number of nan iterations:   0 |\n"
    )


def run(times: list[float], between: Mapping[int, str] | None = None) -> str:
    """Steps of some milliseconds; `between` is what stands before a step."""
    text, clock = "", 3600.0
    for n, ms in enumerate(times, 1):
        clock += ms / 1000
        text += (between or {}).get(n, "") + step(n, ms, int(clock))
    return text


def pace_of(report: Report) -> Pace:
    assert report.steps is not None and report.steps.pace is not None
    return report.steps.pace


@pytest.mark.parametrize(
    ("ms", "points"),
    [
        ([100.0] * 40, []),
        ([100.0] * 20 + [320.0] * 20, [20]),
        ([320.0] * 20 + [100.0] * 20, [20]),
        ([100.0] * 20 + [300.0] * 20 + [100.0] * 20, [20, 40]),
        ([100.0] * 20 + [115.0] * 20, []),
        ([100.0] * 19 + [900.0] + [100.0] * 20, []),
        ([100.0] * 3, []),
    ],
    ids=["steady", "slower", "faster", "slow for a while", "a little slower", "one bump", "too few"],
)
def test_change_points(ms: list[float], points: list[int]) -> None:
    wobble = 1 + 0.02 * np.sin(np.arange(len(ms)) * 1.7)
    assert change_points(np.array(ms) * wobble) == points


@pytest.mark.parametrize("framework", [Framework.MEGATRON, Framework.NEMO, Framework.PLAIN, Framework.DEEPSPEED])
def test_the_step_it_began_at(tmp_path: Path, framework: Framework) -> None:
    generate(JobSpec(fault=Fault.SLOW, world_size=8, framework=framework, slow_from=60, seq=480), tmp_path)
    report = analyse_whole([tmp_path]).report
    assert report.verdict.cls == "slow-training"
    (change,) = pace_of(report).changes
    assert abs(change.step - 60) <= 1
    assert change.ratio == pytest.approx(3.2, rel=0.05)


def test_what_was_said_just_before(report_of: ReportOf) -> None:
    said = "loader: pinned memory is off from now on\n"
    text = run([900.0] + [100.0] * 30 + [400.0] * 30, {5: "loader: epoch 0\n", 32: "loader: epoch 1\n" + said})
    report = report_of({"job.log": text})
    (change,) = pace_of(report).changes
    assert change.step == 32
    assert [e.text for e in change.nearby] == [said.strip()]
    assert "just before: `job.log:" in render(report)


def test_evaluations_and_checkpoints_are_no_change(report_of: ReportOf) -> None:
    evaluated = " validation loss at iteration 10 | lm loss value: 2.104312E+00 | lm loss PPL: 8.20E+00 | \n"
    times = [100.0] * 60
    for n in range(9, 60, 5):
        times[n] = 2000.0
    report = report_of({"job.log": run([5000.0, *times], {n + 2: evaluated for n in range(9, 60, 5)})})
    assert report.steps is not None and report.steps.slow == ()
    assert pace_of(report).changes == ()


def test_the_strip_is_short_and_says_what_is_slow(report_of: ReportOf) -> None:
    strip = pace_of(report_of({"job.log": run([1000.0] * 1500 + [4000.0] * 1500)})).strip
    assert len(strip) <= 512
    assert (strip[0].slow, strip[-1].slow) == (False, True)
    assert all(a.time <= b.time for a, b in pairwise(strip))


TIMERS = "    forward-backward:\n" + "".join(f"     rank {r:2d}: {900.0 if r == 5 else 100.0 + r}\n" for r in range(8))
REPORT = "({n}) | MnRtt/Rnk: 57.10ms/8 | MxRtt/Rnk: 71.20ms/0 | MnClk/Rnk: 1857MHz/{clock} | MxClk/Rnk: 1980MHz/0 | MnDRtt/Rnk: 15.71ms/23 | MxDRtt/Rnk: 57.12ms/{data} | MnEtpt/Rnk: 257.02TF/0\n"
SLOW_RANKS: dict[str, tuple[str, list[int]]] = {
    "timers of all ranks": (TIMERS, [5]),
    "a score": ("  Rank=3 Node=node007 Score=0.43\n  Rank=4 Node=node007 Score=0.98\n", [3]),
    "a warning": ("STRAGGLER DETECTION WARNING: Some GPUs performance dropped. Affected ranks: {6}\n", [6]),
    "one rank in most reports": ("".join(REPORT.format(n=n, clock=n, data=7) for n in range(5)), [7]),
    "another rank in each report": ("".join(REPORT.format(n=n, clock=n, data=n) for n in range(5)), []),
}


@pytest.mark.parametrize("name", SLOW_RANKS)
def test_which_rank_is_slow(report_of: ReportOf, name: str) -> None:
    text, ranks = SLOW_RANKS[name]
    found = pace_of(report_of({"job.log": run([100.0] * 30 + [400.0] * 30) + text})).slow_ranks
    assert [s.rank for s in found] == ranks


def test_a_rank_whose_own_steps_take_longer(report_of: ReportOf) -> None:
    files = {f"rank{r}.log": run([900.0] + [400.0 if r == 2 else 100.0] * 40) for r in range(4)}
    assert [s.rank for s in pace_of(report_of(files)).slow_ranks] == [2]


def test_the_slow_rank_is_the_culprit(report_of: ReportOf) -> None:
    verdict = report_of({"job.log": run([100.0] * 30 + [400.0] * 30) + TIMERS}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("slow-training", (5,))


def test_the_time_since_the_start_of_an_epoch_is_no_steps(report_of: ReportOf) -> None:
    report = report_of({"job.log": run([1000.0 * n for _ in range(3) for n in range(1, 31)])})
    assert report.verdict.cls == "healthy"
    assert report.steps is None or report.steps.pace is None


MUCH_ELSE = "".join(f"word {'abcdefg'[n % 7]} is counted again\n" for n in range(1200))


@pytest.mark.parametrize(
    ("last", "expected"),
    [("", "slow-training"), ("finish evaluating\n", "healthy"), (MUCH_ELSE, "healthy")],
    ids=["at work", "through", "much else"],
)
def test_a_slower_job_that_came_to_its_end_is_well(report_of: ReportOf, last: str, expected: str) -> None:
    assert report_of({"job.log": run([100.0] * 60 + [320.0] * 60) + last}).verdict.cls == expected


def test_minutes_since_the_start_that_are_rounded_are_no_steps(report_of: ReportOf) -> None:
    told = "".join(f"[it {n:04d}] step={n}024 | PiLoss=0.0{n % 9} | time={n / 17:.1f}m\n" for n in range(1, 400))
    assert report_of({"job.log": told}).verdict.cls == "healthy"


def test_steps_that_cost_no_time_are_not_slow(report_of: ReportOf) -> None:
    assert report_of({"job.log": run([1.0] * 30 + [9.0] * 30)}).verdict.cls == "healthy"
