"""Who waits for whom: what each rank hangs in, followed through all groups to the ranks that wait for nobody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from logtui.diagnosis.dumps.groups import GroupLog, Position
from logtui.diagnosis.dumps.joined import Joined, JoinedGroup
from logtui.diagnosis.dumps.mismatch import Mismatch
from logtui.parsers.dumps.dump import Call, Dump

# -- What each rank hangs in, and who keeps it there

LAG = 2
"""Collectives a rank must be short of its peers before its device, not the moment of the dump, is the reason."""


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """The oldest operation of a rank that has not finished: what it really waits in.

    Operations after it, also in other groups, queue behind it on the device.
    """

    rank: int
    group: JoinedGroup
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

    group: JoinedGroup
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
    oldest: dict[int, tuple[int, JoinedGroup]] = {}
    for group in joined.groups:
        for rank, log in group.logs.items():
            row = log.first_pending
            if row is not None and (rank not in oldest or row < oldest[rank][0]):
                oldest[rank] = row, group
    return {rank: _head(rank, group, row) for rank, (row, group) in sorted(oldest.items())}


def _head(rank: int, group: JoinedGroup, row: int) -> Head:
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


# -- Strongly connected components: sets of nodes that all reach each other

Node = TypeVar("Node", bound=Hashable)


def strongly_connected(edges: Mapping[Node, Sequence[Node]]) -> list[list[Node]]:
    """Components in reverse topological order: each comes after all it points to.

    Every node has to be a key. Tarjan's algorithm with a stack of its own, since a chain of waiting ranks may be
    longer than Python allows to recurse. O(nodes + edges).
    """
    search = _Search(edges)
    for node in edges:
        if node not in search.number:
            search.run(node)
    return search.found


class _Search(Generic[Node]):
    def __init__(self, edges: Mapping[Node, Sequence[Node]]) -> None:
        self.found: list[list[Node]] = []
        self.number: dict[Node, int] = {}
        """When each node was met."""
        self._edges = edges
        self._low: dict[Node, int] = {}
        """The earliest node on the path that each one reaches."""
        self._open: list[Node] = []
        self._is_open: set[Node] = set()

    def run(self, start: Node) -> None:
        path: list[tuple[Node, Iterator[Node]]] = [self._meet(start)]
        while path:
            node, following = path[-1]
            target = next(following, None)
            if target is None:
                path.pop()
                self._leave(node, path[-1][0] if path else None)
            elif target not in self.number:
                path.append(self._meet(target))
            elif target in self._is_open:
                self._low[node] = min(self._low[node], self.number[target])

    def _meet(self, node: Node) -> tuple[Node, Iterator[Node]]:
        self.number[node] = self._low[node] = len(self.number)
        self._open.append(node)
        self._is_open.add(node)
        return node, iter(self._edges[node])

    def _leave(self, node: Node, parent: Node | None) -> None:
        if parent is not None:
            self._low[parent] = min(self._low[parent], self._low[node])
        if self._low[node] != self.number[node]:
            return
        component: list[Node] = []
        while not component or component[-1] != node:
            component.append(self._open.pop())
            self._is_open.discard(component[-1])
        self.found.append(component)


# -- Sends and receives: whether the partner is there
#
# Launch numbers of two partners differ (each counts its own), and a ring that has wrapped hides the beginning, so
# operations are paired from the oldest pending one on: what is finished on one side is finished on the other.


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


def _partner(group: JoinedGroup, call: Call) -> int | None:
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


# -- From wait to wait


class _Node(NamedTuple):
    """A rank, or a stuck collective by its index: through it, a thousand ranks need no million edges."""

    is_rank: bool
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Root:
    """Where waiting ends."""

    ranks: tuple[int, ...]
    """One rank; several that wait for each other; or all that wait in `collective`."""
    followers: int
    """Other ranks that wait for these, directly or through others."""
    collective: StuckCollective | None = None
    """Set where no rank is known to keep the others waiting."""

    @property
    def is_cycle(self) -> bool:
        """Whether its ranks wait for each other, each in another operation."""
        return self.collective is None and len(self.ranks) > 1


@dataclass(frozen=True, slots=True, eq=False)
class Waiting:
    """All that is stuck in a job."""

    heads: Mapping[int, Head]
    collectives: tuple[StuckCollective, ...]
    transfers: Mapping[int, StuckTransfer]
    """By rank."""
    odd: Mapping[int, Mismatch]
    """Ranks that called something else in the collective they hang in."""


def find_roots(joined: Joined, waiting: Waiting) -> tuple[Root, ...]:
    """Follow all waiting ranks; those most ranks wait for come first."""
    edges = _edges(joined, waiting)
    reached: dict[_Node, frozenset[int]] = {}
    sinks: list[list[_Node]] = []
    for component in strongly_connected(edges):
        targets = {target for node in component for target in edges[node]} - set(component)
        if targets:
            roots = frozenset().union(*(reached[target] for target in targets))
        else:
            roots = frozenset({len(sinks)})
            sinks.append(component)
        reached.update(dict.fromkeys(component, roots))
    led_to = Counter(root for node, roots in reached.items() if node.is_rank for root in roots)
    found = [_root(sink, led_to[number], waiting) for number, sink in enumerate(sinks)]
    return tuple(sorted((r for r in found if r is not None), key=lambda root: (-root.followers, root.ranks)))


def _edges(joined: Joined, waiting: Waiting) -> dict[_Node, Sequence[_Node]]:
    """Rank to what it waits in, collective to whom it waits for. Ranks without a dump wait for nothing we know."""
    edges: dict[_Node, Sequence[_Node]] = {_Node(True, dump.rank): () for dump in joined.dumps.dumps}
    inside = {(id(c.group), c.seq): number for number, c in enumerate(waiting.collectives)}
    for number, collective in enumerate(waiting.collectives):
        odd = [rank for rank in collective.waiting if rank in waiting.odd]
        edges[_Node(False, number)] = [_Node(True, rank) for rank in (*collective.blockers, *odd)]
    idle = {rank for collective in waiting.collectives for rank in collective.not_started}
    for rank, head in waiting.heads.items():
        if rank in idle or rank in waiting.odd:
            continue
        if rank in waiting.transfers:
            edges[_Node(True, rank)] = [_Node(True, peer) for peer in waiting.transfers[rank].blockers]
        else:
            edges[_Node(True, rank)] = [_Node(False, inside[id(head.group), head.seq])]
    return edges


def _root(sink: list[_Node], led_to: int, waiting: Waiting) -> Root | None:
    ranks = tuple(sorted(node.number for node in sink if node.is_rank))
    if ranks:
        alone_and_unasked = len(ranks) == 1 and led_to == 1 and ranks[0] not in waiting.heads
        return None if alone_and_unasked else Root(ranks, led_to - len(ranks))
    collective = waiting.collectives[sink[0].number]
    return Root(collective.waiting, led_to - len(collective.waiting), collective)
