"""How each phase of an attempt ended: what came before the failing one went well."""

from __future__ import annotations

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.phases import AFTER_TRAINING, Phase, phase_of
from logtui.diagnosis.model.analyses import PhaseEnd
from logtui.diagnosis.model.evidence import Evidence
from logtui.parsers.pattern import FailureClass

WELL, FAILED, STOPPED, OPEN = "well", "failed", "stopped", "not known"
TRACEBACK = 400
"""Lines behind the first of an exception that may still be its own."""


def phase_ends(facts: Facts, cls: str, first: Evidence | None) -> tuple[PhaseEnd, ...]:
    """The phases of an attempt in order; the last one open where the files end before it."""
    completed, trained = facts.outcome.completed is not None, bool(facts.lived)
    begun = [Phase.SET_UP, *([Phase.TRAINING] if trained or completed else [])]
    if cls == FailureClass.HEALTHY:
        return _ended(begun, WELL if completed else OPEN)
    if cls == FailureClass.UNKNOWN:
        return _ended(begun, OPEN)
    last = _phase_of(facts, first) if first is not None else None
    if last in AFTER_TRAINING or (last is Phase.TEARDOWN and completed):
        begun = [*begun, last]
    return _ended(begun, STOPPED if cls == FailureClass.INFRASTRUCTURE else FAILED)


def _ended(phases: list[Phase], last: str) -> tuple[PhaseEnd, ...]:
    return (*(PhaseEnd(p.value, WELL) for p in phases[:-1]), PhaseEnd(phases[-1].value, last))


def _phase_of(facts: Facts, first: Evidence) -> Phase | None:
    """The phase of the exception that a line is of; of another line whether it stands behind the completion."""
    files = facts.case.files
    of_it = [
        fact
        for fact in facts.exceptions
        if files[fact.record.file].name == first.file and 0 <= first.line - fact.record.line <= TRACEBACK
    ]
    if of_it:
        return phase_of(max(of_it, key=lambda f: f.record.line), facts.outcome, bool(facts.lived))
    done = facts.outcome.completed
    behind = done is not None and files[done.file].name == first.file and done.line < first.line
    return Phase.TEARDOWN if behind else None
