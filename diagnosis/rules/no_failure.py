"""Nothing failed in what was read: the job runs, or its end is not in the files."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.rule import Claim, Rule
from logtui.diagnosis.rules.ranking import LEFT_QUIETLY, NO_FAILURE
from logtui.diagnosis.steps import FURTHER
from logtui.parsers.pattern import FailureClass, Mark, Role
from logtui.parsers.record import Record


def _find(facts: Facts) -> Iterator[Claim]:
    if facts.collectives.stuck_groups or facts.exits.failed:
        return
    harmless = {Mark.ORDERLY} | ({Mark.AFTER_EXIT} if _saw_off(facts) is not None else set())
    loud = (e for e in facts.events if e.role is Role.SYMPTOM and harmless.isdisjoint(e.record.pattern.marks))
    if any(not facts.recovered(e.record) for e in loud):
        return
    if not facts.lived:
        yield from _left_quietly(facts)
        return
    series = facts.lived[0]
    if len(set(series.steps.tolist())) < FURTHER:
        return
    record, last = facts.case.records[int(series.rows[-1])], int(series.steps[-1])
    yield Claim(
        title="no failure in the files; " + (f"the last step read is {last}" if facts.steps else "training went on"),
        cls=FailureClass.HEALTHY,
        first=None,
        order=(float("inf"), 0, 0),
        rung=NO_FAILURE,
        supporting=(cite(facts.case, record),),
        what="training makes progress",
        missing=("the line that says how the job ended",),
    )


def _saw_off(facts: Facts) -> Record | None:
    """The first line that PyTorch prints where a process leaves of its own accord."""
    return next(iter(facts.case.records.of("pg.not_destroyed")), None)


def _left_quietly(facts: Facts) -> Iterator[Claim]:
    """Processes that PyTorch saw off at their exit, with nothing raised by anybody: an evaluation, a short test."""
    left = _saw_off(facts) or next(iter(facts.case.records.of("nccl.aborted")), None)
    raised = [e for e in facts.exceptions if not e.ignored]
    caught = [e for e in facts.exceptions if e.ignored]
    causes = [c for c in facts.causes if not any(e.covers(c.record) for e in caught)]
    if left is None or raised or causes or facts.exits.processes:
        return
    yield Claim(
        title="no failure in the files; its processes left by themselves",
        cls=FailureClass.HEALTHY,
        first=None,
        order=(float("inf"), 0, 0),
        rung=LEFT_QUIETLY,
        supporting=(cite(facts.case, left),),
        what="the processes ended",
        missing=("the line that says how the job ended",),
    )


RULE = Rule(
    id="no-failure",
    title="No failure in the files",
    claim="Steps advance to the end of what was read, and no line states a cause that lasted.",
    needs="step lines",
    refuted_by="any cause or echo of a failure after the last steps",
    find=_find,
)
