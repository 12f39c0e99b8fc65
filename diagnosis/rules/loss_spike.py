"""The loss jumped up and stayed there: training goes on, and learns nothing any more."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.steps import Losses, last_run, lasting_rise, read_losses
from logtui.diagnosis.predicates.fatality import fatal_exceptions
from logtui.diagnosis.predicates.phase_change import another_pace
from logtui.diagnosis.rules.ranking import LOSS_SPIKE
from logtui.diagnosis.verdict.rule import Advice, Claim, Rule
from logtui.parsers.pattern import FailureClass

LOOKED_AT = 2
"""Series that are asked, the longest first."""


def _find(facts: Facts) -> Iterator[Claim]:
    if facts.collectives.stuck_groups or facts.exits.failed or facts.outcome.completed or fatal_exceptions(facts):
        return
    for series in facts.steps[:LOOKED_AT]:
        losses = read_losses(facts.case, series, last_run(series))
        at = lasting_rise(losses)
        if at is not None:
            yield _claim(facts, losses, at)
            return


def _claim(facts: Facts, losses: Losses, at: int) -> Claim:
    before, after = float(np.median(losses.values[max(0, at - 30) : at])), float(np.median(losses.values[at:]))
    series, begin = losses.series, _first_high(facts, losses, at, before)
    record, step = facts.case.records[int(series.rows[begin])], int(series.steps[begin])
    first = cite(facts.case, record)
    last = cite(facts.case, facts.case.records[int(series.rows[-1])])
    return Claim(
        title=f"the loss rose from {before:.3g} to {after:.3g} at step {step} and did not come down again",
        cls=FailureClass.SOFTWARE,
        first=first,
        order=record.order,
        rung=LOSS_SPIKE,
        supporting=(first, last),
        missing=("learning rate, gradient norm and data of the steps before it",),
        refuted=_refuted(losses, at),
    )


MUCH, MANY, TWICE = 20, 10, 2
"""Lines between two losses that are much, also compared with what is usual and with the most of all."""
RISES = 3
"""Losses over which one rises, at most, where another run begins."""
QUARTERS, LEAST_IN, LEARNS = 4, 50, 0.95
"""Parts of the losses behind a rise, so many in each at least; how far the last one falls below the first."""


def _refuted(losses: Losses, at: int) -> str:
    """Why a rise is no failure: another phase began there, or what is learnt from there on is another loss."""
    if _counts_anew(losses, at):
        return "the counter begins anew there: another part of the job began"
    if _lies_apart(losses, at):
        return "much else was said right before it: another part of the job began"
    if another_pace(losses, at):
        return "steps take another time from there on: another phase began"
    behind = losses.values[at:]
    if len(behind) < QUARTERS * LEAST_IN:
        return ""
    parts = [float(np.median(part)) for part in np.array_split(behind, QUARTERS)]
    falls = parts[-1] <= LEARNS * parts[0] and all(later < earlier for earlier, later in pairwise(parts))
    return "it falls again from quarter to quarter since: another loss is learnt" if falls else ""


def _counts_anew(losses: Losses, at: int) -> bool:
    """Whether the counter of steps falls right before a loss, or as it rises."""
    steps = losses.series.steps[losses.at[max(0, at - RISES) : at + 1].astype(int)]
    return bool((np.diff(steps) < 0).any())


def _lies_apart(losses: Losses, at: int) -> bool:
    """Whether so much stands above a loss as nowhere else between two of them."""
    gaps = np.diff(losses.series.lines[losses.at[: at + 1].astype(int)])
    before, here = gaps[:-1], int(gaps[-1])
    return len(before) > 0 and here >= max(MUCH, MANY * float(np.median(before)), TWICE * int(before.max()))


def _first_high(facts: Facts, losses: Losses, at: int, before: float) -> int:
    """The first line of the series that is high: between the last calm value that was read and the first high one."""
    begin, end = int(losses.at[at - 1]) + 1, int(losses.at[at]) + 1
    finer = read_losses(facts.case, losses.series, begin, end)
    middle = (before + float(losses.values[at])) / 2
    high = finer.at[finer.values > middle]
    return int(high[0]) if len(high) else end - 1


RULE = Rule(
    id="loss-spike",
    title="The loss jumped and stayed high",
    claim="From one step on the loss lies far above what it was, beyond its usual spread, until the log ends.",
    needs="step lines that print a loss",
    refuted_by="the loss comes down again, or falls steadily from its new height; steps take another time too; "
    "the job failed of something, or completed",
    find=_find,
    advice=(
        Advice(
            "training", "go back to a checkpoint before that step; skip its batches, or lower the learning rate there"
        ),
        Advice("training", "clip gradients, and stop a run whose loss stays above its best for long"),
        Advice("hardware", "if the same data do not do it again, test the GPUs of the ranks that computed that step"),
    ),
    maturity="experimental",
)
