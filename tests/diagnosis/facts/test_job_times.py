"""When a job began and ended: by any of its lines, not only by those that a format knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report
from logtui.parsers.prefix.stamp import iso

ReportOf = Callable[[Mapping[str, str]], Report]
STEP = "2025-11-21 04:12:09,000 INFO train: step 57 loss 2.31\n"


@pytest.mark.parametrize(
    ("text", "started", "ended"),
    [
        (
            "2025-11-21 04:00:01 hello\n" + STEP + "2025-11-21 04:57:00 goodbye\n",
            "2025-11-21T04:00:01",
            "2025-11-21T04:57:00",
        ),
        ("2025-11-21,04:00:01 hello\n" + STEP, "2025-11-21T04:00:01", "2025-11-21T04:12:09"),
        ("25-11-21 04:00:01.819 hello\n" + STEP, "2025-11-21T04:00:01.819", "2025-11-21T04:12:09"),
        ("the model of 2019-01-01 00:00:00 is read\n" + STEP, "2025-11-21T04:12:09", "2025-11-21T04:12:09"),
        ("nothing is dated\nstep 57 loss 2.31\n", None, None),
    ],
    ids=["unmatched lines", "a comma", "a short year", "another date", "none"],
)
def test_the_span_of_all_lines(text: str, started: str | None, ended: str | None, report_of: ReportOf) -> None:
    job = report_of({"train.log": text}).job
    assert (iso(job.started), iso(job.ended)) == (started, ended)


def test_a_year_that_only_unmatched_lines_tell(report_of: ReportOf) -> None:
    """Files copied in a later year: what the program dates goes before the date of the copy."""
    text = "2019-11-21 04:00:01 hello\n[rank0]:[W1121 04:12:09.112358132 socket.cpp:697] [c10d] recvValue failed on x\n"
    text += (
        "[rank0]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:683] [Rank 0] Watchdog caught collective operation timeout: "
        "WorkNCCL(SeqNum=7, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600031 milliseconds.\n"
    )
    job = report_of({"train.log": text}).job
    assert (iso(job.started), iso(job.ended)) == ("2019-11-21T04:00:01", "2019-11-21T04:12:09")


def test_a_date_that_the_program_prints_of_something_else_is_no_start(report_of: ReportOf) -> None:
    """The lines below it have no time of their own, and would take it over."""
    other = "2023-02-14 22:19:03,000 INFO sample: made then\n" + "step 9 loss 2.31\n"
    job = report_of({"train.log": STEP * 3 + other + STEP * 3}).job
    assert iso(job.started) == iso(job.ended) == "2025-11-21T04:12:09"
