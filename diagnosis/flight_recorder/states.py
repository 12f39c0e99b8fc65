"""How far each rank came in each group, in the words of the report."""

from __future__ import annotations

from dataclasses import dataclass

from logtui.diagnosis.flight_recorder.entry_ref import EntryRef, refer
from logtui.diagnosis.flight_recorder.group_log import GroupLog
from logtui.diagnosis.flight_recorder.joined import Group, Joined
from logtui.diagnosis.flight_recorder.signature import numel


@dataclass(frozen=True, slots=True)
class Pending:
    """The oldest unfinished operation of a rank in a group."""

    seq: int
    op: str
    numel_in: int
    numel_out: int
    timeout_ms: int
    evidence: EntryRef


@dataclass(frozen=True, slots=True)
class RankGroupState:
    """One group on one rank. Numbers are the recorder's watermarks, or derived where a dump has none.

    In groups that also send and receive, the recorder's count whichever came last.
    """

    rank: int
    group: str
    """Name, without description."""
    desc: str
    enqueued: int | None
    started: int | None
    """None where nothing measures it."""
    completed: int | None
    pending: Pending | None
    file: str


def rank_states(joined: Joined) -> dict[tuple[int, str], RankGroupState]:
    """States by rank and group label."""
    return {
        (rank, group.label): _state(group, log) for group in joined.groups for rank, log in sorted(group.logs.items())
    }


def _state(group: Group, log: GroupLog) -> RankGroupState:
    marks = log.marks
    measured = marks.enqueued >= 0
    return RankGroupState(
        log.rank, group.name, group.desc,
        enqueued=marks.enqueued if measured else _known(log.entered),
        started=_known(marks.started),
        completed=marks.completed if measured else _known(log.completed),
        pending=_pending(log), file=log.dump.file,
    )  # fmt: skip


def _known(mark: int) -> int | None:
    return mark if mark >= 0 else None


def _pending(log: GroupLog) -> Pending | None:
    row = log.first_pending
    if row is None:
        return None
    entry = log.dump.entries.entry(row)
    seq = entry.p2p_seq if entry.is_p2p else entry.seq
    sizes = numel(entry.call.input_sizes), numel(entry.call.output_sizes)
    return Pending(seq, str(entry.call), *sizes, entry.timeout_ms, refer(log.dump, row))
