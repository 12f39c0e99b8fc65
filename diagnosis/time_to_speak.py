"""Whether a rank that its launcher stopped had had time to say that it waits.

Up to PyTorch 2.3 a process whose collective times out ends within a second, and nothing tells the others. Its node's
agent looks every 5 s and stops the rest of the node, those included that were about to time out. So silence there means
something only on nodes that were stopped well after others.
"""

from __future__ import annotations

from collections import defaultdict

from logtui.diagnosis.collectives import Group
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.identity import node_key
from logtui.parsers.pattern import Mark
from logtui.parsers.record import Record
from logtui.parsers.stamp import TimeFrom

GRACE_S = 3.0
"""A node that was stopped so much later than another had time: ranks that wait alike time out within two seconds."""
AT_ONCE_S = 1.5
"""A node that was stopped so shortly after the first one may have been cut short."""
ENOUGH_NODES = 4
"""With fewer nodes the first stop says little about when the first rank timed out."""


def stopped_early(facts: Facts) -> set[int]:
    """Ranks that their launcher ended before their own watchdog could speak: silence there means nothing."""
    ended = {p.rank for p in facts.exits.processes if p.signal == "SIGTERM" and p.rank is not None}
    stops = list(facts.case.records.marked(Mark.STOPS_WORKERS))
    named = (facts.identity.by_any_pid.get(pid) for r in stops if (pid := r.number("pid")) is not None)
    ended |= {rank for rank in named if rank is not None}
    nodes = {_node(facts, r) for r in stops}
    return ended | {rank for (node, _), rank in facts.identity.by_local.items() if node in nodes}


def cut_off(facts: Facts, group: Group, absent: set[int]) -> set[int]:
    """Of the absent, those whose silence in a group means nothing: stopped, and never heard of."""
    return absent & (stopped_early(facts) - set(facts.collectives.notified) - set(group.counters))


def had_time(facts: Facts, group: Group, silent: set[int]) -> set[int]:
    """Of some stopped ranks, those that would have spoken: all their neighbours did, long after the first stop."""
    stops = _stops(facts, group)
    first = min(stops.values(), default=0.0)
    late = {node for node, time in stops.items() if time - first > GRACE_S}
    found: set[int] = set()
    for node, ranks in _nodes(facts).items():
        quiet = ranks - group.waiting
        if node in late and len(quiet) == 1 and len(ranks) > 1:
            found |= quiet & silent
    return found


def cut_short(facts: Facts, group: Group, rank: int) -> bool:
    """Whether a rank's node was among the first of many to be stopped."""
    stops = _stops(facts, group)
    own = [stops[node] for node, ranks in _nodes(facts).items() if rank in ranks and node in stops]
    return len(stops) >= ENOUGH_NODES and bool(own) and min(own) - min(stops.values()) <= AT_ONCE_S


def _node(facts: Facts, record: Record) -> str:
    return node_key(facts.case.files[record.file], record)


def _nodes(facts: Facts) -> dict[str, set[int]]:
    nodes: dict[str, set[int]] = defaultdict(set)
    for (node, _), rank in facts.identity.by_local.items():
        nodes[node].add(rank)
    return nodes


def _stops(facts: Facts, group: Group) -> dict[str, float]:
    """Node where somebody timed out → when its launcher began to stop it, by a stamp of the launcher's own."""
    waiting = {node for node, ranks in _nodes(facts).items() if ranks & group.waiting}
    records = facts.case.records.marked(Mark.STOPS_WORKERS)
    said = [(_node(facts, r), r.time) for r in records if r.time_from is not TimeFrom.NEIGHBOUR]
    said += [(_node(facts, p.record), p.noticed) for p in facts.exits.processes]
    stops: dict[str, float] = {}
    for node, time in said:
        if time is not None and node in waiting:
            stops[node] = min(time, stops.get(node, time))
    return stops
