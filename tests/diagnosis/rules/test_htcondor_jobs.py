"""Jobs under HTCondor, by its event log alone: how the last of them ended decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def job(number: int, *told: str) -> str:
    """The events of one job: submitted, started, and what came of it."""
    head = f"({57 + number}.000.000) 2026-01-02 0{number}:"
    events = [
        f"000 {head}04:05 Job submitted from host: <10.0.0.5:9618>",
        f"001 {head}05:06 Job executing on host: <x>",
    ]
    return "".join(f"{event}\n...\n" for event in (*events, *(text.format(head=head) for text in told)))


WELL = "005 {head}15:16 Job terminated.\n\t(1) Normal termination (return value 0)"
CODE = "005 {head}15:16 Job terminated.\n\t(1) Normal termination (return value 57)"
KILLED = "005 {head}15:16 Job terminated.\n\t(0) Abnormal termination (signal 9)\n\t(0) No core file"
MEMORY = "012 {head}15:16 Job was held.\n\tJob has gone over cgroup memory limit of 5700 megabytes. Last measured usage: 5701"
LONG = "012 {head}15:16 Job was held.\n\tThe job exceeded allowed job duration of 2+00:00:00"
REMOVED = "009 {head}15:16 Job was aborted.\n\tvia condor_rm (by user u57)"


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        (job(1, WELL), "healthy"),
        (job(1, CODE), "software"),
        (job(1, KILLED), "host-oom"),
        (job(1, MEMORY), "host-oom"),
        (job(1, LONG), "infrastructure"),
        (job(1, REMOVED), "infrastructure"),
        (job(1, MEMORY) + job(2, REMOVED) + job(3, WELL), "healthy"),
    ],
    ids=["well", "exit code", "killed", "memory", "time limit", "removed", "earlier jobs"],
)
def test_the_last_job_decides(report_of: ReportOf, log: str, expected: str) -> None:
    assert report_of({"job.log": log}).verdict.cls == expected
