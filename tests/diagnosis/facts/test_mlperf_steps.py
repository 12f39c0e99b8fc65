"""How far an MLPerf run came, by its own log."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.facts.mlperf_steps import mlperf_step
from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def logged(key: str, **metadata: object) -> str:
    said = ", ".join(f'"{name}": {value}' for name, value in metadata.items())
    return (
        ':::MLLOG {"namespace": "", "time_ms": 1767323045678, "event_type": "POINT_IN_TIME", '
        f'"key": "{key}", "value": null, "metadata": {{"file": "/w/train.py", "lineno": 57, {said}}}}}'
    )


@pytest.mark.parametrize(
    ("end", "step"),
    [
        ([logged("train_loss", step_num=400, samples_count=409600), logged("eval_stop", samples_count=512000)], 400),
        ([logged("epoch_stop", epoch_num=56), logged("eval_accuracy", epoch_num=57)], 57),
        ([logged("eval_accuracy", epoch_num=0.95), logged("eval_accuracy", epoch_num=1.0)], 1),
        ([logged("block_stop", samples_count=3072000)], 3072000),
        (['"step_num": 400'], None),
        ([], None),
    ],
)
def test_its_unit(end: list[str], step: int | None) -> None:
    assert mlperf_step(end) == step


def test_its_log_is_sought_before_the_ends_of_many_tasks(report_of: ReportOf) -> None:
    begun = logged("submission_benchmark").replace("null", '"cosmoflow"')
    own = "".join(f"Learning rate for epoch {n} is set to 0.00{n}\n" for n in range(1, 43))
    ends = "ENDING TIMING RUN AT 2026-01-02 03:05:57 AM\n" * 4000
    report = report_of({"run.out": f"{begun}\n{own}{logged('eval_accuracy', epoch_num=43)}\n{ends}"})
    assert report.job.last_step == 43
