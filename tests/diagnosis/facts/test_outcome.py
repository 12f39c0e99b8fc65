"""Which line of a job's is its ending, where the scheduler ended it later."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
SYNCED = "wandb: Synced 5 W&B file(s), 0 media file(s), 0 artifact file(s) and 0 other file(s)\n"
STOPPED = "slurmstepd: error: *** JOB 4821 ON node07 CANCELLED AT 2026-03-05T15:42:03 DUE TO TIME LIMIT ***\n"


@pytest.mark.parametrize(
    ("lines", "cls"), [(200, "infrastructure"), (4, "healthy")], ids=["a sweep's next run", "its own teardown"]
)
def test_an_ending_long_before_the_time_limit_is_one_runs_of_several(report_of: ReportOf, lines: int, cls: str) -> None:
    said = "".join(f"warning {n}: precision is ill-defined\n" for n in range(lines))
    assert report_of({"job-4821.err": "loading the data\n" + SYNCED + said + STOPPED}).verdict.cls == cls


@pytest.mark.parametrize(
    ("clock", "cls"), [("09:41:00", "infrastructure"), ("15:41:00", "healthy")], ids=["held on", "just in time"]
)
def test_a_job_that_said_its_last_word_and_did_not_end_ran_into_its_limit(
    report_of: ReportOf, clock: str, cls: str
) -> None:
    steps = "".join(f"2026-03-05 09:{n}:00 INFO step {n} loss 2.{n}\n" for n in range(10, 40))
    report = report_of({"out.log": steps + f"2026-03-05 {clock} INFO training finished\n", "err.log": STOPPED})
    assert report.verdict.cls == cls
