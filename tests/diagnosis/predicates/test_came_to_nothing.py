"""A program that says it is done, and shortly before that nothing came of it: no report is sure of that."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
STEPS = "".join(f"2031-02-03 04:{n:02}:09 INFO step {n * 10} loss {2 - n / 50:.4f}\n" for n in range(1, 40))
DONE = "2031-02-03 04:50:09 INFO Training completed successfully.\n"


@pytest.mark.parametrize(
    ("said", "confidence"),
    [
        ("[!] could not load best.pt, keeping the initial weights", "medium"),
        ("2031-02-03 04:49:01 INFO qa: 0 samples processed in 0.0 s", "medium"),
        ("2031-02-03 04:49:01 INFO gate: the tasks qa, ner have no score", "medium"),
        ("| ner  |   0 | f1  |  nan |", "medium"),
        ("2031-02-03 04:49:01 INFO the candidate was not promoted", "medium"),
        ("2031-02-03 04:49:01 INFO qa: 570 samples processed in 57.0 s", "high"),
        ("2031-02-03 04:49:01 INFO skipped 0 samples", "high"),
        ("| ner  |  57 | f1  | 0.57 |", "high"),
    ],
)
def test_how_sure_it_is_of_a_completed_job(report_of: ReportOf, said: str, confidence: str) -> None:
    verdict = report_of({"a.log": STEPS + said + "\n" + DONE}).verdict
    assert (verdict.cls, verdict.confidence) == ("healthy", confidence)
