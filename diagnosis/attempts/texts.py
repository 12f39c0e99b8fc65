"""Attempts as a section of the markdown report."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.attempts.findings import AttemptSummary
from logtui.diagnosis.quoting import cite, code_free, quote
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.report import Report


def section(report: Report) -> Iterator[str]:
    """Nothing for a single attempt."""
    found = report.history
    if found is None:
        return
    for r in found.recurring:
        yield f"- **{code_free(r.what)}**" + "".join(f", {cite(e)}" for e in r.evidence)
    for a in found.attempts:
        yield f"- attempt {a.number}: `{a.cls}` {code_free(a.title)}{_who(a)} ({a.confidence})"
        if a.begins is not None:
            yield f"  - begins: {cite(a.begins)} {quote(a.begins.text)}"
        if a.evidence is not None:
            yield f"  - first evidence: {cite(a.evidence)} {quote(a.evidence.text)}"
    skipped = report.job.attempts - len(found.attempts)
    if found.attempts and skipped > 0:
        yield f"- {skipped} earlier attempts were not diagnosed"


def _who(a: AttemptSummary) -> str:
    who = named_ranks(a.culprit_ranks) if a.culprit_ranks else ""
    where = f" on {', '.join(a.culprit_hosts)}" if a.culprit_hosts else ""
    return f", {who}{where}" if who or where else ""
