"""The timeline of the markdown report: a diagram of the chain, and a table; lines that say the same are one row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from logtui.diagnosis.model.report import ChainStep, Report, TimelineEvent
from logtui.diagnosis.ranges import ranges
from logtui.diagnosis.report.quoting import SHORT_WIDTH, clock, code, quote
from logtui.diagnosis.report.storage_markdown import DaemonClock
from logtui.parsers.prefix.origin import split
from logtui.parsers.prefix.template import template_of

TIMELINE_ROWS = 80
MERMAID_EVENTS = 12
SAME_BURST_S = 120.0
"""Lines that say the same further apart than this are rows of their own."""
_UNSAFE = re.compile(r"[^\w .,#+()=%/-]+")
"""Colons part the fields of an entry of a diagram, semicolons end it; quotes and brackets may open something."""


@dataclass(slots=True)
class Row:
    """Events that say the same, one soon after the other: the first stands for all."""

    first: TimelineEvent
    last: TimelineEvent
    count: int = 1
    ranks: set[int] = field(default_factory=set)

    def take(self, event: TimelineEvent) -> None:
        """One more."""
        self.last = event
        self.count += 1
        self.ranks |= {event.rank} if event.rank is not None else set()

    def is_near(self, event: TimelineEvent) -> bool:
        """Whether an event belongs to the same burst."""
        before, now = self.last.time, event.time
        return before is now is None or (before is not None and now is not None and now - before <= SAME_BURST_S)


def folded(events: Iterable[TimelineEvent]) -> list[Row]:
    """Rows in the order of their first events; a proof is a row of its own."""
    rows: list[Row] = []
    latest: dict[tuple[str, str, bool], Row] = {}
    for event in events:
        key = (event.source, template_of(split(event.what).body), event.inherited)
        row = latest.get(key)
        if row is not None and not event.proof and row.is_near(event):
            row.take(event)
            continue
        rows.append(Row(event, event, ranks={event.rank} if event.rank is not None else set()))
        if not event.proof:
            latest[key] = rows[-1]
    return rows


def timeline_section(r: Report) -> Iterable[str]:
    """Empty where nothing is dated or cited."""
    if not r.timeline:
        return
    yield from _mermaid(r)
    if any(event.inherited for event in r.timeline):
        yield "`~` before a time: the line has none, a neighbour's is given."
        yield ""
    yield "| Time | Source | Rank | What | Line |"
    yield "|---|---|---|---|---|"
    daemons = DaemonClock(r)
    for row in _shortened(folded(r.timeline)):
        yield f"| … | | | {row} more events | |" if isinstance(row, int) else _table_row(row, daemons)


def _table_row(row: Row, daemons: DaemonClock) -> str:
    event = row.first
    when = clock(event.time, event.inherited) + daemons.own(event.time, event.file)
    until = clock(row.last.time).partition(" ")[2]
    when += f"–{until}" if row.count > 1 and row.last.time is not None and row.last.time != event.time else ""
    many = f"{row.count} × " if row.count > 1 else ""
    what = many + quote(event.what, SHORT_WIDTH)
    place = code(f"{event.file}:{event.line}", in_table=True)
    return f"| {when} | {event.source} | {ranges(row.ranks)} | {what} | {place} |"


def _mermaid(report: Report) -> Iterator[str]:
    """The chain on a time axis, in a fenced block that some hosts draw; nothing with fewer than two dated steps."""
    steps = [(time, step) for step in report.chain if (time := _time_of(step)) is not None][:MERMAID_EVENTS]
    if len(steps) < 2:
        return
    start, end = report.job.started, report.job.ended
    yield "```mermaid"
    yield "timeline"
    yield f"    title {_plain(report.verdict.title)}"
    if start is not None and start < steps[0][0]:
        yield f"    {_time_of_day(start)} : job started"
    for time, step in steps:
        yield f"    {'~' if step.inherited else ''}{_time_of_day(time)} : {_entry(step)}"
    if end is not None and end > steps[-1][0]:
        yield f"    {_time_of_day(end)} : job ended"
    yield "```"
    yield ""


def _time_of(step: ChainStep) -> float | None:
    return step.time if step.time is not None or not step.evidence else step.evidence[0].time


def _entry(step: ChainStep) -> str:
    where = f" ({_plain(step.evidence[0].place)})" if step.evidence else ""
    return f"{_plain(step.what)}{where}"


def _plain(text: str) -> str:
    return " ".join(_UNSAFE.sub(" ", text).split())[:120] or "?"


def _time_of_day(time: float) -> str:
    """Time of day, with signs that part no fields."""
    return datetime.fromtimestamp(time, UTC).strftime("%H.%M.%S")


def _shortened(rows: list[Row]) -> Iterator[Row | int]:
    """The first and the last rows, and between them the proofs; numbers are those of events left out."""
    half, left = TIMELINE_ROWS // 2, 0
    for n, row in enumerate(rows):
        if len(rows) <= TIMELINE_ROWS or not half <= n < len(rows) - half or row.first.proof:
            if left:
                yield left
            left = 0
            yield row
        else:
            left += row.count
