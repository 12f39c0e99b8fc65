"""Whole jobs round exceptions that are really raised here: what ended them, on which ranks; and what they survived."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from raised import RAISED, Fault, lines_of
from raised_jobs import CULPRIT, one_rank, survived
from raised_jobs import every_rank as all_ranks

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def _log(lines: list[str]) -> dict[str, str]:
    return {"job.log": "\n".join(lines) + "\n"}


@pytest.mark.parametrize("fault", RAISED, ids=lambda fault: fault.__name__)
def test_what_was_raised_is_what_ended_the_job(fault: Fault, tmp_path: Path, report_of: ReportOf) -> None:
    shown = list(lines_of(fault, tmp_path))
    alone, everywhere, healthy = (report_of(_log(job(shown))).verdict for job in (one_rank, all_ranks, survived))
    assert {str(alone.cls), str(everywhere.cls)} <= set(RAISED[fault].split())
    assert alone.culprit_ranks == (CULPRIT,)
    assert str(healthy.cls) == "healthy"
