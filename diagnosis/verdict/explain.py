"""What a verdict makes of every line that looks fatal: its cause, a consequence, survived, noise, or unexplained.

A conclusion that leaves a loud line unexplained may still be right; it is not proven. So high confidence needs none,
and the report lists them. What is asked of a line, in this order: is it the cause itself; did the program say that it
went on, or did training; did a rule refute it, and why; does it stand after the cause.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from logtui.diagnosis.evidence import cite, cite_unknown
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.events import Event
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.facts.loud_lines import LoudLine
from logtui.diagnosis.model.analyses import Explained
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.predicates.fatality import why_survived
from logtui.diagnosis.rules.ranking import TELLING
from logtui.diagnosis.verdict.engine import Decision
from logtui.diagnosis.verdict.rule import Claim
from logtui.parsers.pattern import FailureClass, Mark, Role

CAUSE, CONSEQUENCE, SURVIVED, NOISE, UNEXPLAINED = "cause", "consequence", "survived", "noise", "unexplained"
LISTED = 60
"""Rows that are kept, unexplained ones first."""
OF_ONE = 8
"""Lines of one pattern that are told of."""
BESIDE_S = 1.0
"""Stamps of different programs agree no better than this."""
BESIDE_LINES = 3
"""Lines of one event stand so near each other."""
HARMLESS = frozenset({Mark.ORDERLY, Mark.AFTER_EXIT})


def explain(facts: Facts, decision: Decision) -> tuple[Explained, ...]:
    """Every line that looks fatal, folded by kind, with what the verdict makes of it; unexplained ones first."""
    story = _Story(facts, decision)
    found = _folded([*_exceptions(facts, story), *_events(facts, story), *_undeclared(facts, story)])
    found.sort(key=lambda e: e.verdict != UNEXPLAINED)
    return tuple(found[:LISTED])


def unexplained(rows: Iterable[Explained]) -> list[Explained]:
    """Those that speak against certainty."""
    return [e for e in rows if e.verdict == UNEXPLAINED]


class _Story:
    """The verdict, and where lines stand to it."""

    def __init__(self, facts: Facts, decision: Decision) -> None:
        self.claim: Claim | None = decision.winner.claim if decision.winner else None
        self.healthy = self.claim is not None and self.claim.cls is FailureClass.HEALTHY
        self._facts = facts
        cited = (self.claim.first, *self.claim.supporting) if self.claim and not self.healthy else ()
        self._cited = {(e.file, e.line) for e in cited if e is not None}
        self._refuted = {
            (e.file, e.line): s.claim.refuted
            for s, _ in decision.losers
            if s.claim.refuted and not self.healthy  # a completion refutes what stands before it alone
            for e in (s.claim.first, *s.claim.supporting)
            if e is not None
        }

    def is_cited(self, line: Evidence) -> bool:
        """Whether the verdict rests on a line."""
        return (line.file, line.line) in self._cited

    def why_refuted(self, line: Evidence) -> str:
        """Why a rule that claimed a line fell."""
        return self._refuted.get((line.file, line.line), "")

    def follows(self, line: Evidence, time: float | None) -> bool:
        """Whether a line stands at or after the cause: by place in its file, between files by time."""
        claim = self.claim
        if claim is None or self.healthy:
            return False
        if claim.first is not None and claim.first.file == line.file:
            return line.line >= claim.first.line - BESIDE_LINES
        return time is None or not claim.order[0] or time >= claim.order[0] - BESIDE_S

    def make_of(self, line: Evidence, time: float | None) -> tuple[str, str]:
        """What is left to say of a line that nothing showed to be harmless."""
        if self.is_cited(line):
            return CAUSE, ""
        if why := self.why_refuted(line):
            return SURVIVED, why
        if self.follows(line, time):
            return CONSEQUENCE, "it stands after the cause"
        if self.claim is not None and not self.healthy:
            return UNEXPLAINED, "it stands before the cause that was found"
        return UNEXPLAINED, "nothing that was read says how it ended"


def _exceptions(facts: Facts, story: _Story) -> Iterator[Explained]:
    cited = {(f.row.title, f.headline) for f in facts.exceptions if not story.healthy and story.is_cited(f.evidence)}
    for fact in facts.exceptions:
        word, why = _of_exception(facts, story, fact)
        if word == UNEXPLAINED and (fact.row.title, fact.headline) in cited:
            word, why = CAUSE, "the same exception on another rank"
        yield Explained(word, why, fact.headline[:120], fact.evidence)


def _of_exception(facts: Facts, story: _Story, fact: ExceptionFact) -> tuple[str, str]:
    if not story.is_cited(fact.evidence) and (why := why_survived(facts, fact)):
        return SURVIVED, why
    if fact.row.role is Role.NOISE:
        return NOISE, fact.row.title
    return story.make_of(fact.evidence, fact.record.time)


def _events(facts: Facts, story: _Story) -> Iterator[Explained]:
    for events in facts.events_by_name.values():
        for event in islice((e for e in events if _is_loud(facts, e)), OF_ONE):
            word, why = _of_event(facts, story, event)
            yield Explained(word, why, event.title[:120], cite(facts.case, event.record, event.rank))


def _is_loud(facts: Facts, event: Event) -> bool:
    if event.role is Role.CAUSE:
        return event.weight >= TELLING and event.name != "py.exception" and not facts.quoted(event.record)
    return event.role is Role.SYMPTOM and HARMLESS.isdisjoint(event.record.pattern.marks)


def _of_event(facts: Facts, story: _Story, event: Event) -> tuple[str, str]:
    if facts.recovered(event.record):
        return SURVIVED, "training went on after it"
    line = cite(facts.case, event.record, event.rank)
    word, why = story.make_of(line, event.record.time)
    if word == UNEXPLAINED and event.role is Role.SYMPTOM and story.claim is not None and not story.healthy:
        return CONSEQUENCE, "an echo by its kind"
    return word, why


def _undeclared(facts: Facts, story: _Story) -> Iterator[Explained]:
    for loud in facts.loud_lines:
        line = cite_unknown(facts.case, loud.file, loud.line)
        if _went_on(facts, loud):
            yield Explained(SURVIVED, "training went on after it", loud.text[:120], line)
            continue
        word, why = story.make_of(line, None)
        yield Explained(word, why, loud.text[:120], line)


def _went_on(facts: Facts, loud: LoudLine) -> bool:
    """Whether steps follow in its own file: an undeclared line has no time to compare between files."""
    return any(s.file == loud.file and int((s.lines > loud.line).sum()) >= 2 for s in facts.lived)


def _folded(rows: Iterable[Explained]) -> list[Explained]:
    """One row for what is said in the same words and came to the same, with how often."""
    found: dict[tuple[str, str, str], Explained] = {}
    for row in rows:
        key = (row.verdict, row.why, row.what)
        known = found.get(key)
        found[key] = row if known is None else replace(known, count=known.count + 1)
    return list(found.values())
