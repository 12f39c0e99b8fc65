"""The scheduler ended the job: time limit, preemption, cancel, requeue, eviction."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.counted_anew import UNCLOCKED
from logtui.diagnosis.facts.events import Event, is_scheduler
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import LOW
from logtui.diagnosis.predicates.fatality import fatal_exceptions
from logtui.diagnosis.predicates.silence import silence_before
from logtui.diagnosis.rules.ranking import HUNG_FIRST, Rung, declared
from logtui.diagnosis.verdict.rule import Advice, Claim, Rule
from logtui.parsers.pattern import FailureClass, Mark
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex

HANG_SECONDS = 900.0
"""Silence before the end that is longer than this, and than ten steps, is a hang."""
BETWEEN = 4
"""Lines without a word that may stand between a traceback and the scheduler's."""
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
        rung=_rung(event, hung, last),
        hosts=_object(event),
        supporting=tuple(e for e in (first, last) if e is not None),
        direct=last is not None and not hung,
        refuted=_failed_before(facts, event) if at_limit else "",
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


def _rung(event: Event, hung: bool, last: Evidence | None) -> Rung:
    """A limit that a hang ran into is not the cause; without any step nobody knows whether it was one."""
    rung = declared(event.weight)
    if hung and Mark.TIME_LIMIT in event.record.pattern.marks:
        rung = rung.below(HUNG_FIRST)
    return rung.capped(LOW) if last is None and Mark.TIME_LIMIT in event.record.pattern.marks else rung


def _failed_before(facts: Facts, event: Event) -> str:
    """Where a rank failed of its own, and its launcher saw it end, before the job merely ran into its limit."""
    failed = facts.exits.failed
    seen = failed is not None and _stands_before(failed, event.record)
    for fact in fatal_exceptions(facts):
        if _stands_before(fact.record, event.record) and (seen or _last_words(facts, fact, event.record)):
            return f"the program had failed before ({facts.case.file_name(fact.record)}:{fact.record.line})"
    return ""


def _last_words(facts: Facts, fact: ExceptionFact, end: Record) -> bool:
    """Whether nobody said anything between what a rank died of and the end: the others waited for it until then."""
    behind = fact.record.line + fact.traceback.last_index + 1
    alone = fact.record.file == end.file and all(s.file == end.file for s in facts.steps)
    if not alone or not fact.traceback.complete or not 0 <= end.line - behind <= BETWEEN:
        return False
    return not any(text.strip() for text in facts.case.bodies(end.file, behind, end.line - behind))


def _stands_before(record: Record, other: Record) -> bool:
    if record.file == other.file:
        return record.line < other.line
    return record.time is not None and other.time is not None and record.time < other.time


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
