"""Runs that somebody stopped by hand and began anew in the same file, and parts of one job that look alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def at(second: int, text: str) -> str:
    return f"2031-02-03 {7 + second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d},000:INFO: {text}\n"


def run(second: int, epochs: int, opening: str = "-- a training is set up", of: int = 57) -> str:
    """A run that says something, then an epoch each twenty seconds."""
    told = (
        at(second + 20 * n, f"Epoch {n}/{of}") + at(second + 20 * n + 9, f"- Train metrics: loss: 1.{n}")
        for n in range(1, epochs + 1)
    )
    return (at(second, opening) + "    - width: 57\n" if opening else "") + "".join(told)


@pytest.mark.parametrize(
    ("text", "started"),
    [
        pytest.param(run(0, 9) + run(300, 9), "2031-02-03T07:05:00", id="cut short"),
        pytest.param(run(0, 9, of=9) + run(300, 9, of=9), "2031-02-03T07:00:00", id="came to its end"),
        pytest.param(
            run(0, 9) + at(190, "early stopping") + run(300, 9), "2031-02-03T07:00:00", id="says that it stops"
        ),
        pytest.param(run(0, 9) + run(300, 9, "-- fold 2"), "2031-02-03T07:00:00", id="a fold"),
        pytest.param(run(0, 9, of=9) + run(1500, 9, of=9), "2031-02-03T07:25:00", id="behind a long rest"),
    ],
)
def test_where_the_newest_run_begins(text: str, started: str, report_of: ReportOf) -> None:
    text = at(0, "the fields are read") + text
    assert report_of({"train.log": text}).job.iso_started == started
