"""The scheduler ended the job: time limit, preemption, cancel, requeue, eviction."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.counted_anew import UNCLOCKED
from logtui.diagnosis.facts.events import Event, is_scheduler
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import LOW, MEDIUM
from logtui.diagnosis.predicates.before_limit import failed_before
from logtui.diagnosis.predicates.silence import silence_before
from logtui.diagnosis.rules.ranking import HUNG_FIRST, Rung, declared
from logtui.diagnosis.verdict.rule import Advice, Claim, Rule
from logtui.parsers.pattern import FailureClass, Mark
from logtui.parsers.regex import regex

HANG_SECONDS = 900.0
"""Silence before the end that is longer than this, and than ten steps, is a hang."""
_NODE = regex(r"(?:^|\s)(?:node/|on node )([a-z0-9][a-z0-9.-]{0,252})\b")
_POD = regex(r'(?:(?:^|\s)pod/|object="(?:[\w.-]{1,63}/)?)([a-z0-9][a-z0-9.-]{0,252})')
"""The column OBJECT of `kubectl get events`, the message behind it, and klog's `object=`."""


def _find(facts: Facts) -> Iterator[Claim]:
    for event in (e for e in facts.causes if is_scheduler(e)):
        if not _trained_on(facts, event):
            yield _claim(facts, event)
            return


def _trained_on(facts: Facts, event: Event) -> bool:
    """An earlier attempt's end, in a file that later attempts append to."""
    return facts.recovered(event.record)


def _claim(facts: Facts, event: Event) -> Claim:
    first = cite(facts.case, event.record)
    silence, at_limit = _silence(facts, event), Mark.TIME_LIMIT in event.record.pattern.marks
    last = _last_step(facts)
    hung = silence is not None and silence > HANG_SECONDS
    return Claim(
        title=event.title + (f"; nothing had moved for {(silence or 0) / 60:.0f} minutes before" if hung else ""),
        cls=FailureClass.INFRASTRUCTURE,
        first=first,
        order=event.order,
        rung=_rung(event, hung, LOW if last is None else MEDIUM if silence is None else None),
        hosts=_object(event),
        supporting=tuple(e for e in (first, last) if e is not None),
        direct=last is not None and not hung,
        refuted=failed_before(facts, event.record) if at_limit else "",
        missing=("what the ranks were doing: stacks, flight-recorder dumps",) if hung else (),
        advice=(Advice("infrastructure", "ask for more time, or checkpoint more often, and resubmit"),)
        if at_limit
        else (),
    )


def _object(event: Event) -> tuple[str, ...]:
    """The node, or else the pod, that an event of Kubernetes is about; nobody is at fault for being preempted."""
    text = event.record.first_line
    found = None if "reempt" in text else _NODE.search(text) or _POD.search(text)
    return (found[1],) if found else ()


def _rung(event: Event, hung: bool, most: str | None) -> Rung:
    """A limit that a hang ran into is not the cause; without any step, or its time, nobody knows whether it was one."""
    rung = declared(event.weight)
    if hung and Mark.TIME_LIMIT in event.record.pattern.marks:
        rung = rung.below(HUNG_FIRST)
    return rung.capped(most) if most is not None and Mark.TIME_LIMIT in event.record.pattern.marks else rung


def _silence(facts: Facts, event: Event) -> float | None:
    """Seconds between the last words and the end; preemption and lost nodes need no hang to explain them."""
    if event.record.time is None or event.record.time_from in UNCLOCKED:
        return None
    return silence_before(facts, event.record)


def _last_step(facts: Facts) -> Evidence | None:
    if not facts.steps:
        return None
    return cite(facts.case, facts.case.records[int(facts.steps[0].rows[-1])])


RULE = Rule(
    id="scheduler-end",
    title="The scheduler ended the job",
    claim="Nothing was wrong with the program before: time limit, preemption, cancel or node state ended it.",
    needs="the scheduler's line",
    refuted_by="training went on after it (an earlier attempt); anything that failed before",
    find=_find,
    references=("SchedMD slurmstepd req.c", "Kubernetes event reasons"),
)
