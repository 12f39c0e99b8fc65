"""A restart that lost what was trained: it counts from the start again though a checkpoint had been written."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.steps import FURTHER, first_step, last_step
from logtui.diagnosis.rules.ranking import STARTED_ANEW, STARTED_ANEW_SAID
from logtui.diagnosis.verdict.rule import Advice, Claim, Rule
from logtui.parsers.pattern import FailureClass, Mark
from logtui.parsers.records.record import Record

LEAST_LOST = 10
"""Fewer steps may have been lost before the first checkpoint was due."""


def _find(facts: Facts) -> Iterator[Claim]:
    if facts.whole is None or facts.is_past or not facts.steps:
        return
    before = facts.whole.of_past(facts.whole.attempts[-2])
    reached, begun, again = last_step(before.steps), first_step(before.steps), first_step(facts.steps)
    if reached is None or begun is None or again is None or before.outcome.completed is not None:
        return
    saved = next(iter(before.case.records.marked(Mark.SAVED)), None)
    said = next(iter(facts.case.records.marked(Mark.NONE_LOADED)), None)
    if again <= begun + FURTHER and reached - begun >= LEAST_LOST and saved is not None:
        yield _claim(facts, before, (begun, reached, again), saved, said)


def _claim(facts: Facts, before: Facts, steps: tuple[int, int, int], saved: Record, said: Record | None) -> Claim:
    begun, reached, again = steps
    series = next(s for s in facts.steps if int(s.steps[0]) == again)
    first = cite(facts.case, said or facts.case.records[int(series.rows[0])])
    return Claim(
        title=f"the restart began again at step {again}: what the attempt before had trained to step {reached} is lost",
        cls=FailureClass.SOFTWARE,
        first=first,
        order=(float("inf"), -1, 0),
        rung=STARTED_ANEW_SAID if said is not None else STARTED_ANEW,
        supporting=(first, cite(before.case, saved)),
        missing=("the line in which the restart looks for its checkpoint",) if said is None else (),
        what=f"training starts anew at step {again} instead of after step {begun} to {reached}",
    )


RULE = Rule(
    id="started-anew",
    title="A restart began from scratch",
    claim="The attempt before wrote a checkpoint and died; the last one counts from the first step again.",
    needs="two attempts with step lines, and a checkpoint written in the first of them",
    refuted_by="the attempt before had completed: a new run on purpose",
    find=_find,
    advice=(
        Advice("training", "check the path and the setting by which the restart finds its newest complete checkpoint"),
        Advice("training", "let a restart that finds no checkpoint fail, where an earlier attempt had written one"),
    ),
    maturity="experimental",
)
