"""Ranks by the GPU that they name as full."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

STEPS = "".join(f"2026-11-21 04:10:{n:02d},000 INFO train: step {n} loss 2.31 step_time 0.500s\n" for n in range(40))
SIZE = (
    "W1121 04:09:57.014000 4821 torch/distributed/run.py:793] Setting OMP_NUM_THREADS environment variable for each process to "
    "be 1 in default\nusing world size: 8, data-parallel size: 8\n"
)


def _full(*devices: int) -> str:
    return "".join(
        'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in <module>\n    loss.backward()\n'
        f"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 5.70 GiB. GPU {device} has a total capacity of "
        "79.10 GiB of which 1.57 GiB is free.\n"
        for device in devices
    )


@pytest.mark.parametrize(
    ("devices", "ranks"),
    [((3,), (3,)), ((3, 5), (3, 5)), ((0, 0), ()), ((9,), ())],
    ids=["one", "two", "each sees one GPU alone", "a device that no rank has"],
)
def test_the_gpu_tells_the_rank(devices: tuple[int, ...], ranks: tuple[int, ...], report_of: ReportOf) -> None:
    verdict = report_of({"train.log": SIZE + STEPS + _full(*devices)}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("gpu-oom", ranks)


def test_the_wording_of_older_releases(report_of: ReportOf) -> None:
    full = _full(3).replace(
        "GPU 3 has a total capacity of 79.10 GiB of which 1.57 GiB is free.", "(GPU 3; 79.10 GiB total)"
    )
    assert report_of({"train.log": SIZE + STEPS + full}).verdict.culprit_ranks == (3,)
