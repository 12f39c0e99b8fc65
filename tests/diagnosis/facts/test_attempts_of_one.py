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


SETTINGS = "".join(f"configuration: {name} of the model\n" for name in ("width", "depth", "heads", "vocabulary"))


def test_an_interpreter_that_crashed_ended_its_run(report_of: ReportOf) -> None:
    crashed = "2031-02-03 04:05:06,123 builds its graph\nFatal Python error: Aborted\n"
    trained = "".join(f"2031-02-03 05:05:{n:02d},123 step {n} loss 2.5\n" for n in range(9))
    report = report_of({"nohup.out": SETTINGS + crashed + SETTINGS + trained})
    assert (report.job.attempts, report.job.iso_started) == (2, "2031-02-03T05:05:00.123")


@pytest.mark.parametrize(
    ("hour", "started"), [pytest.param(9, "09", id="hours later"), pytest.param(4, "04", id="at once")]
)
def test_a_start_long_after_an_end_that_was_meant(report_of: ReportOf, hour: int, started: str) -> None:
    def run(at: int) -> str:
        steps = "".join(f"2031-02-03 {at:02d}:05:{n:02d},123 step {n} loss 2.5\n" for n in range(9))
        return (
            f"{SETTINGS}2031-02-03 {at:02d}:05:00,123 begins\n{steps}2031-02-03 {at:02d}:06:00,123 Training completed\n"
        )

    report = report_of({"nohup.out": run(4) + run(hour)}) if hour != 4 else report_of({"nohup.out": run(4) * 2})
    assert report.job.iso_started == f"2031-02-03T{started}:05:00.123"


FAILED = """torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
============================================================
train.py FAILED
------------------------------------------------------------
Root Cause (first observed failure):
[0]:
  time      : 2031-02-03_{hour}:05:06
  host      : node007
  rank      : 0 (local_rank: 0)
  exitcode  : 2 (pid: 57)
  traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html
============================================================
"""


def test_a_launchers_table_is_of_the_run_that_failed(report_of: ReportOf) -> None:
    banner = "WARNING:torch.distributed.run:\n*****************************************\nSetting OMP_NUM_THREADS\n"
    wrong = "usage: train.py [-h]\ntrain.py: error: unrecognized arguments: --widht 57\n"
    runs = (banner + wrong + FAILED.format(hour=hour) for hour in ("04", "09"))
    assert report_of({"nohup.out": "".join(runs)}).job.iso_started == "2031-02-03T09:05:06"


def test_a_shell_that_traces_each_command_with_other_arguments(report_of: ReportOf) -> None:
    head = "+ echo Logging output to output/log.txt\nLogging output to output/log.txt\n+ python -m core.grasp {}\nSDK_VERSION: 1.13.57\n"
    refused = "usage: grasp.py [-h] [--date DATE]\ngrasp.py: error: unrecognized arguments: {}\n"
    runs = "".join(head.format(name) + refused.format(name) for name in ("Folder_57", "test1"))
    report = report_of({"log.txt": runs + head.format("--date test") + "(480, 640, 3)\n0: 480x640 1 apple\nEnd.\n"})
    assert report.verdict.cls == "healthy"


SERVES = "INFO:     Started server process [{0}]\nINFO:     Waiting for application startup.\n"
REFUSES = "ERROR:serve:the store did not answer\n"
ENDS = "INFO:     Shutting down\nINFO:     Application shutdown complete.\nINFO:     Finished server process [{0}]\n"


def test_a_server_that_was_shut_down_in_order(report_of: ReportOf) -> None:
    served = SERVES.format(57) + REFUSES + ENDS.format(57)
    assert report_of({"api.log": served}).verdict.cls == "healthy"
    assert report_of({"api.log": served + "reads its settings\n" + SERVES.format(75)}).job.attempts == 2
