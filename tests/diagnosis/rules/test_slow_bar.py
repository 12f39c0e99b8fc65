"""Pace by a progress bar's own clock, where nothing else tells it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.report import Report
from logtui.diagnosis.predicates.slowdown import slow_bar

ReportOf = Callable[[Mapping[str, str]], Report]
FactsOf = Callable[[Mapping[str, str]], Facts]


def _bar(paces: list[tuple[int, float]], label: str = "", total: int = 2000, between: str = "\r") -> str:
    """`paces`: (steps, seconds each), one after the other."""
    shown, step, clock = [f"{label}  0%|          | 0/{total} [00:00<?, ?it/s]"], 0, 0.0
    for steps, seconds in paces:
        for _ in range(steps):
            step, clock = step + 1, clock + seconds
            left = f"{int(clock) // 60:02d}:{int(clock) % 60:02d}<30:00,  {seconds:.2f}s/it"
            shown.append(f"{label}{100 * step // total:3d}%|{'#' * 4:10}| {step}/{total} [{left}]")
    return between.join(shown) + "\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (_bar([(200, 1.1), (100, 4.2)]), "slow-training"),
        (_bar([(200, 1.1), (100, 4.2)], between="\n"), "slow-training"),
        (_bar([(100, 1.1), (100, 4.2), (100, 1.1)]), "healthy"),
        (_bar([(290, 1.1), (10, 9.0)]), "healthy"),
        (_bar([(300, 1.1)]), "healthy"),
        (_bar([(200, 1.1), (100, 4.2)], label="Tokenizing: "), "healthy"),
        (_bar([(100, 4.2), (200, 1.1)]), "healthy"),
    ],
    ids=["lasting", "a-line-each", "fast-again", "last-steps-only", "even", "no-training", "became-fast"],
)
def test_pace_of_a_bar(text: str, expected: str, report_of: ReportOf) -> None:
    assert report_of({"train.log": "***** Running training *****\n" + text}).verdict.cls == expected


def test_the_line_where_it_became_slow(report_of: ReportOf) -> None:
    first = report_of({"train.log": _bar([(200, 1.1), (100, 4.2)], between="\n")}).verdict.first_evidence
    assert first is not None
    assert 190 <= first.line <= 206


@pytest.mark.parametrize(
    ("steps", "after", "expected"),
    [
        (200, "Pages: 200\n", "healthy"),
        (199, "Pages: 199\n", "slow-training"),
        (200, "ERROR: 7 pages were lost\nPages: 193\n", "slow-training"),
    ],
    ids=["full", "not-full", "trouble-after"],
)
def test_a_bar_that_is_full_and_left_behind_came_to_its_end(
    steps: int, after: str, expected: str, report_of: ReportOf
) -> None:
    """Its items may well be of unlike length; a library warns behind each state but the last, which is drawn twice."""
    shown = _bar([(120, 8.0), (steps - 120, 24.0)], label="Pages: ", total=200, between="\n").splitlines()
    warned = "".join(f"\r{state}The flags that were given are not used.\n" for state in shown[1:-1])
    text = f"{warned}\r{shown[-1]}\r{shown[-1]}\n" + after
    assert report_of({"job.log": text}).verdict.cls == expected


def test_a_failure_is_no_slowness(report_of: ReportOf) -> None:
    raised = 'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\nTypeError: no run\n'
    assert report_of({"train.log": _bar([(200, 1.1), (100, 4.2)]) + raised}).verdict.cls == "software"


@pytest.mark.parametrize(("fast", "slow"), [(1000, False), (1130, True)], ids=["at a round step", "at any step"])
def test_a_pace_that_changes_by_design(fast: int, slow: bool, facts_of: FactsOf) -> None:
    states = _bar([(fast, 0.5), (600, 2.0)]).split("\r")
    text = "\n".join("\r".join(states[n : n + 20]) for n in range(0, len(states), 20))  # a warning breaks the line
    assert (slow_bar(facts_of({"train.log": text}).case, 0) is not None) is slow


def test_a_moving_mean_in_which_an_evaluation_fades(report_of: ReportOf) -> None:
    """The bar's own clock shows that its steps are as fast as ever behind it."""
    shown, clock, mean = [], 0.0, 6.0
    for step in range(1, 400):
        took = 900.0 if step == 300 else 6.0 + step % 3
        clock, mean = clock + took, 0.3 * took + 0.7 * mean
        elapsed = f"{int(clock) // 3600}:{int(clock) // 60 % 60:02d}:{int(clock) % 60:02d}"
        shown.append(
            f" {step // 10}%|{'#' * 4:10}| {step}/1000 [{elapsed}<9:30:00, {mean:.2f}s/it]\n{{'loss': 2.{step}}}\n"
        )
    checked = "".join(f" {n}%|{'#' * 4:10}| {n}/100 [00:{n // 2:02d}<00:50, 2.00it/s]\n" for n in range(1, 100))
    text = "***** Running training *****\n" + "".join(shown[:299]) + checked + "".join(shown[299:])
    assert report_of({"train.log": text}).verdict.cls == "healthy"
