"""Restarts that lose what was trained, and those that do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

SAVED = "  successfully saved checkpoint from iteration      10 to /ckpt/run7\n"
NONE_FOUND = "WARNING: could not find the metadata file /ckpt/run7/latest_checkpointed_iteration.txt\n"
RESTART = "[2026-11-21 05:00:00,166] torch.distributed.elastic.agent.server.api: [INFO] [default] Worker group FAILED. 2/3 attempts left; will restart worker group\n"
DONE = "`Trainer.fit` stopped: `max_steps=12` reached.\n"
RAISED = "Traceback (most recent call last):\n  File \"/opt/job/data.py\", line 3, in load\nKeyError: 'speaker'\n"


def steps(hour: int, first: int = 1, count: int = 12) -> str:
    return "".join(
        f"2026-11-21 {hour:02d}:{n + 1:02d}:00,000 INFO train: step {first + n} loss 2.31 step_time 60.0s\n"
        for n in range(count)
    )


def test_a_checkpoint_that_was_not_found(report_of: ReportOf) -> None:
    verdict = report_of({"run.log": steps(4) + SAVED + RESTART + NONE_FOUND + steps(6)}).verdict
    assert (verdict.rule, verdict.cls, verdict.confidence) == ("started-anew", "software", "low")
    assert verdict.first_evidence is not None
    assert "metadata file" in verdict.first_evidence.text


def test_a_counter_that_begins_again(report_of: ReportOf) -> None:
    verdict = report_of({"run.log": steps(4) + SAVED + RESTART + steps(6)}).verdict
    assert (verdict.rule, verdict.confidence) == ("started-anew", "low")
    assert verdict.missing


@pytest.mark.parametrize(
    "lines",
    [
        steps(4) + SAVED + RESTART + steps(6, 11),
        steps(4) + RESTART + NONE_FOUND + steps(6),
        steps(4) + SAVED + DONE + RESTART + steps(6),
        NONE_FOUND + steps(4) + SAVED,
    ],
    ids=["resumed", "nothing was saved", "a new run on purpose", "a first start"],
)
def test_nothing_was_lost(report_of: ReportOf, lines: str) -> None:
    assert report_of({"run.log": lines}).verdict.cls == "healthy"


def test_what_ended_the_last_attempt_counts_more(report_of: ReportOf) -> None:
    verdict = report_of({"run.log": steps(4) + SAVED + RESTART + steps(6) + RAISED}).verdict
    assert verdict.rule == "first-exception"
