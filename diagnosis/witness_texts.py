"""Witnesses side by side, as JSON and as markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from logtui.diagnosis.quoting import cite, code_free, quote
from logtui.diagnosis.report import Evidence, Report
from logtui.diagnosis.testimony import Witnesses


def as_dict(found: Witnesses | None) -> dict[str, object] | None:
    """For the JSON report."""
    if found is None:
        return None
    return {
        "testimonies": [
            {"witness": t.witness, "ranks": list(t.ranks), "what": t.what, "evidence": _lines(t.evidence)}
            for t in found.testimonies
        ],
        "disagreements": [{"what": d.what, "evidence": _lines(d.evidence)} for d in found.disagreements],
    }


def _lines(evidence: Iterable[Evidence]) -> list[dict[str, object]]:
    return [{"file": e.file, "line": e.line, "text": e.text} for e in evidence]


def section(report: Report) -> Iterator[str]:
    """For the markdown report."""
    found = report.witnesses
    for said in found.testimonies if found else ():
        yield f"- **{said.witness}**: {code_free(said.what)}" + _cited(said.evidence)
    for against in found.disagreements if found else ():
        yield f"- **They disagree**: {code_free(against.what)}" + _cited(against.evidence)


def _cited(evidence: tuple[Evidence, ...]) -> str:
    return f": {cite(evidence[0])} {quote(evidence[0].text)}" if evidence else ""
