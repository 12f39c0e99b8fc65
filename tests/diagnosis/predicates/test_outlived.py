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


LOGGED = (
    "2026-01-02 03:04:05 — ERROR — Fatal error: the reader does not answer\n"
    "Traceback (most recent call last):\n"
    '  File "/opt/job/main.py", line 57, in main\n'
    "    reader.begin()\n"
    "ValueError: unknown reader 57\n"
)
FRAMES = "2026-01-02 {h:02d}:{n:02d}:05 — INFO — Performance | Frame {n}0 | {n} objects seen\n"


@pytest.mark.parametrize(("later", "cls"), [(99, "healthy"), (3, "software")], ids=["many", "few"])
def test_what_a_logger_dated_above_its_traceback(report_of: ReportOf, later: int, cls: str) -> None:
    begun = "2026-01-02 03:04:01 — INFO — starts up\n"
    behind = "".join(FRAMES.format(n=n % 60, h=4 + n // 60) for n in range(later))
    later_on = "2026-01-02 04:04:01 — INFO — looks at the frames\n"
    assert str(report_of({"app.log": begun + LOGGED + later_on + behind}).verdict.cls) == cls
    again = begun + LOGGED + begun.replace("03:", "04:") + behind
    assert str(report_of({"app.log": again}).verdict.cls) == "healthy"  # it was started once more


NO_MODULE = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/run57.py", line 7, in <module>\n'
    "    import carrots\n"
    "ModuleNotFoundError: No module named 'carrots'\n"
)


@pytest.mark.parametrize(
    ("behind", "cls"),
    [
        ("".join(f"Battle {n}/30: saved, score 0.{n}\n" for n in range(1, 31)) + "all results saved\n", "healthy"),
        ("starts up\n", "software"),
    ],
    ids=["the next program worked", "nothing came of it"],
)
def test_an_import_that_failed_above_another_programs_work(report_of: ReportOf, behind: str, cls: str) -> None:
    assert str(report_of({"job.log": NO_MODULE + behind}).verdict.cls) == cls


def test_an_import_that_failed_above_a_program_that_complains(report_of: ReportOf) -> None:
    behind = "".join(f"Battle {n}/30: failed\n" for n in range(1, 31))
    assert str(report_of({"job.log": NO_MODULE + behind}).verdict.cls) != "healthy"


def test_an_exception_far_above_a_programs_word_that_all_is_done(report_of: ReportOf) -> None:
    later = "".join(f"{'field grid mask'.split()[n % 3]} {n} is read\n" for n in range(1200))
    assert report_of({"run.log": RAISED + later + "all data stored.\n"}).verdict.cls == "healthy"
    assert report_of({"run.log": RAISED + "all data stored.\n"}).verdict.cls != "healthy"


@pytest.mark.parametrize(
    ("between", "later", "cited"),
    [
        (150, "IndexError: 7 of 57", "IndexError"),
        (9, "IndexError: 7 of 57", "IndexError"),
        (9, "KeyboardInterrupt", "KeyError"),
        (150, "KeyError: 57", "KeyError"),
    ],
    ids=["of something else, far below", "near", "by hand", "of the same"],
)
def test_a_script_that_ended_again(between: int, later: str, cited: str, report_of: ReportOf) -> None:
    raised = 'Traceback (most recent call last):\n  File "train57.py", line 57, in <module>\n    train()\n{}\n'
    text = raised.format("KeyError: 57") + "".join(f"{n}\n" for n in range(between)) + raised.format(later)
    evidence = report_of({"nohup.out": text}).verdict.first_evidence
    assert evidence is not None and evidence.text.startswith(cited)


def test_processes_of_one_launcher_raise_beside_each_other(report_of: ReportOf) -> None:
    begun = "W0203 04:05:06.789000 57 torch/distributed/run.py:779] Setting OMP_NUM_THREADS environment variable for each process to be 1\n"
    raised = 'Traceback (most recent call last):\n  File "train57.py", line 57, in <module>\n    train()\n{}\n'
    text = begun + raised.format("KeyError: 57") + raised.format("IndexError: 7 of 57")
    evidence = report_of({"nohup.out": text}).verdict.first_evidence
    assert evidence is not None and evidence.text.startswith("KeyError")


NOT_LOADED = "{}: error while loading shared libraries: libweave57.so: cannot open shared object file: No such file or directory\n"


@pytest.mark.parametrize(("behind", "line"), [(NO_MODULE, 6), ("", 1)], ids=["the job's own end", "nothing else"])
def test_a_helper_that_did_not_begin(behind: str, line: int, report_of: ReportOf) -> None:
    evidence = report_of({"job.err": NOT_LOADED.format("flatpak") + "\n" + behind}).verdict.first_evidence
    assert evidence is not None and evidence.line == line
