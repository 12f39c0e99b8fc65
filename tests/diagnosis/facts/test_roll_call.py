"""How many workers there were, by how a launcher ends them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

API = "[2026-03-05 15:00:07,120] torch.distributed.elastic.multiprocessing.api: "
BEGIN = "reading the table of contents of the data set\n"
STOP = API + "[WARNING] Sending process {} closing signal SIGTERM\n"
FAILED = API + "[ERROR] failed (exitcode: 1) local_rank: {} (pid: {}) of binary: /usr/bin/python\n"
REPORT = """torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
============================================================
train.py FAILED
------------------------------------------------------------
Failures:
  <NO_OTHER_FAILURES>
------------------------------------------------------------
Root Cause (first observed failure):
[0]:
  time      : 2026-03-05_15:00:07
  host      : node007
  rank      : {0} (local_rank: {0})
  exitcode  : 1 (pid: {1})
  error_file: <N/A>
  traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html
============================================================
"""
DEEPSPEED = "[2026-03-05 15:00:07,120] [INFO] [launch.py:351:main] Process {} exits successfully.\n"
SIGNAL = API + "[WARNING] Received 1 death signal, shutting down workers\n"
OMP = "Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid x\n"


@pytest.mark.parametrize(
    ("text", "size"),
    [
        (BEGIN + STOP.format(811) + STOP.format(813) + FAILED.format(1, 812) + REPORT.format(1, 812), 3),
        (STOP.format(811) + STOP.format(813) + FAILED.format(1, 812) + REPORT.format(1, 812), None),
        (BEGIN + FAILED.format(3, 812) + REPORT.format(3, 812), None),
        (BEGIN + FAILED.format(0, 812) + REPORT.format(0, 812), 1),
        (BEGIN + FAILED.format(0, 812), None),
        (OMP + BEGIN + FAILED.format(0, 812) + REPORT.format(0, 812), None),
        (BEGIN * 2 + FAILED.format(0, 812) + REPORT.format(0, 812), None),
        (BEGIN + FAILED.format(0, 812) + REPORT.format(0, 812).replace("rank      : 0", "rank      : 4"), None),
        (
            BEGIN + "".join(FAILED.format(0, pid) + REPORT.format(0, pid) for pid in (811, 812, 813)),
            None,
        ),
        (SIGNAL + STOP.format(811) + STOP.format(812), 2),
        (BEGIN + DEEPSPEED.format(811) + DEEPSPEED.format(812), 2),
    ],
    ids=[
        "one fails, two are stopped",
        "an excerpt",
        "the fourth of a node fails, three are not named",
        "the only one",
        "the report is cut off",
        "torchrun speaks of each process",
        "two say the same",
        "three launches, one after the other",
        "the first one of a second node",
        "a signal from outside",
        "all end well",
    ],
)
def test_the_workers_of_a_launcher(text: str, size: int | None, report_of: ReportOf) -> None:
    assert report_of({"train.log": text}).job.world_size == size
