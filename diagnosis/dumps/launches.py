"""When ranks launched what they last have in their dumps: the timeline of a job of which there are dumps alone."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.dumps.findings import FlightRecorderFindings
from logtui.diagnosis.model.report import TimelineEvent
from logtui.parsers.dumps.dump import Dump

MOST = 256
"""Ranks that are shown; of more, those with the earliest last launch, who stopped first."""


def last_launches(found: FlightRecorderFindings) -> list[TimelineEvent]:
    """The last dated launch of each rank, earliest first. A dump has no lines: each is shown at its beginning."""
    events = [event for dump in found.joined.dumps.dumps for event in _last(dump, _waiting(found))]
    return sorted(events, key=lambda e: (e.time or 0.0, e.file))[:MOST]


def _waiting(found: FlightRecorderFindings) -> frozenset[int]:
    return frozenset(rank for stuck in found.stuck for rank in stuck.waiting)


def _last(dump: Dump, waiting: frozenset[int]) -> Iterator[TimelineEvent]:
    if not len(dump.entries.seq):
        return
    entry = dump.entries.entry(len(dump.entries.seq) - 1)
    if not entry.created_ns:
        return
    number = f"p2p #{entry.p2p_seq}" if entry.is_p2p else f"#{entry.seq}"
    state = "pending" if dump.rank in waiting else entry.state.name.lower()
    what = f"last launched {entry.call.op} {number} of {entry.group.name} ({state})"
    severity = "warning" if dump.rank in waiting else "info"
    yield TimelineEvent(entry.created_ns / 1e9, "exact", "nccl", dump.rank, what, dump.file, 1, True, severity)
