"""A pod that starts when the others have given up waiting for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
GAVE_UP = """2026-03-05 10:05:00,000 Traceback (most recent call last):
  File "/venv/lib/python3.11/site-packages/torch/distributed/elastic/rendezvous/c10d_rendezvous_backend.py", line 155, in _create_tcp_store
    store = TCPStore(
torch.distributed.DistStoreError: Socket Timeout
"""


def pod(number: int, minute: int, rest: str = "") -> dict[str, str]:
    return {f"worker-{number}.log": f"2026-03-05 10:{minute:02}:00,000 INFO pod {number} starts torchrun\n{rest}"}


def job(late: Mapping[int, int]) -> dict[str, str]:
    files: dict[str, str] = {}
    for number in range(6):
        files |= pod(number, late.get(number, 0), "" if number in late else GAVE_UP)
    return files


def test_the_late_pod_is_named_with_its_first_line(report_of: ReportOf) -> None:
    report = report_of(job({4: 8}))
    verdict = report.verdict
    assert (verdict.cls, verdict.confidence) == ("init-rendezvous", "medium")
    assert verdict.title.startswith("worker-4.log started 8 minutes after the others")
    cited = {(event.file, event.line) for event in report.timeline}
    assert ("worker-4.log", 1) in cited


@pytest.mark.parametrize("late", [{}, {4: 1}, {3: 8, 4: 8, 5: 8}], ids=["none", "before the others gave up", "half"])
def test_nobody_is_named_without_a_latecomer(report_of: ReportOf, late: Mapping[int, int]) -> None:
    assert "started" not in report_of(job(late)).verdict.title
