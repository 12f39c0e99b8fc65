"""The last step, where step lines are not the last word on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
STEPS = "".join(f"step {n} loss 2.{n}\n" for n in range(100, 1000, 100))


@pytest.mark.parametrize(
    ("text", "step"),
    [
        (STEPS, 900),
        (STEPS + "saved checkpoint iter_0000957 to /ckpt\n", 957),
        (STEPS + "Epoch:[1/1](957/957), Reward: 0.1\n", 957),
        (STEPS + "saved checkpoint iter_0004821 to /ckpt\n", 900),
        (
            "  9%|▉         | 57/600 [01:42<14:26,  2.97it/s]\r  9%|▉         | 58/600 [01:43<14:26,  2.97it/s]Killed\n",
            58,
        ),
        ("Train epoch 1:  9%|▉         | 58/600 [01:43<14:26,  2.97it/s]\n", 58),
        ("  0%|          | 0/600 [00:00<?, ?it/s]\n", 0),
        ("Loading shards:  9%|▉         | 58/600 [01:43<14:26,  2.97it/s]\n", None),
        ("nothing\n", None),
    ],
    ids=["lines", "a checkpoint", "full", "too far", "rewritten", "labelled", "begun", "another bar", "none"],
)
def test_the_last_step_that_shows(text: str, step: int | None, report_of: ReportOf) -> None:
    assert report_of({"train.log": text}).job.last_step == step
