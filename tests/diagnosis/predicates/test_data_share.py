"""Steps that wait for their data for most of their time say so."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

METRIC = (
    "Epoch: [0]  [{n:4d}/5700]  eta: 0:57:00  lr: 0.1  loss: {loss:.4f}  time: {time}  data: {data}  max mem: 5700\n"
)
IMAGENET = "Epoch: [0][{n:4d}/5700]\tTime  {time} ( 0.570)\tData  {data} ( 0.057)\tLoss {loss:.4e} (5.7e+00)\n"


def _log(wording: str, time: str, data: str, steps: int = 57) -> str:
    return "".join(wording.format(n=n * 10, loss=5.7 - n / 100, time=time, data=data) for n in range(steps))


@pytest.mark.parametrize(
    ("text", "share"),
    [
        (_log(METRIC, "5.0000", "4.9000"), "98%"),
        (_log(IMAGENET, "0.500", "0.300"), "60%"),
        (_log(METRIC, "5.0000", "0.0570"), None),
        (_log(METRIC, "5.0000", "4.9000", steps=5), None),
        (_log(METRIC, "0.0000", "0.0000"), None),
    ],
    ids=["nearly all", "more than half", "hardly any", "too few lines", "no time at all"],
)
def test_most_of_a_step_waits_for_data(text: str, share: str | None, report_of: ReportOf) -> None:
    report = report_of({"job.log": text})
    told = [s.what for s in report.symptoms if "waiting for data" in s.what]
    advised = [r.what for r in report.recommendations if "waiting for data" in r.what]
    assert [what.partition(" ")[0] for what in told] == ([share] if share else [])
    assert len(advised) == len(told)
    assert report.verdict.cls == "healthy"
