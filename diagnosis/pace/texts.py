"""The pace of training as JSON and as a section of the markdown report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from logtui.diagnosis.pace.findings import Pace
from logtui.diagnosis.quoting import cite, quote
from logtui.diagnosis.report import Evidence, Report
from logtui.parsers.stamp import iso

Json = dict[str, Any]


def as_dict(pace: Pace | None) -> Json:
    """The keys `changes` and `slow_ranks` of `steps`."""
    pace = pace or Pace()
    return {
        "changes": [
            {
                "step": c.step, "time": iso(c.time), "before_ms": c.before_ms, "after_ms": c.after_ms,
                "evidence": _line(c.evidence), "nearby": [_line(e) for e in c.nearby],
            }
            for c in pace.changes
        ],
        "slow_ranks": [{"rank": s.rank, "what": s.what, "evidence": _line(s.evidence)} for s in pace.slow_ranks],
    }  # fmt: skip


def _line(e: Evidence) -> Json:
    return {"file": e.file, "line": e.line, "text": e.text}


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
