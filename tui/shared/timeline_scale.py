"""Times to columns and back, how loud each column of a lane is, and from when to when a collective hung."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.wording import time_text

if TYPE_CHECKING:
    from logtui.diagnosis.model.report import Report, TimelineEvent

SEVERITIES = ("info", "warning", "error")
_BARS = {"info": "▁▂▃", "warning": "▃▄▅", "error": "▆▇█"}
MIN_SPAN_S = 1.0
MOST_DIGITS = 3
DATED_WIDTH = 30
"""Columns for two times with their dates."""


@dataclass(frozen=True, slots=True)
class StuckSpan:
    """One collective that did not end. Times in seconds since the epoch."""

    group: str
    op: str
    seq: int | None
    start: float
    """The first timeout minus the limit: when its ranks began to wait."""
    end: float
    """The first timeout."""
    ranks: int
    """Ranks that waited in it."""


def stuck_spans(report: Report) -> tuple[StuckSpan, ...]:
    """The hung collectives, the one with the most ranks first."""
    ends: dict[tuple[str, str, int | None], list[float]] = {}
    limits: dict[tuple[str, str, int | None], float] = {}
    for state in report.ranks:
        for group in state.groups:
            stuck, seen = group.stuck_on, group.evidence
            if stuck is None or not stuck.timeout_ms or seen is None or seen.time is None:
                continue
            key = (group.group, stuck.op or "?", stuck.seq)
            ends.setdefault(key, []).append(seen.time)
            limits[key] = stuck.timeout_ms / 1000
    spans = [
        StuckSpan(group, op, seq, min(times) - limits[group, op, seq], min(times), len(times))
        for (group, op, seq), times in ends.items()
    ]
    return tuple(sorted(spans, key=lambda s: (-s.ranks, s.start)))


@dataclass(frozen=True, slots=True)
class Scale:
    """A window of time on a number of columns. `end` belongs to the last column."""

    start: float
    end: float
    width: int

    @property
    def span(self) -> float:
        """Seconds from edge to edge."""
        return max(self.end - self.start, MIN_SPAN_S)

    def column(self, time: float) -> int:
        """The column of a time; negative or past the width where it is outside."""
        return int((time - self.start) / self.span * (self.width - 1) + 0.5) if self.width > 1 else 0

    def time(self, column: int) -> float:
        """The time at a column."""
        return self.start + self.span * column / max(self.width - 1, 1)

    def holds(self, time: float | None) -> bool:
        """Whether a time is in the window."""
        return time is not None and self.start <= time <= self.start + self.span

    def zoomed(self, factor: float, around: float) -> Scale:
        """A window `factor` times as wide that keeps a time where it is."""
        share = (around - self.start) / self.span
        span = max(self.span * factor, MIN_SPAN_S)
        return replace(self, start=around - share * span, end=around - share * span + span)

    def showing(self, time: float) -> Scale:
        """The same window, moved as little as needed to hold a time."""
        margin = self.span * 0.05
        shift = min(time - margin - self.start, 0.0) or max(time + margin - self.start - self.span, 0.0)
        return self if self.holds(time) else replace(self, start=self.start + shift, end=self.end + shift)


def whole_window(view: CaseView, stuck: Sequence[StuckSpan], width: int) -> Scale | None:
    """From the first event to the last."""
    return _window([e.time for e in view.events if e.time is not None] + [s.start for s in stuck], width)


def failure_window(view: CaseView, stuck: Sequence[StuckSpan], width: int) -> Scale | None:
    """From the cause to the end: where the hour before an eighteen-hour run's death is not one column."""
    first = view.report.verdict.first_evidence
    cited = [first.time] if first else []
    cited += [e.evidence.time for e in view.path] + [t for s in stuck for t in (s.start, s.end)]
    times = [t for t in cited if t is not None]
    return _window(times, width) if len(times) > 1 else whole_window(view, stuck, width)


def _window(times: Sequence[float], width: int) -> Scale | None:
    if not times:
        return None
    start, end = min(times), max(times)
    margin = max((end - start) * 0.04, 0.5)
    return Scale(start - margin, end + margin, width)


def loudness(events: Iterable[TimelineEvent], scale: Scale) -> list[tuple[int, int]]:
    """Per column: how many events, and the worst severity among them (-1 for none)."""
    columns = [(0, -1)] * scale.width
    for event in events:
        if event.time is not None and scale.holds(event.time):
            at = min(scale.column(event.time), scale.width - 1)
            count, worst = columns[at]
            columns[at] = (count + 1, max(worst, _rank(event.severity)))
    return columns


def _rank(severity: str) -> int:
    return SEVERITIES.index(severity) if severity in SEVERITIES else 0


def bar(count: int, worst: int, most: int) -> str:
    """The height of a column: severity first, number second, so that it reads without colour."""
    if count == 0:
        return "·"
    bars = _BARS[SEVERITIES[worst]]
    return bars[min(count * len(bars) // (most + 1), len(bars) - 1)]


def axis(scale: Scale) -> str:
    """Times along the top, as many as fit."""
    days = time_text(scale.start, day=True)[:5] != time_text(scale.end, day=True)[:5]
    days = days and scale.width >= DATED_WIDTH
    text, step = [" "] * scale.width, 24 if days else 16
    count = max(scale.width // step, 1)
    digits = _digits(scale.span / count)
    for n in range(count + 1):
        column = round(n * (scale.width - 1) / count)
        label = _label(scale.time(column), days, digits)
        at = max(0, min(column - len(label) // 2 if 0 < n < count else column, scale.width - len(label)))
        text[at : at + len(label)] = label
    return "".join(text)[: scale.width]


def _digits(interval_s: float) -> int:
    """Digits of a second that tell neighbouring times apart."""
    return 0 if interval_s >= 1.0 else min(math.ceil(-math.log10(interval_s)), MOST_DIGITS)


def _label(time: float, days: bool, digits: int) -> str:
    seconds, part = divmod(math.floor(time * 10**digits), 10**digits)
    return time_text(seconds, day=days) + (f".{part:0{digits}d}" if digits else "")
