"""A cause that a person declares: verdict, chain and timeline follow it, and say whose word it is.

What logtui concluded itself stays readable, as the first of the verdicts that lost.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from logtui.diagnosis.model.analyses import Explained
from logtui.diagnosis.model.evidence import Evidence, MarkedLine
from logtui.diagnosis.model.report import LOW, ChainStep, Report, Revision, RunnerUp, TimelineEvent, Verdict
from logtui.diagnosis.verdict.chain import in_order
from logtui.diagnosis.verdict.explain import CAUSE, UNEXPLAINED
from logtui.parsers.gist import recognising
from logtui.parsers.pattern import FailureClass

RULE = "declared-by-user"
WORDS_CHARS = 160


def declared(report: Report, line: MarkedLine, says: str) -> Report:
    """The report with a line as the cause of the failure. `says` is the line without what stands before its text."""
    cause, other = line.evidence, _runner_up(report, line)
    who = f"rank {line.rank}: " if line.rank is not None else ""
    title = f"{other.title if other else who + says[:WORDS_CHARS]} (declared by the user)"
    cls = other.cls if other else _class_of(line.text)
    return replace(
        report,
        verdict=_verdict(report, cause, other, title, cls),
        chain=_chain(report.chain, cause, title),
        timeline=_timeline(report.timeline, cause),
        explained=tuple(_explained(report.explained, cause)),
        recommendations=tuple(a for a in report.recommendations if _cites(a.because, cause)),
        revisions=(*report.revisions, Revision(report.verdict.title, title, cause)),
    )


def _cites(lines: Iterable[Evidence], cause: Evidence) -> bool:
    return any(e.place == cause.place for e in lines)


def _runner_up(report: Report, line: MarkedLine) -> RunnerUp | None:
    """The verdict that lost and rests on this line."""
    return next((r for r in report.verdict.runners_up if _cites(r.evidence, line.evidence)), None)


def _class_of(text: str) -> str:
    """What the line speaks for, where a format knows it."""
    found = (p.cls for p in recognising(text) if p.cls is not None and p.compiled.search(text))
    return next(found, FailureClass.UNKNOWN).value


def _verdict(report: Report, cause: Evidence, other: RunnerUp | None, title: str, cls: str) -> Verdict:
    own = report.verdict
    lost = RunnerUp(
        own.cls, own.title, f"the user declared {cause.place} the cause; it was logtui's own verdict, {own.confidence}",
        tuple(e for e in (own.first_evidence, *own.supporting) if e is not None),
    )  # fmt: skip
    host = next((s.host for s in report.ranks if s.rank == cause.rank), None)
    return Verdict(
        cls, title, LOW, () if cause.rank is None else (cause.rank,), (host,) if host else (), cause,
        (lost, *(r for r in own.runners_up if r is not other)), own.missing, RULE,
    )  # fmt: skip


def _chain(chain: Iterable[ChainStep], cause: Evidence, title: str) -> tuple[ChainStep, ...]:
    """The cause, and what of the chain came after it."""
    first = ChainStep(1, title, cause.time, cause.zoned, (cause,), None, cause.inherited)
    after = [s for s in chain if not _cites(s.evidence, cause) and _follows(s, cause)]
    steps = [first, *in_order(after)]
    return tuple(replace(s, step=n, leads_to=n + 1 if n < len(steps) else None) for n, s in enumerate(steps, 1))


def _follows(step: ChainStep, cause: Evidence) -> bool:
    """By time; without one by the place in a file."""
    if step.time is not None and cause.time is not None:
        return step.time >= cause.time
    return all(e.file != cause.file or e.line > cause.line for e in step.evidence)


def _timeline(events: tuple[TimelineEvent, ...], cause: Evidence) -> tuple[TimelineEvent, ...]:
    """With the cause among its events."""
    at = next((n for n, e in enumerate(events) if (e.file, e.line) == (cause.file, cause.line)), None)
    if at is not None:
        return (*events[:at], replace(events[at], severity="error", proof=True), *events[at + 1 :])
    time_from = "line before" if cause.inherited else "unknown" if cause.time is None else "exact, local"
    added = TimelineEvent(
        cause.time, time_from, "worker", cause.rank, cause.text.strip()[:300], cause.file, cause.line, cause.zoned,
        "error", proof=True,
    )  # fmt: skip
    return tuple(sorted((*events, added), key=lambda e: (e.time is None, e.time or 0.0)))


def _explained(rows: Iterable[Explained], cause: Evidence) -> Iterable[Explained]:
    for row in rows:
        if row.evidence.place == cause.place:
            yield replace(row, verdict=CAUSE, why="the user declared it")
        elif row.verdict == CAUSE:
            yield replace(row, verdict=UNEXPLAINED, why="the user declared another line the cause")
        else:
            yield row
