"""Figures that are NaN to the end, in a program whose words nobody declared."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
SOUND = "".join(f"[10:20:{n}] Meas {n}/57. Acc=0.8{n}. E=-21{n}.36{n}\n" for n in range(10, 30))
GONE = "".join(f"[10:20:{n}] Meas {n}/57. Acc=0.5{n}. E=NaN\n" for n in range(30, 58))
DONE = "[10:21:00] Measurement Done. Total Time: 57.18s\n"


def test_a_word_of_completion_does_not_make_up_for_them(report_of: ReportOf) -> None:
    verdict = report_of({"simulation.log": SOUND + GONE + DONE}).verdict
    assert verdict.first_evidence is not None
    assert (verdict.cls, verdict.first_evidence.line) == ("software", 21)


@pytest.mark.parametrize(
    "text",
    [
        SOUND + GONE[: GONE.index("\n") + 1] + DONE,
        SOUND + GONE + SOUND + DONE,
        GONE + DONE,
        SOUND + GONE.replace("Meas", "Validation") + DONE,
        SOUND + GONE.replace("E=NaN", "E=-5.7, rate NaN") + DONE,
    ],
    ids=["once", "numbers again", "never numbers", "of an evaluation", "a pace"],
)
def test_others_are_no_failure(text: str, report_of: ReportOf) -> None:
    assert report_of({"simulation.log": text}).verdict.cls in ("healthy", "unknown")
