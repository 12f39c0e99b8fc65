"""Files that just end, in which nobody complains."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

WORK = "".join(f"the {what} is written\n" for what in ("grid", "mask", "wind field", "rain", "cloud"))


@pytest.mark.parametrize(
    ("text", "cls"),
    [
        (WORK, "healthy"),
        ("the grid is written\n" * 9, "unknown"),
        (WORK + "still alive\nstill alive\nwaiting for the rest\n", "unknown"),
        (WORK + "loading the model\nbuilding the graph\nstarting 4 workers\n", "unknown"),
        (WORK + "the run was interrupted\n", "unknown"),
    ],
    ids=["this and that", "one sentence", "waits", "set-up", "a word of trouble"],
)
def test_the_last_words_decide(text: str, cls: str, report_of: ReportOf) -> None:
    verdict = report_of({"job.log": text}).verdict
    assert (verdict.cls, verdict.confidence) == (cls, "low")


def test_every_file_is_asked(report_of: ReportOf) -> None:
    assert (
        report_of({"rank0.log": WORK, "rank1.log": WORK + "connection to rank 0 timed out\n"}).verdict.cls != "healthy"
    )
    assert report_of({"rank0.log": WORK, "rank1.log": WORK}).verdict.cls == "healthy"
