"""The pace of training as a section of the markdown report."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.quoting import cite, quote
from logtui.diagnosis.report import Report


def section(report: Report) -> Iterator[str]:
    """Nothing where training kept its pace and no rank is slow."""
    steps = report.steps
    if steps is None:
        return
    for span in steps.slow:
        place = f": {cite(span.evidence)}" if span.evidence else ""
        times = f"{span.ratio + 1:.2f} × the best (ratio {span.ratio:.2f})"
        yield f"- steps {span.from_step}–{span.to_step} took {times}{place}"
    for change in steps.pace.changes if steps.pace else ():
        yield f"- {change.what}: {cite(change.evidence)} {quote(change.evidence.text)}"
        yield from (f"  - just before: {cite(e)} {quote(e.text)}" for e in change.nearby)
    for one in steps.pace.slow_ranks if steps.pace else ():
        yield f"- rank {one.rank} {one.what}: {cite(one.evidence)} {quote(one.evidence.text)}"
