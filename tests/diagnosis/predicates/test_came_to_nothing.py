"""A program that says it is done, and shortly before that nothing came of it: no report is sure of that."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
STEPS = "".join(f"2031-02-03 04:{n:02}:09 INFO step {n * 10} loss {2 - n / 50:.4f}\n" for n in range(1, 40))
DONE = "2031-02-03 04:50:09 INFO Training completed successfully.\n"


@pytest.mark.parametrize(
    "said",
    [
        "[!] could not load best.pt, keeping the initial weights",
        "2031-02-03 04:49:01 INFO qa: 0 samples processed in 0.0 s",
        "2031-02-03 04:49:01 INFO gate: the tasks qa, ner have no score",
        "| ner  |   0 | f1  |  nan |",
        "2031-02-03 04:49:01 INFO the candidate was not promoted",
    ],
)
def test_it_is_not_sure(report_of: ReportOf, said: str) -> None:
    verdict = report_of({"a.log": STEPS + said + "\n" + DONE}).verdict
    assert (verdict.cls, verdict.confidence) == ("healthy", "medium")


@pytest.mark.parametrize(
    "said",
    [
        "2031-02-03 04:49:01 INFO qa: 570 samples processed in 57.0 s",
        "2031-02-03 04:49:01 INFO skipped 0 samples",
        "| ner  |  57 | f1  | 0.57 |",
    ],
)
def test_what_came_out_leaves_it_sure(report_of: ReportOf, said: str) -> None:
    verdict = report_of({"a.log": STEPS + said + "\n" + DONE}).verdict
    assert (verdict.cls, verdict.confidence) == ("healthy", "high")
