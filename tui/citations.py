"""The lines that a report cites, and what each is cited for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logtui.diagnosis.report import Evidence, Report


@dataclass(frozen=True, slots=True)
class CausePlace:
    """One line of the cause chain."""

    step: int
    steps: int
    what: str
    evidence: Evidence

    @property
    def why(self) -> str:
        """What the raw viewer says about this line."""
        return f"cause {self.step}/{self.steps}: {self.what}"


def cause_path(report: Report) -> tuple[CausePlace, ...]:
    """The cause chain as lines to step along, from the trigger on."""
    chain = report.chain
    return tuple(CausePlace(step.step, len(chain), step.what, e) for step in chain for e in step.evidence)


def proof_words(report: Report) -> str:
    """What the verdict's first line is cited for."""
    words = {"unknown": "the earliest sign of trouble", "healthy": "shows that the job is well"}
    return words.get(report.verdict.cls, "proves the verdict")


def citations(report: Report) -> Iterator[tuple[str, Evidence]]:
    """Every citation with the words for it, the weightiest first."""
    verdict = report.verdict
    if verdict.first_evidence is not None:
        yield proof_words(report), verdict.first_evidence
    for step in report.chain:
        yield from ((f"cause {step.step}/{len(report.chain)}: {step.what}", e) for e in step.evidence)
    yield from (("supports the verdict", e) for e in verdict.supporting)
    yield from (("speaks against the verdict", e) for e in verdict.refuting)
    for symptom in report.symptoms:
        yield from ((f"symptom: {symptom.what}", e) for e in symptom.evidence)
    for advice in report.recommendations:
        yield from ((f"why: {advice.what}", e) for e in advice.because)
