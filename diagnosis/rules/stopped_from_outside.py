"""Somebody stopped a job that was training: Ctrl-C, a closed terminal, a kill of its launcher."""

from __future__ import annotations

import re
from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exits import is_single_node
from logtui.diagnosis.facts.steps import FURTHER
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.predicates.blame import is_single_process
from logtui.diagnosis.rules.ranking import STOPPED_FROM_OUTSIDE
from logtui.diagnosis.verdict.rule import Advice, Claim, Rule
from logtui.parsers.pattern import FailureClass, Mark, Role
from logtui.parsers.records.record import Record

SENT, CODES = ("SIGTERM", "SIGINT", "SIGHUP"), (-15, -2, -1)
"""Signals that somebody sends: to a child that no launcher stopped before."""
NEAR = 40
"""Lines within which a signal and what it sets off stand together."""
BARS_ABOVE = 40
BAR = re.compile(r"[1-9]\d?%\|[^|]{0,400}\| *[1-9]\d*/\d+ \[|\{'loss': ")
"""A progress bar on its way, a trainer's line of numbers."""
HAND = re.compile(r"SIGHUP|SIGINT|\bsignal: [12]\b|Received [12] death signal")

Stop = tuple[Record, Evidence]
"""A line that tells of a stop, and its citation."""


def _find(facts: Facts) -> Iterator[Claim]:
    marks = sorted([*_interrupts(facts), *_signals(facts)], key=lambda m: (m[0].file, m[0].line))
    lasting = [m for m in marks if _at_work(facts, m[0]) and not facts.recovered(m[0])]
    if not lasting or _failed_before(facts, lasting[0][0]):
        return
    record, evidence = lasting[0]
    yield Claim(
        title="somebody stopped the job while it trained",
        cls=FailureClass.INFRASTRUCTURE,
        first=evidence,
        order=(record.time or 0.0, record.file, record.line),
        rung=STOPPED_FROM_OUTSIDE,
        supporting=tuple(e for _, e in lasting[:4]),
        what="a signal from outside ended the job",
        advice=(Advice("infrastructure", "find out who stopped it: an operator, a closed terminal, the scheduler"),),
    )


def _interrupts(facts: Facts) -> Iterator[Stop]:
    for fact in facts.exceptions:
        if fact.traceback.root.exception.endswith("KeyboardInterrupt"):
            yield fact.record, fact.evidence


def _signals(facts: Facts) -> Iterator[Stop]:
    if is_single_process(facts) or len(facts.case.files) == 1:  # what else failed would stand in the same file
        yield from ((record, cite(facts.case, record)) for record in facts.case.records.marked(Mark.TOLD_TO_STOP))
    if not is_single_node(facts.identity):
        return  # another node may have failed, and its end been passed on
    for record in facts.case.records.marked(Mark.SIGNALLED):
        own = Mark.CHILD_EXIT not in record.pattern.marks
        if own or record.fields.get("signal") in SENT or record.number("exitcode") in CODES:
            yield record, cite(facts.case, record)


def _at_work(facts: Facts, record: Record) -> bool:
    """Whether a signal met a job at work; that a terminal closes or somebody presses Ctrl-C says so by itself."""
    by_hand = Mark.SIGNALLED in record.pattern.marks and HAND.search(record.first_line) is not None
    return by_hand or _trained(facts, record)


def _trained(facts: Facts, record: Record) -> bool:
    """Whether training made progress before it, in its own file."""
    if any(BAR.search(line) for line in facts.case.preceding(record, BARS_ABOVE)):
        return True
    return any(
        s.file == record.file and len(set(s.steps[s.lines < record.line].tolist())) >= FURTHER for s in facts.steps
    )


def _failed_before(facts: Facts, mark: Record) -> bool:
    """Whether anything of the last attempt failed, or waited, before the signal."""
    if facts.collectives.stuck_groups and not _later(facts, mark):
        return True
    loud = (e.record for e in facts.events if e.role in (Role.CAUSE, Role.SYMPTOM))
    return any(
        r.file == mark.file and r.line < mark.line - NEAR and not facts.recovered(r) and _trained(facts, r)
        for r in loud
        if Mark.SIGNALLED not in r.pattern.marks
    )


def _later(facts: Facts, mark: Record) -> bool:
    """Whether all timeouts stand after the signal: its echoes."""
    groups = facts.collectives.stuck_groups
    return all(t.record.file == mark.file and t.record.line > mark.line for g in groups for t in g.timeouts.values())


RULE = Rule(
    id="stopped-from-outside",
    title="Stopped by somebody",
    claim="A signal reached the launcher or the program while training made progress; nothing had failed before.",
    needs="a launcher's line about a signal, or a KeyboardInterrupt, behind step lines",
    refuted_by="training went on after it; something failed or waited before it",
    find=_find,
    maturity="experimental",
)
