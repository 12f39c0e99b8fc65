"""What stands below an import that failed: another start that came past it, or the script's own words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
RAISED = (
    'Traceback (most recent call last):\n  File "/opt/job/run57.py", line 4, in <module>\n    import model57\n'
    "ModuleNotFoundError: No module named 'model57'\n"
)


@pytest.mark.parametrize(
    ("behind", "is_failure"),
    [
        ("day=0.05\nday=0.1\nday=0.2\nday=0.3\n", False),
        ("day=0.05\nday=0.1\n", True),
        ("job 57 ended\nback in 5 s\nstarted at 3\nended at 4\n", True),
        ("", True),
    ],
    ids=["it counts", "too few", "words of a script", "nothing"],
)
def test_an_import_that_failed_above_a_start_that_came_past_it(
    behind: str, is_failure: bool, report_of: ReportOf
) -> None:
    verdict = report_of({"nohup.out": 2 * RAISED + behind}).verdict
    assert (verdict.cls in ("software", "config")) is is_failure


UNCAUGHT = RAISED.replace("ModuleNotFoundError: No module named 'model57'", "RuntimeError: CUDA out of memory.")
AT_EXIT = (
    'Error in atexit._run_exitfuncs:\nTraceback (most recent call last):\n  File "/opt/py/lib/python3.11/util.py", line 57, '
    "in _exit_function\n    p.join()\nKeyboardInterrupt\n"
)
NEXT = "the sizes are 57 96 96\n" + "".join(
    f"\titers: {n}00, speed: 0.40{n % 7}s/iter, left: {5 * n}\n" for n in range(1, 240)
)


@pytest.mark.parametrize(
    ("text", "is_failure"),
    [(UNCAUGHT + NEXT, False), (UNCAUGHT + AT_EXIT + NEXT, False), (NEXT + UNCAUGHT, True), (UNCAUGHT + NEXT[:160], True)],
    ids=["the next program", "behind its exit handlers", "above", "just begun"],
)  # fmt: skip
def test_the_next_program_of_a_script_advances(text: str, is_failure: bool, report_of: ReportOf) -> None:
    verdict = report_of({"nohup.out": text}).verdict
    assert (verdict.cls == "gpu-oom") is is_failure
