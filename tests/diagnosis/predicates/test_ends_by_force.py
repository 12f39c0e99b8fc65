"""The last words of a file: steps that advance to them are no health where they tell of an end by force."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
STEPS = "".join(f"2026-01-02 03:{n:02d}:05 INFO step {n}/5700 loss 2.{n}\n" for n in range(57))


@pytest.mark.parametrize(
    "words",
    [
        "container failed with non-zero exit code: 137",
        "Called process error Command 'ssh node007' returned non-zero exit status 137.",
        "[03:57:05] Watchdog timeout (self.watchdog_timeout=300)",
        "Interrupted - interrupted due to spot capacity",
        "26/01/02 04:03:05 ERROR Scheduler: Lost executor 5 on node007",
        "[LightGBM] [Fatal] a check failed: run57",
        "[4242] signal (15): Terminated",
        "run.pl: job failed, log is in exp57/train.5.log",
    ],
)
def test_an_end_by_force_is_no_health(words: str, report_of: ReportOf) -> None:
    told = "host-oom" if "137" in words else "unknown"
    assert report_of({"train.log": STEPS + words + "\n"}).verdict.cls == told


@pytest.mark.parametrize(
    "words",
    [
        "exit code: 0",
        "0 of 57 evaluations had a non-zero exit",
        "saved, exit status 0",
        "[W102 04:03:05.1 Store.cpp:57] a loop could not be closed, failed with EBUSY",
    ],
)
def test_other_last_words_are(words: str, report_of: ReportOf) -> None:
    assert report_of({"train.log": STEPS + words + "\n"}).verdict.cls == "healthy"
