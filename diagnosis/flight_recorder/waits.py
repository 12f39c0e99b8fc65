"""Following who waits for whom, through all groups, to the ranks that wait for nobody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from logtui.diagnosis.flight_recorder.components import strongly_connected
from logtui.diagnosis.flight_recorder.joined import Joined
from logtui.diagnosis.flight_recorder.mismatch import Mismatch
from logtui.diagnosis.flight_recorder.peers import StuckTransfer
from logtui.diagnosis.flight_recorder.stuck import Head, StuckCollective


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
