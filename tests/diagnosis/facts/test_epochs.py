"""Epochs beside the steps that are counted within them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report


def _epoch(number: int) -> str:
    return f"epoch: \t{number}\n" + "".join(f"\t{part}\n\ttime: \t57.{number}\n" for part in ("train", "test"))


def _tuned(many: int) -> str:
    return "".join(f"iteration: \t{n}\n\ttrain\n\tloss: \t2.{n}\n\ttest\n\tloss: \t2.{n}5\n" for n in range(many))


@pytest.mark.parametrize(
    ("behind", "step"),
    [(range(8, 13), 12), (range(8, 9), 23), ((8, 3, 9, 4), 23)],
    ids=["left behind", "within one", "no order"],
)
def test_a_counter_that_the_epochs_left_behind(
    behind: range, step: int, report_of: Callable[[Mapping[str, str]], Report]
) -> None:
    """A part of one epoch is tuned step by step; the epochs go on without it."""
    text = "".join(map(_epoch, range(8))) + _tuned(24) + "".join(map(_epoch, behind))
    assert report_of({"train.log": text}).job.last_step == step
