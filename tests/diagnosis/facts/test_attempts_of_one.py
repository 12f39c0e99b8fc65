"""A log whose first run had a launcher and several ranks, and whose later runs are one process each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

START = "wandb: Tracking run with wandb version 0.16.3\n"
OUT_OF_MEMORY = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/train.py", line 57, in step\n'
    "    model.forward(x)\n"
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 57.00 MiB.\n"
)
DISK_FULL = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/train.py", line 75, in save\n'
    "    torch.save(x)\n"
    "OSError: [Errno 28] No space left on device: '/data57/model.pt'\n"
)
LAUNCHER = "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \ntrain.py FAILED\n"


def test_what_ended_the_run_before_is_not_the_last_ones_cause(report_of: ReportOf) -> None:
    log = START + OUT_OF_MEMORY + LAUNCHER + START + OUT_OF_MEMORY + START + DISK_FULL
    assert report_of({"job.log": log}).verdict.cls == "storage-io"


def test_starts_and_exceptions_of_ranks_that_a_launcher_runs_are_one_run(report_of: ReportOf) -> None:
    report = report_of({"job.log": START + OUT_OF_MEMORY + START + DISK_FULL + LAUNCHER})
    assert report.history is None or len(report.history.attempts) < 2


@pytest.mark.parametrize(
    "given", ["srun: job {n} has been allocated resources\n", "salloc: Granted job allocation {n}\n"]
)
def test_a_job_that_is_given_its_resources_begins_behind_the_end_of_another(report_of: ReportOf, given: str) -> None:
    exited = "srun: error: node007: task 0: Exited with exit code 1\n"
    starts = [given.format(n=n) + raised for n, raised in enumerate((DISK_FULL, OUT_OF_MEMORY, DISK_FULL))]
    report = report_of({"nohup.out": exited.join(starts) + exited})
    assert report.history is not None
    assert len(report.history.attempts) == 3
    assert report.verdict.first_evidence is not None
    assert report.verdict.first_evidence.line == 17


def test_a_run_that_left_many_tracebacks_is_followed_by_another(report_of: ReportOf) -> None:
    opening = "".join(
        f"configuration: {name} of the model is 57\n" for name in ("width", "depth", "heads", "vocabulary")
    )
    log = opening + OUT_OF_MEMORY * 200 + opening + DISK_FULL
    report = report_of({"job.log": log})
    assert report.verdict.cls == "storage-io"
    assert report.history is not None and len(report.history.attempts) == 2
