"""Witnesses side by side, as markdown."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.quoting import cite, code_free, quote
from logtui.diagnosis.report import Evidence, Report


def section(report: Report) -> Iterator[str]:
    """For the markdown report."""
    found = report.witnesses
    for said in found.testimonies if found else ():
        yield f"- **{said.witness}**: {code_free(said.what)}" + _cited(said.evidence)
    for against in found.disagreements if found else ():
        yield f"- **They disagree**: {code_free(against.what)}" + _cited(against.evidence)


def _cited(evidence: tuple[Evidence, ...]) -> str:
    return f": {cite(evidence[0])} {quote(evidence[0].text)}" if evidence else ""
