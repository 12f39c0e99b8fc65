"""What flight-recorder dumps add to the logs: states per rank and group, ranks that only dumps speak for."""

from __future__ import annotations

from logtui.diagnosis.flight_recorder.findings import FlightRecorderFindings
from logtui.diagnosis.flight_recorder.suspects import Kind
from logtui.diagnosis.model import GroupState, StuckOn


def dump_ranks(found: FlightRecorderFindings | None) -> set[int]:
    """Ranks with a dump."""
    return {rank for rank, _ in found.states or {}} if found else set()


def dump_states(found: FlightRecorderFindings | None) -> dict[int, tuple[GroupState, ...]]:
    """Each rank's groups as its dump has them, stuck ones first; the evidence is the dump, not a line."""
    if found is None:
        return {}
    told = _statuses(found)
    states: dict[int, list[GroupState]] = {}
    for (rank, label), s in (found.states or {}).items():
        stuck = None
        if s.pending is not None:
            p = s.pending
            stuck = StuckOn(p.seq, p.op, p.numel_in, p.numel_out, p.timeout_ms)
        status = told.get((rank, label)) or ("waiting" if stuck else "healthy")
        states.setdefault(rank, []).append(
            GroupState(s.group, s.desc or None, s.enqueued, s.started, s.completed, stuck, status)
        )
    return {r: tuple(sorted(gs, key=lambda g: (g.stuck_on is None, g.group))) for r, gs in states.items()}


def _statuses(found: FlightRecorderFindings) -> dict[tuple[int, str], str]:
    """The contract's words by rank and group label, for the groups in which something is stuck."""
    told: dict[tuple[int, str], str] = {}
    for stuck in reversed(found.stuck):  # the most telling last: it is what remains
        label, logs = stuck.group.label, stuck.group.logs
        words = ((stuck.queued, "queued_ahead"), (stuck.waiting, "waiting"), (stuck.ahead, "ahead"))
        told.update(((rank, label), word) for ranks, word in words for rank in ranks)
        told.update(((rank, label), "behind") for rank in stuck.not_started)
        for rank in stuck.missing:
            told[rank, label] = "never_entered" if bool(logs[rank].done.all()) else "behind"
    return told


def dump_words(found: FlightRecorderFindings | None) -> dict[int, str]:
    """One word for each rank that something in the dumps is stuck for; the logs may know a better one.

    A rank that waits anywhere waits; only one that waits nowhere has never entered what the others wait in.
    """
    if found is None or found.hint.kind == "none":
        return {}
    said: dict[int, set[str]] = {}
    for (rank, _), word in _statuses(found).items():
        said.setdefault(rank, set()).add(word)
    for (rank, _), state in (found.states or {}).items():
        if state.pending is not None and state.pending.op.startswith(_TRANSFERS):
            said.setdefault(rank, set()).add("waiting")
    words = {rank: next(word for word in _LOUDEST if word in told) for rank, told in said.items()}
    return words | {s.rank: "behind" for s in found.suspects if s.kind is Kind.DEVICE_STOPPED}


_TRANSFERS = ("send", "recv")
_LOUDEST = ("behind", "waiting", "queued_ahead", "never_entered", "ahead")


def merged(from_log: tuple[GroupState, ...], from_dump: tuple[GroupState, ...]) -> tuple[GroupState, ...]:
    """Both witnesses side by side: a group that both speak of stays as the log has it unless they disagree."""
    known = {(g.group, g.enqueued, g.completed) for g in from_log}
    return (*from_log, *(g for g in from_dump if (g.group, g.enqueued, g.completed) not in known))
