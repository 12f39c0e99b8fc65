"""What each rank hangs in, and who keeps it there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from logtui.diagnosis.flight_recorder.group_log import GroupLog, Position
from logtui.diagnosis.flight_recorder.joined import Group, Joined
from logtui.parsers.flight_recorder.call import Call
from logtui.parsers.flight_recorder.dump import Dump

LAG = 2
"""Collectives a rank must be short of its peers before its device, not the moment of the dump, is the reason."""


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """The oldest operation of a rank that has not finished: what it really waits in.

    Operations after it, also in other groups, queue behind it on the device.
    """

    rank: int
    group: Group
    row: int
    """Its (first) entry in the rank's dump."""
    seq: int
    """Number of the collective; of the launch, for sends and receives."""
    calls: tuple[Call, ...]
    """One, or those of a coalesced group."""

    @property
    def is_p2p(self) -> bool:
        """Whether it sends or receives."""
        return any(call.is_p2p for call in self.calls)


@dataclass(frozen=True, slots=True, eq=False)
class StuckCollective:
    """A collective that is the oldest pending operation of at least one rank; its members by what they do.

    All tuples are in ascending order and disjoint.
    """

    group: Group
    seq: int
    op: str
    waiting: tuple[int, ...]
    """Inside it, with nothing older pending."""
    queued: tuple[int, ...]
    """Entered, but something older is pending: they wait elsewhere."""
    not_started: tuple[int, ...]
    """Inside, but the device never began it while others' did."""
    missing: tuple[int, ...]
    """Have not entered."""
    finished: tuple[int, ...]
    ahead: tuple[int, ...]
    """Of those that finished, the ones that finished later collectives of the group as well."""
    unknown: tuple[int, ...]
    """Have a dump whose ring no longer tells."""
    no_dump: tuple[int, ...]

    @property
    def blockers(self) -> tuple[int, ...]:
        """Ranks that the waiting ones wait for, as far as dumps show."""
        return self.missing + self.queued + self.not_started

    @property
    def is_ending(self) -> bool:
        """Whether it was about to finish when the dumps were written: some ranks are through, none is missing."""
        return bool(self.finished) and not self.ahead and not self.blockers

    @property
    def has_everybody(self) -> bool:
        """Whether all members are known to wait in it: it is not a rank that holds it up."""
        absent = self.missing or self.finished or self.unknown or self.no_dump
        return self.group.listed and not absent and not self.queued and not self.not_started

    @property
    def entered(self) -> tuple[int, ...]:
        """Ranks that are known to have launched it."""
        return tuple(sorted(self.waiting + self.queued + self.not_started + self.finished))


def find_heads(joined: Joined) -> dict[int, Head]:
    """The oldest pending operation of each rank that has one."""
    oldest: dict[int, tuple[int, Group]] = {}
    for group in joined.groups:
        for rank, log in group.logs.items():
            row = log.first_pending
            if row is not None and (rank not in oldest or row < oldest[rank][0]):
                oldest[rank] = row, group
    return {rank: _head(rank, group, row) for rank, (row, group) in sorted(oldest.items())}


def _head(rank: int, group: Group, row: int) -> Head:
    log = group.logs[rank]
    table, units = log.dump.entries, log.units
    unit = int(units.of_rows()[row])
    rows = units.rows(unit)
    calls = tuple(table.calls[c] for c in table.call[rows])
    return Head(rank, group, int(rows[0]), int(units.seq[unit]), calls)


def find_stuck(joined: Joined, heads: Mapping[int, Head]) -> tuple[StuckCollective, ...]:
    """The collectives that ranks hang in, those with the most ranks first."""
    inside: dict[tuple[int, int], list[Head]] = {}
    for head in heads.values():
        if not head.is_p2p:
            inside.setdefault((id(head.group), head.seq), []).append(head)
    ordered = sorted(inside.values(), key=lambda found: (-len(found), found[0].rank))
    idle = {dump.rank for dump in joined.dumps.dumps if dump.rank not in heads and _has_finished_all(dump)}
    return tuple(_stuck(found, idle) for found in ordered)


def _has_finished_all(dump: Dump) -> bool:
    """Whether the watermarks of all groups say that nothing is pending, also beyond the ring."""
    marks = dump.pg_status.values()
    return bool(marks) and all(mark.completed >= mark.enqueued for mark in marks)


def _stuck(heads: list[Head], idle: AbstractSet[int]) -> StuckCollective:
    group, seq = heads[0].group, heads[0].seq
    at = {rank: log.position(seq) for rank, log in group.logs.items()}
    waiting = {head.rank for head in heads}
    finished = [rank for rank, position in at.items() if position is Position.DONE]
    ahead = [rank for rank in finished if _is_ahead(group.logs[rank], heads[0])]
    if not finished:
        # Had an idle rank entered, it would be pending there too.
        at = {rank: Position.MISSING if p is Position.UNKNOWN and rank in idle else p for rank, p in at.items()}
    at = {rank: Position.UNKNOWN if rank in group.outdated and p is Position.MISSING else p for rank, p in at.items()}
    begun = {rank for rank in waiting if group.logs[rank].started(seq)}
    lifeless = waiting - begun if begun else set()
    return StuckCollective(
        group, seq, " + ".join(call.op for call in heads[0].calls),
        waiting=_sorted(waiting - lifeless), not_started=_sorted(lifeless),
        queued=_sorted(r for r, p in at.items() if p is Position.PENDING and r not in waiting),
        missing=_sorted(r for r, p in at.items() if p is Position.MISSING),
        finished=_sorted(finished), ahead=_sorted(ahead),
        unknown=_sorted(r for r, p in at.items() if p is Position.UNKNOWN),
        no_dump=_sorted(set(group.members) - at.keys()),
    )  # fmt: skip


def _is_ahead(log: GroupLog, head: Head) -> bool:
    """Whether a rank finished later collectives of the group, which the waiting rank's device must have joined."""
    return log.completed >= head.seq + LAG - 1 and head.group.logs[head.rank].needs_everybody(head.seq + 1)


def _sorted(ranks: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(ranks))
