"""A program's own word that a signal told it to stop, and where that is the end of its job."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
STEPS = "".join(
    f"2026-11-21 04:{n:02d}:00,120 INFO train: step {n} loss {5 - n * 0.01:.3f} step_time 2.500s\n"
    for n in range(1, 40)
)
LATER = STEPS.replace("step ", "step 4").replace(" 04:", " 05:")
RAISED = 'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\nValueError: bad shape 57\n'
TOLD = "Caught SIGTERM, saving checkpoint\n"


@pytest.mark.parametrize(
    "said",
    [
        "Caught SIGTERM, saving checkpoint",
        "signal handler called with signal 10",
        "[rank0] Received signal 15, will stop after this step",
        "SIGUSR1 received, saving",
        "Interrupt signal received, exiting",
    ],
)
def test_a_job_that_a_signal_stopped_is_not_well(said: str, report_of: ReportOf) -> None:
    verdict = report_of({"job.log": STEPS + said + "\n"}).verdict
    assert (verdict.cls, verdict.rule) == ("infrastructure", "stopped-from-outside")


@pytest.mark.parametrize("said", ["SIGTERM handler installed", "will checkpoint on SIGUSR1", "bypassing sigterm"])
def test_a_handler_that_is_set_up_stopped_nothing(said: str, report_of: ReportOf) -> None:
    assert report_of({"job.log": said + "\n" + STEPS}).verdict.cls == "healthy"


def test_what_trained_on_after_a_signal_was_not_stopped_by_it(report_of: ReportOf) -> None:
    assert report_of({"job.log": STEPS + TOLD + LATER}).verdict.cls == "healthy"


def test_ranks_that_were_all_told_to_stop_were_stopped(report_of: ReportOf) -> None:
    assert report_of({f"rank{r}.log": STEPS + TOLD for r in range(4)}).verdict.cls == "infrastructure"


def test_what_one_rank_raised_is_why_the_others_were_told(report_of: ReportOf) -> None:
    verdict = report_of({f"rank{r}.log": STEPS + (RAISED if r == 2 else TOLD) for r in range(4)}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("software", (2,))


def test_a_training_loop_that_was_told_to_stop_had_trained(report_of: ReportOf) -> None:
    stopped = "[rank: 0] Received SIGTERM: 15\n" + RAISED.replace(
        "ValueError: bad shape 57", "lightning.pytorch.utilities.exceptions.SIGTERMException"
    )
    again = "\nDuring handling of the above exception, another exception occurred:\n\n" + RAISED.replace(
        "ValueError: bad shape 57", "RuntimeError: CUDA error: out of order"
    )
    assert report_of({"gpu.err": stopped + again}).verdict.cls == "infrastructure"


@pytest.mark.parametrize(
    ("text", "cls"),
    [
        ("the server is up\nreceived signal 15, stopping\n", "infrastructure"),
        ("ValueError: no port\nreceived signal 15, stopping\n", "software"),
    ],
)
def test_a_program_that_does_not_train_and_is_told_to_stop(text: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({"job.log": text}).verdict.cls == cls
