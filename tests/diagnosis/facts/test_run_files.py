"""Runs in files of their own: the newest one is the job's."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report
from logtui.parsers.pattern import FailureClass

ReportOf = Callable[[Mapping[str, str]], Report]


def ran(hour: int, minutes: int = 9, end: str = "", day: int = 3) -> str:
    lines = (
        f"2031-02-{day:02d} {hour:02d}:{n:02d}:07,123 INFO train: step {n} loss 2.{n}\n" for n in range(1, minutes + 1)
    )
    return "".join(lines) + end


FULL = 'Traceback (most recent call last):\n  File "train.py", line 5, in <module>\n    main()\nOSError: [Errno 28] No space left on device\n'
FAILED = "Traceback (most recent call last):\n  File \"train.py\", line 7, in <module>\n    main()\nKeyError: 'width'\n"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        pytest.param("output-20310203_030000.log", "output-20310203_050000.log", id="stamps"),
        pytest.param(
            "run-20310203_030000-ab12cd34/files/output.log", "run-20310203_050000-zz12cd34/files/output.log", id="W&B"
        ),
        pytest.param("outputs/2031-02-03/03-00-00/train.log", "outputs/2031-02-03/05-00-00/train.log", id="Hydra"),
        pytest.param("slurm-57001.out", "slurm-57118.out", id="job numbers"),
        pytest.param("task_id=fit57/attempt=1.log", "task_id=fit57/attempt=2.log", id="Airflow"),
    ],
)
def test_the_newest_run_decides(report_of: ReportOf, older: str, newer: str) -> None:
    report = report_of({older: ran(3, end=FULL), newer: ran(5, 6, end=FAILED)})
    assert (report.job.attempts, report.job.iso_started) == (2, "2031-02-03T05:01:07.123")
    assert (report.verdict.cls, report.job.last_step) == (FailureClass.SOFTWARE, 6)
    assert report.verdict.first_evidence is not None
    assert report.verdict.first_evidence.file == newer


def test_runs_of_which_no_line_is_known(report_of: ReportOf) -> None:
    def films(day: int) -> str:
        return f"[Mon Feb {day:2d} 03:04:05 2031]\nfilms are cut\n[Mon Feb {day:2d} 03:57:05 2031]\nall of them\n"

    report = report_of({f"films.o{57000 + day}": films(day) for day in (3, 10, 17)})
    assert (report.job.attempts, report.job.iso_started) == (3, "2031-02-17T03:04:05")


def test_a_newest_run_that_is_well_is_well(report_of: ReportOf) -> None:
    report = report_of({"slurm-57001.out": ran(3, end=FULL), "slurm-57118.out": ran(5)})
    assert report.verdict.cls == FailureClass.HEALTHY


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"node-20310203_030000.log": ran(3), "node-20310203_030005.log": ran(3)}, id="one start"),
        pytest.param(
            {"node-20310203_030000.log": ran(3, 50), "node-20310203_032000.log": ran(3)}, id="beside each other"
        ),
        pytest.param(
            {"prepare-20310203_030000.log": ran(3), "train-20310203_050000.log": ran(5)}, id="another program"
        ),
        pytest.param({"slurm-57001.out": ran(3), "slurm-57001.err": FULL}, id="streams of one job"),
        pytest.param({"slurm-57001.out": ran(3), "slurm-57118.out": "no time\n"}, id="no clock says"),
    ],
)
def test_files_of_one_run(report_of: ReportOf, files: Mapping[str, str]) -> None:
    assert report_of(files).job.attempts == 1


@pytest.mark.parametrize(("says", "attempts"), [("Starting attempt {} of 2", 2), ("part {} of 2", 1)])
def test_files_that_are_numbered_by_attempts(says: str, attempts: int, report_of: ReportOf) -> None:
    files = {f"{n}.log": f"[2031-02-03 0{n}:00:07,123] INFO - {says.format(n)}\n{FAILED}" for n in (1, 2)}
    assert report_of(files).job.attempts == attempts
