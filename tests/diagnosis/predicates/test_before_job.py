"""A kernel's log holds more than a job's time."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
XID = "[Fri Jan  2 {clock} 2026] NVRM: Xid (PCI:0000:9a:00): {xid}, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.\n"
SERVED = "".join(f"2026-01-02 18:{n}:05,678 INFO server: answers request {n}\n" for n in range(10, 40))
RAISED = 'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\n    step()\nRuntimeError: CUDA error: unknown error\n'


@pytest.mark.parametrize(
    ("clock", "passed"), [("03:04:05", True), ("18:05:05", False)], ids=["long before", "shortly before it"]
)
def test_what_a_kernel_told_of_before_the_job(clock: str, passed: bool, report_of: ReportOf) -> None:
    fault = "mlx5_core 0000:3b:00.0: Port module event[error]: module 0, Cable error, High Temperature\n"
    kernel = f"[Fri Jan  2 {clock} 2026] {fault}" + XID.format(clock="18:39:06", xid=79)
    verdict = report_of({"dmesg.txt": kernel, "server.log": SERVED + RAISED}).verdict
    assert any("long before the job" in other.why_not for other in verdict.runners_up) is passed
