"""What a job failed of that then waited until its time limit: the ranks that are left wait for the one that raised."""

from __future__ import annotations

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.predicates.fatality import fatal_exceptions
from logtui.parsers.records.record import Record

BETWEEN = 4
"""Lines without a word that may stand between a traceback and the scheduler's."""


def failed_before(facts: Facts, end: Record) -> str:
    """Where a rank failed of its own before the job merely ran into its limit: its launcher saw it end, or nobody spoke
    any more; "" where none did."""
    failed = facts.exits.failed
    seen = failed is not None and _stands_before(failed, end)
    for fact in fatal_exceptions(facts):
        if _stands_before(fact.record, end) and (seen or _last_words(facts, fact, end)):
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
