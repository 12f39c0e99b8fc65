"""What flight-recorder dumps add to the logs: states per rank and group, ranks that only dumps speak for."""

from __future__ import annotations

from logtui.diagnosis.flight_recorder.findings import FlightRecorderFindings
from logtui.diagnosis.report import GroupState, StuckOn


def dump_ranks(found: FlightRecorderFindings | None) -> set[int]:
    """Ranks with a dump."""
    return {rank for rank, _ in found.states or {}} if found else set()


def dump_states(found: FlightRecorderFindings | None) -> dict[int, tuple[GroupState, ...]]:
    """Each rank's groups as its dump has them, stuck ones first; the evidence is the dump, not a line."""
    states: dict[int, list[GroupState]] = {}
    for (rank, _), s in ((found.states or {}) if found else {}).items():
        stuck = None
        if s.pending is not None:
            p = s.pending
            stuck = StuckOn(p.seq, p.op, p.numel_in, p.numel_out, p.timeout_ms)
        status = "waiting" if stuck else "healthy"
        states.setdefault(rank, []).append(
            GroupState(s.group, s.desc or None, s.enqueued, s.started, s.completed, stuck, status)
        )
    return {r: tuple(sorted(gs, key=lambda g: (g.stuck_on is None, g.group))) for r, gs in states.items()}


def merged(from_log: tuple[GroupState, ...], from_dump: tuple[GroupState, ...]) -> tuple[GroupState, ...]:
    """Both witnesses side by side: a group that both speak of stays as the log has it unless they disagree."""
    known = {(g.group, g.enqueued, g.completed) for g in from_log}
    return (*from_log, *(g for g in from_dump if (g.group, g.enqueued, g.completed) not in known))
