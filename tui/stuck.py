"""Collectives that hung: from when to when, for which ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logtui.diagnosis.report import Report


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
