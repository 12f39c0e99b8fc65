"""Phases of an attempt: what completed, what failed after it, and what the headline says of both."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

STEPS = "".join(f"step {n}/57 | loss {3 - n / 100:.4f}\n" for n in range(12))
DONE = "training finished\n"


def raised(function: str, what: str, script: str = "train.py") -> str:
    """A traceback through a function of a script."""
    return (
        f'Traceback (most recent call last):\n  File "/opt/job/{script}", line 57, in <module>\n    main()\n'
        f'  File "/opt/job/{script}", line 33, in {function}\n    work(model)\n{what}\n'
    )


MISSING = "KeyError: 'speaker'"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (STEPS + DONE + raised("evaluate", MISSING), "training completed, the evaluation then failed: "),
        (STEPS + DONE + raised("main", MISSING, "eval_all.py"), "training completed, the evaluation then failed: "),
        (STEPS + DONE + raised("export_model", MISSING), "training completed, the export then failed: "),
        (STEPS + DONE + raised("make_run_dir", MISSING), "training completed, the next set-up then failed: "),
        (STEPS + DONE + raised("load_speech_dataset", MISSING), "training completed, the next set-up then failed: "),
        (STEPS + DONE + raised("callback", MISSING), "training completed, the rest of the script then failed: "),
    ],
    ids=[
        "an evaluation",
        "a script of its own",
        "an export",
        "a next run's directory",
        "a next run's data",
        "a callback",
    ],
)
def test_what_fails_after_training_is_said_with_it(text: str, title: str, report_of: ReportOf) -> None:
    verdict = report_of({"train.log": text}).verdict
    assert verdict.cls not in ("healthy", "unknown")
    assert verdict.title.startswith(title)


@pytest.mark.parametrize(
    "text",
    [
        STEPS + DONE + raised("destroy_process_group", "RuntimeError: no such group"),
        STEPS + DONE + raised("__del__", MISSING),
        STEPS + DONE + raised("callback", MISSING).replace("/opt/job/", "/usr/lib/python3.11/"),
        STEPS + raised("evaluate", MISSING) + STEPS.replace("step ", "step 1") + DONE,
    ],
    ids=["a process group", "a destructor", "Python's own at its exit", "an evaluation that training outlived"],
)
def test_a_loud_teardown_is_no_failure(text: str, report_of: ReportOf) -> None:
    assert report_of({"train.log": text}).verdict.cls == "healthy"


def test_a_job_that_completed_after_failures_says_both(report_of: ReportOf) -> None:
    first = "+ python train.py\n"
    failed = first + raised("main", MISSING)
    verdict = report_of({"train.log": failed * 2 + first + STEPS + DONE}).verdict
    assert (verdict.cls, verdict.title.partition(";")[0]) == ("healthy", "the job completed after 2 failed attempts")
