"""Sends and receives: whether the partner is there.

Launch numbers of two partners differ (each counts its own), and a ring that has wrapped hides the beginning, so
operations are paired from the oldest pending one on: what is finished on one side is finished on the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from logtui.diagnosis.flight_recorder.group_log import GroupLog
from logtui.diagnosis.flight_recorder.joined import Group
from logtui.diagnosis.flight_recorder.stuck import Head
from logtui.parsers.flight_recorder.call import Call


@dataclass(frozen=True, slots=True, eq=False)
class StuckTransfer:
    """A send or receive, or a coalesced group of them, that is one rank's oldest pending operation."""

    head: Head
    missing: tuple[int, ...]
    """Partners that have launched no counterpart."""
    queued: tuple[int, ...]
    """Partners whose counterpart waits behind something older."""
    facing: tuple[int, ...]
    """Partners that wait in the counterpart: both are there."""
    no_dump: tuple[int, ...]

    @property
    def blockers(self) -> tuple[int, ...]:
        """Ranks that this one waits for, as far as dumps show."""
        return self.missing + self.queued


def find_transfers(heads: Mapping[int, Head]) -> dict[int, StuckTransfer]:
    """The transfers that ranks hang in, by rank."""
    return {rank: _transfer(head, heads) for rank, head in heads.items() if head.is_p2p}


def _transfer(head: Head, heads: Mapping[int, Head]) -> StuckTransfer:
    sides: dict[str, set[int]] = {"missing": set(), "queued": set(), "facing": set(), "no_dump": set()}
    for call in head.calls:
        peer = _partner(head.group, call)
        if peer is None or not call.is_p2p:
            continue
        log = head.group.logs.get(peer)
        side = "no_dump" if log is None else _side(head, call, log, heads.get(peer))
        sides[side].add(peer)
    # A partner that is missing for one operation of a coalesced group holds up the whole group.
    sides["queued"] -= sides["missing"]
    sides["facing"] -= sides["missing"] | sides["queued"]
    return StuckTransfer(head, **{side: tuple(sorted(ranks)) for side, ranks in sides.items()})


def _partner(group: Group, call: Call) -> int | None:
    """Global rank of the other side."""
    if call.peer is None or call.peer >= len(group.members):
        return None
    return group.members[call.peer]


def _side(head: Head, call: Call, log: GroupLog, other: Head | None) -> str:
    counterpart = _pending_counterpart(log, call)
    if counterpart is None:
        return "missing" if not _has_finished(head, call, log) else "facing"
    if other is not None and other.group is head.group and other.row == counterpart:
        return "facing"
    return "queued"


def _pending_counterpart(log: GroupLog, call: Call) -> int | None:
    """First entry of the partner's oldest pending unit that answers this call."""
    table, units = log.dump.entries, log.units
    for row in log.p2p_row[~log.p2p_done]:
        if _answers(table.calls[int(table.call[row])], call):
            return int(units.rows(int(units.of_rows()[row]))[0])
    return None


def _answers(theirs: Call, ours: Call) -> bool:
    opposite = {"send": "recv", "recv": "send"}[ours.op]
    return theirs.op == opposite and theirs.me == ours.peer and theirs.peer in (ours.me, None)


def _has_finished(head: Head, call: Call, log: GroupLog) -> bool:
    """Whether the partner is done with its side; known only if both rings hold everything since the start."""
    mine = head.group.logs[head.rank]
    if not (mine.is_whole and log.is_whole):
        return False
    before = _count(mine, lambda c: c.op == call.op and c.peer == call.peer, head.row)
    return _count(log, lambda c: _answers(c, call), None) > before


def _count(log: GroupLog, wanted: Callable[[Call], bool], below: int | None) -> int:
    """Sends or receives of a kind, up to an entry."""
    table = log.dump.entries
    picked = np.array([wanted(call) for call in table.calls], np.bool_)
    rows = log.p2p_row if below is None else log.p2p_row[log.p2p_row < below]
    return int(np.count_nonzero(picked[table.call[rows]])) if len(rows) else 0
