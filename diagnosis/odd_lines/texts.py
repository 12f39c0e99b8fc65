"""Odd lines as a section of the markdown report."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.odd_lines.findings import OddLine, OddLines
from logtui.diagnosis.quoting import cite as citation
from logtui.diagnosis.quoting import quote
from logtui.diagnosis.report import Report

ROWS, UNSAID_ROWS, SILENT_ROWS = 15, 8, 8
"""Of each kind in the markdown report; JSON and the app have more."""


def section(report: Report) -> Iterator[str]:
    """Nothing where nothing stands out, or where the job is well and no healthy run was given to compare with."""
    found = report.odd_lines
    if found is None or (report.verdict.cls == "healthy" and found.baseline is None):
        return
    rows = [*_new(found), *_odd_rows(found), *_unsaid(found), *_silent(found)]
    if rows:
        yield f"No rule stands behind these; they are what comparing lines shows ({found.looked_at})."
        yield ""
        yield from rows


def _odd_rows(found: OddLines) -> Iterator[str]:
    for o in found.odd[:ROWS]:
        yield f"- {_who(o)}: {citation(o.evidence)} {quote(o.evidence.text)} ({o.why}{_more(o)})"


def _new(found: OddLines) -> Iterator[str]:
    if found.baseline is not None and not found.new:
        yield f"- nothing that {quote(found.baseline)} does not say too"
    for o in found.new[:ROWS]:
        line = f"{citation(o.evidence)} {quote(o.evidence.text)}{_more(o)}"
        yield f"- not in {quote(found.baseline or '')}, {_who(o)}: {line}"


def _who(o: OddLine) -> str:
    names = ", ".join(o.writers[:3])
    return f"{names} and {o.said_by - 3} more" if o.said_by > 3 else names


def _more(o: OddLine) -> str:
    times = f", {o.count} times" if o.count > 1 else ""
    return f"{times}, with {o.folded} more kinds around it" if o.folded else times


def _unsaid(found: OddLines) -> Iterator[str]:
    for u in found.unsaid[:UNSAID_ROWS]:
        when = f"stopped saying {u.early_s:.0f} s before the others" if u.early_s is not None else "never said"
        yield f"- rank {u.rank} {when}: {citation(u.evidence)} {quote(u.evidence.text)}"


def _silent(found: OddLines) -> Iterator[str]:
    for w in found.last_words[:SILENT_ROWS]:
        silent = f"silent for {w.silent_s:.0f} s at the end" if w.silent_s is not None else "last words"
        yield f"- rank {w.rank}, {silent}: {citation(w.evidence)} {quote(w.evidence.text)}"
