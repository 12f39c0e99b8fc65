"""A step of a workflow failed, and its own command says of what."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.evidence import cite, cite_unknown
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.events import Event
from logtui.diagnosis.predicates.step_words import StepWords, step_words
from logtui.diagnosis.rules.ranking import declared
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import Mark

ABOVE_ENGINE, MOST = 2, 8
"""How much stronger the command's own words are than its engine's; failed steps that are asked."""


def _find(facts: Facts) -> Iterator[Claim]:
    failed = [e for e in facts.causes if Mark.STEP_FAILED in e.record.pattern.marks and not facts.recovered(e.record)]
    for event in failed[:MOST]:
        if not facts.is_of_older_run(event.record) and (words := step_words(facts, event.record)) is not None:
            yield _claim(facts, event, words)
            return


def _claim(facts: Facts, event: Event, words: StepWords) -> Claim:
    said, engine = cite_unknown(facts.case, event.record.file, words.line), cite(facts.case, event.record, event.rank)
    return Claim(
        title=f"{event.title}: {words.text[:160]}",
        cls=words.cls,
        first=said,
        order=(event.order[0], event.record.file, min(words.line, event.record.line - 1)),  # above its engine's word
        rung=declared(event.weight + ABOVE_ENGINE),
        supporting=(said, engine),
    )


RULE = Rule(
    id="failed-step",
    title="A step of a workflow failed",
    claim="The engine of a workflow tells that a step failed; what its command complained of is the cause.",
    needs="an engine's line about a failed step, and a complaint of the command above it or quoted below it",
    refuted_by="steps of the workflow that went on to its end; an exception of the command",
    find=_find,
)
