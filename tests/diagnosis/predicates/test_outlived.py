"""A failure behind which work goes on for long has ended nothing; a buffer written late is not such work."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

RAISED = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/validate.py", line 7, in main\n'
    "AttributeError: 'list' object has no attribute 'get_value'\n"
)


def rows(first: int, count: int, kind: str = "dev") -> str:
    return "".join(f"{kind} {n} {4 + n % 7}.3{n % 10}1 {90 - n % 5}.2500\n" for n in range(first, first + count))


@pytest.mark.parametrize(("behind", "cls"), [(1500, "healthy"), (400, "software")])
def test_work_of_thousands_of_lines_outlives_an_exception(report_of: ReportOf, behind: int, cls: str) -> None:
    report = report_of({"job.err": rows(1, 60) + RAISED + rows(61, behind)})
    assert str(report.verdict.cls) == cls


def test_what_a_launcher_saw_end_is_not_outlived(report_of: ReportOf) -> None:
    ended = "E1121 04:12:12.014000 118 torch/distributed/elastic/multiprocessing/api.py:1002] failed (exitcode: 1) local_rank: 0 (pid: 42) of binary: /usr/bin/python3\n"
    report = report_of({"job.err": rows(1, 60) + RAISED + ended + rows(61, 1500)})
    assert str(report.verdict.cls) == "software"
