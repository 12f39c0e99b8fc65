"""The whole of a verdict in its title: which attempt it is about, and what had gone well before it failed."""

from __future__ import annotations

from dataclasses import replace

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.phases import AFTER_TRAINING, Phase, phase_of
from logtui.diagnosis.facts.slow_steps import periodic
from logtui.diagnosis.model.analyses import AttemptSummary, History
from logtui.diagnosis.model.report import Verdict
from logtui.diagnosis.predicates.slowdown import slow_by_steps, timed_series
from logtui.parsers.pattern import FailureClass

WELL = frozenset({"healthy", "slow-training"})
_DONE = "the job completed"


def headline(facts: Facts, verdict: Verdict, past: History | None) -> str:
    """The title of a verdict, with the attempts before it and the phases that ended well."""
    failed = failed_before(past.attempts if past else ())
    before = f"{failed} failed attempt{'s' if failed != 1 else ''}"
    if verdict.cls == "healthy" and (pace := _pace(facts)):
        verdict = replace(verdict, title=f"{verdict.title}; {pace}")
    if verdict.cls in WELL:
        told = verdict.title.removeprefix(_DONE)
        if failed and told != verdict.title:
            return f"{_DONE} after {before}{told}"
        return f"{verdict.title}, after {before}" if failed else verdict.title
    phase = _later_phase(facts, verdict)
    return f"training completed, the {phase} then failed: {verdict.title}" if phase else verdict.title


def _pace(facts: Facts) -> str:
    """What was slow though nothing failed."""
    slow, found = slow_by_steps(facts), timed_series(facts.case, facts.steps)
    again = periodic(*found) if found is not None and slow is None else None
    return slow.words if slow is not None else again.words if again is not None else ""


def failed_before(attempts: tuple[AttemptSummary, ...]) -> int:
    """Earlier attempts that are known to have failed."""
    return sum(a.cls not in WELL | {FailureClass.UNKNOWN} for a in attempts[:-1])


def _later_phase(facts: Facts, verdict: Verdict) -> Phase | None:
    """The phase after training in which what the verdict cites was raised."""
    first = verdict.first_evidence
    if first is None or facts.outcome.completed is None or not facts.outcome.sure:
        return None
    cited = (e for e in facts.exceptions if e.evidence.place == first.place)
    phases = (phase_of(e, facts.outcome, bool(facts.lived)) for e in cited)
    return next((p for p in phases if p in AFTER_TRAINING), None)
