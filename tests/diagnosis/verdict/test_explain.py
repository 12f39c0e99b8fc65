"""Every line that looks fatal is explained, and one that is not costs confidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.facts.loud_lines import looks_fatal
from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def steps(first: int, last: int, hour: int = 14) -> str:
    return "".join(f"2026-03-05 {hour}:{n:02}:00 INFO step {n}/50 loss 2.{n:02} lr 1e-4\n" for n in range(first, last))


TRACEBACK = """Traceback (most recent call last):
  File "/job/train.py", line 57, in <module>
    main()
  File "/job/train.py", line 41, in main
    scores = model.rate(batch)
AttributeError: 'Model' object has no attribute 'rate'
"""
DONE = "2026-03-05 14:59:00 INFO training finished\n"


def words(report: Report) -> dict[str, str]:
    return {e.what: e.verdict for e in report.explained}


def test_a_job_that_completed_is_well_at_high_confidence(report_of: ReportOf) -> None:
    report = report_of({"train.log": steps(1, 50) + DONE})
    assert (report.verdict.cls, report.verdict.confidence, report.explained) == ("healthy", "high", ())


def test_an_exception_after_the_last_step_costs_high_confidence(report_of: ReportOf) -> None:
    report = report_of({"train.log": steps(1, 50) + TRACEBACK + DONE})
    assert report.verdict.confidence != "high"
    assert "AttributeError: 'Model' object has no attribute 'rate'" in words(report)


def test_an_exception_that_training_survived_does_not(report_of: ReportOf) -> None:
    report = report_of({"train.log": steps(1, 20) + TRACEBACK + steps(20, 50) + DONE})
    assert (report.verdict.cls, report.verdict.confidence) == ("healthy", "high")
    assert words(report) == {"AttributeError: 'Model' object has no attribute 'rate'": "survived"}


def test_an_undeclared_error_at_the_end_is_listed_with_its_line(report_of: ReportOf) -> None:
    report = report_of({"train.log": steps(1, 9) + "ERROR: the flux regulator gave in\n"})
    (row,) = report.explained
    assert (row.verdict, row.evidence.line) == ("cause", 9)  # as the last words of the file, for want of better
    assert report.verdict.confidence == "low"


def test_the_cause_and_what_follows_it_are_told_apart(report_of: ReportOf) -> None:
    oom = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 79.10 GiB"
    text = steps(1, 9) + TRACEBACK.replace("AttributeError: 'Model' object has no attribute 'rate'", oom)
    found = words(report_of({"train.log": text + "FATAL: giving up\n"}))
    assert found["FATAL: giving up"] == "consequence"
    assert set(found.values()) == {"cause", "consequence"}


def test_a_log_that_ends_inside_a_traceback_is_not_healthy(report_of: ReportOf) -> None:
    cut = "\n".join(TRACEBACK.splitlines()[:4]) + "\n"
    assert report_of({"train.log": steps(1, 30) + cut}).verdict.cls == "unknown"


@pytest.mark.parametrize(
    "word", ["Killed", "Terminated", "User defined signal 2", "Segmentation fault (core dumped)", "Bus error"]
)
def test_a_shell_s_last_word_outranks_steps(report_of: ReportOf, word: str) -> None:
    report = report_of({"train.log": steps(1, 30) + word + "\n"})
    assert report.verdict.cls != "healthy"
    assert report.verdict.first_evidence is not None
    assert report.verdict.first_evidence.line == 30


@pytest.mark.parametrize(
    "epilogue",
    [
        "   Exit Status:        1 (Linux Signal 1 or some such)\n",
        "  Exit code:    3\n",
        "Exited with exit code 57.\n",
        "srun: error: node007: task 3: Exited with exit code 1\n",
    ],
)
def test_an_exit_code_after_the_end_forbids_healthy(report_of: ReportOf, epilogue: str) -> None:
    report = report_of({"train.log": steps(1, 30) + DONE + epilogue})
    assert report.verdict.cls != "healthy"


@pytest.mark.parametrize(
    ("text", "loud"),
    [
        ("ERROR: cannot go on", True),
        ("[2026-03-05 14:00:01] [ERROR] trainer.loop: gave in", True),
        ("RuntimeError: odd", True),
        ("worker 7 was killed", True),
        ("process exited with code 3", True),
        ("Floating point exception (core dumped)", True),
        ("WARNING: ERROR_LIMIT is not set", False),
        ("INFO 0 errors so far", False),
        ("validation error 0.12", False),
        ("UserWarning: RuntimeError: is raised later", False),
        ("retrying after RuntimeError: odd", False),
        ("process exited with code 0", False),
        ("loss 2.5 | error rate 0.1", False),
    ],
)
def test_what_looks_fatal(text: str, loud: bool) -> None:
    assert looks_fatal(text) is loud
