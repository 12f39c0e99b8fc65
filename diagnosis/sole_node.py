"""Whether one node is all there is: local ranks are global ranks then."""

from __future__ import annotations

from logtui.diagnosis.identity import Identity
from logtui.parsers.pattern import Trait
from logtui.parsers.registry import registry

MOST_LOCAL = 16
"""Ranks that one node holds at most."""


def sole_node(identity: Identity) -> bool:
    """Whether one launcher speaks, in one file, and nothing hints at another node."""
    records = identity.case.records
    per_node, joining = (registry().areas_with(t) for t in (Trait.PER_NODE, Trait.JOINS_NODES))
    agents = {record.file for record in records.with_prefix(*per_node)}
    if len(agents) != 1 or next(records.with_prefix(*joining), None) is not None:
        return False
    if len(set(identity.hosts.values())) > 1 or any(r != local for r, local in identity.locals.items()):
        return False
    return _largest(identity, "nodes") <= 1 and _largest(identity, "node_rank") < 1 and _ranks_fit(identity)


def _largest(identity: Identity, field: str) -> int:
    """The largest number that any line gives for a field; 0 where none does."""
    names = [p.name for p in identity.case.records.patterns if field in p.fields and p.numeric is None]
    values = (record.number(field) for record in identity.case.records.of(*names))
    return max((v for v in values if v is not None), default=0)


def _ranks_fit(identity: Identity) -> bool:
    rows = identity.case.records.rows
    size = max(_largest(identity, "world_size"), int(rows["rank"].max(initial=-1)) + 1)
    return size <= MOST_LOCAL
