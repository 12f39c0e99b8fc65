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
