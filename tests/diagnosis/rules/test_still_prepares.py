"""Ranks that wait for one that still fills the cache of a data set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def _bar(label: str, done: int, total: int) -> str:
    return f"{label}: {100 * done // total:3d}%|{'#' * 3:10}| {done}/{total} [16:41<09:30,  1.31s/ba]"


def _rewritten(label: str, done: int, total: int) -> str:
    return "\r".join(_bar(label, n, total) for n in range(done + 1))


GROWING = "\r".join(f"Generating train split: {n} examples [16:{n:02d}, 11.64 examples/s]" for n in range(40))


@pytest.mark.parametrize("rest", ["", "\n", "\n\n"], ids=["glued", "own-line", "blank-between"])
@pytest.mark.parametrize(
    "bar",
    [_rewritten("Running tokenizer on dataset", 51, 814), _rewritten("Map (num_proc=8)", 7, 20), GROWING],
    ids=["tokenizer", "map", "no-total"],
)
def test_the_rank_that_does_not_wait_prepares(bar: str, rest: str, report_of: ReportOf, lines: Any) -> None:
    text = "world_size: 8\n" + bar + rest + "".join(lines.victim(r) for r in range(1, 8))
    verdict = report_of({"job.log": text}).verdict
    assert (verdict.rule, verdict.cls, verdict.culprit_ranks) == ("still-prepares", "data-loading-stall", (0,))
    assert verdict.first_evidence is not None and verdict.first_evidence.line == 2


@pytest.mark.parametrize(
    "above",
    [
        _rewritten("Running tokenizer on dataset", 51, 51) + "\n",
        _rewritten("Running tokenizer on dataset", 20, 51) + "\nstarting to train\n",
        _rewritten("Training", 20, 51) + "\n",
    ],
    ids=["finished", "something-since", "the-training-itself"],
)
def test_a_bar_that_shows_no_preparation_settles_nothing(above: str, report_of: ReportOf, lines: Any) -> None:
    text = "world_size: 8\n" + above + "".join(lines.victim(r) for r in range(1, 8))
    assert report_of({"job.log": text}).verdict.rule != "still-prepares"


def test_who_says_what_it_does_is_believed(report_of: ReportOf, lines: Any) -> None:
    text = "[rank5]: saving checkpoint to /ckpt/step_57\n" + _rewritten("Map", 7, 20) + "\n"
    text += "".join(lines.victim(r) for r in range(8) if r != 5) + lines.notified(5)
    verdict = report_of({"job.log": text}).verdict
    assert (verdict.rule, verdict.cls, verdict.culprit_ranks) == ("never-entered", "software", (5,))
