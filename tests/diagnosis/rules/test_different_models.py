"""Who built another model than all others did."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def raised(rank: int, params: int, other: int, others: int) -> str:
    return (
        "Traceback (most recent call last):\n"
        '  File "/opt/job/train.py", line 57, in main\n'
        "    model = DistributedDataParallel(model)\n"
        f"RuntimeError: DDP expects same model across all ranks, but Rank {rank} has {params} params, "
        f"while rank {other} has inconsistent {others} params.\n"
    )


@pytest.mark.parametrize(
    ("models", "odd"),
    [
        pytest.param({0: 57, 1: 75, 2: 75, 3: 75}, (0,), id="the first"),
        pytest.param({0: 75, 1: 75, 2: 57, 3: 75}, (2,), id="another"),
        pytest.param({0: 57, 1: 75}, (), id="one of two"),
        pytest.param({0: 57, 1: 57, 2: 75, 3: 75}, (), id="halves"),
    ],
)
def test_the_odd_one_is_to_blame(report_of: ReportOf, models: dict[int, int], odd: tuple[int, ...]) -> None:
    def against(rank: int) -> int:
        return next(other for other, params in models.items() if params != models[rank])

    text = "".join(raised(rank, n, against(rank), models[against(rank)]) for rank, n in models.items())
    verdict = report_of({"job.log": text}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("collective-mismatch", odd)
