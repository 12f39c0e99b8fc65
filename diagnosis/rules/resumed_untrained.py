"""A restart counts on from its checkpoint, but its loss is that of a model that has not been trained."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.steps import LEAST, Losses, StepSeries, lost, read_losses
from logtui.diagnosis.rules.ranking import RESUMED_UNTRAINED
from logtui.diagnosis.verdict.rule import Advice, Claim, Rule
from logtui.parsers.pattern import FailureClass

FIRST = 8
"""Values after the restart that say where it stands."""


def _find(facts: Facts) -> Iterator[Claim]:
    if facts.whole is None or facts.is_past or facts.outcome.completed is not None:
        return
    before = facts.whole.of_past(facts.whole.attempts[-2])
    pairs = ((old, new) for new in facts.steps[:2] for old in before.steps if _same(old, new))
    for old, new in pairs:
        earlier = read_losses(before.case, old)
        later = read_losses(facts.case, new, 0, min(len(new.steps), 4 * FIRST))
        if _forgot(earlier, later):
            yield _claim(facts, before, earlier, later)
        return


def _same(old: StepSeries, new: StepSeries) -> bool:
    """Whether two series are one counter's, which the restart took up again; what each epoch counts anew is none."""
    grows = all(bool((np.diff(series.steps) >= 0).all()) for series in (old, new))
    return grows and old.pattern == new.pattern and new.steps[0] > old.steps[0] + LEAST


def _forgot(earlier: Losses, later: Losses) -> bool:
    if len(earlier.values) < LEAST or len(later.values) < FIRST:
        return False
    return lost(earlier.values, later.values, float(np.median(earlier.values[:5])))


def _claim(facts: Facts, before: Facts, earlier: Losses, later: Losses) -> Claim:
    first = cite(facts.case, facts.case.records[int(later.series.rows[later.at[0]])])
    last = cite(before.case, before.case.records[int(earlier.series.rows[earlier.at[-1]])])
    was, now = float(np.median(earlier.values[-30:])), float(np.median(later.values))
    step = int(later.series.steps[0])
    return Claim(
        title=f"resumed at step {step}, but the loss is {now:.3g} where it had been {was:.3g}: other weights",
        cls=FailureClass.SOFTWARE,
        first=first,
        order=(float("inf"), -1, 0),
        rung=RESUMED_UNTRAINED,
        supporting=(first, last),
        missing=("what the restart loaded: weights, optimizer state, position in the data",),
    )


RULE = Rule(
    id="resumed-untrained",
    title="A restart does not continue where it stopped",
    claim="The step counter goes on after a restart, while the loss is back near its first values.",
    needs="two attempts whose step lines print a loss",
    refuted_by="the loss goes on where it was",
    find=_find,
    advice=(
        Advice("training", "compare the names and shapes of the loaded weights with the model's; refuse partial loads"),
        Advice("training", "log the loss of one fixed batch before the save and after the load"),
    ),
    maturity="experimental",
)
