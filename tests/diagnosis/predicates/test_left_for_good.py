"""A task whose launcher says that it ended has not survived what it raised, whatever the others still print."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

BEGUN = "".join(f"{r}: worker {r}/3 started, host node57, pid {4000 + r}\n" for r in range(3))
RAISED = (
    "2: Traceback (most recent call last):\n"
    '2:   File "/opt/job/feed.py", line 57, in take\n'
    "2:     raise ValueError(text)\n"
    "2: ValueError: sample 57 has no length\n"
)
ENDED = "srun: error: node57: task 2: Exited with exit code 1\n"


def steps(rank: int, first: int, last: int) -> str:
    """Steps that one task logs."""
    return "".join(
        f"{rank}: 2026-11-21 04:10:{n:02d},000 INFO train: step {n} loss 2.31 step_time 0.500s\n"
        for n in range(first, last)
    )


@pytest.mark.parametrize(("end", "cls"), [(ENDED, "data"), ("", "healthy")], ids=["its task ended", "nobody says so"])
def test_others_that_train_on(report_of: ReportOf, end: str, cls: str) -> None:
    text = BEGUN + steps(0, 1, 20) + RAISED + end + steps(0, 20, 30)
    verdict = report_of({"slurm-57.out": text}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == (cls, (2,) if end else ())


def test_a_traceback_below_the_word_that_its_sample_is_skipped(report_of: ReportOf) -> None:
    told = "2: 2026-11-21 04:10:19,500 ERROR feed: skipping sample 57\n"
    verdict = report_of({"slurm-57.out": BEGUN + steps(0, 1, 20) + told + RAISED + steps(0, 20, 22)}).verdict
    assert verdict.cls == "healthy"
