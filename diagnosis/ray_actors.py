"""Which rank a Ray actor is: its prefix `(WorkerDict pid=4242)` joined with the `[rankN]:` of any of its lines.

Of the actors of one class, the one that never gave its rank has the only rank that is left.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from logtui.parsers.case import Case
from logtui.parsers.prefix.grammar import head_named

MOST = 4096
"""Actors that are looked at."""
_ACTOR = head_named("ray").compiled


def actor_ranks(case: Case) -> dict[int, int]:
    """Process id → rank, for Ray actors; O(actors)."""
    rows = case.records.rows
    own = rows[rows["pid"] >= 0]
    said: dict[int, set[int]] = defaultdict(set)
    for pid, rank in np.unique(own[["pid", "rank"]]).tolist():
        if rank >= 0:
            said[pid].add(rank)
    known = {pid: min(ranks) for pid, ranks in said.items() if len(ranks) == 1}
    found: dict[int, int] = {}
    for pids in _by_class(case).values():
        mine = {pid: known[pid] for pid in pids if pid in known}
        found |= mine
        left = set(range(len(pids))) - set(mine.values())
        if len(left) == 1 and len(mine) == len(pids) - 1 and len(pids) > 1:
            found[next(iter(pids - mine.keys()))] = left.pop()
    return found


def _by_class(case: Case) -> dict[str, set[int]]:
    """Actor class → its processes, from one line of each."""
    rows = case.records.rows
    own = np.flatnonzero(rows["pid"] >= 0)
    _, first = np.unique(rows["pid"][own], return_index=True)
    found: dict[str, set[int]] = defaultdict(set)
    for row in rows[own[first[:MOST]]]:
        text = next(iter(case.bodies(int(row["file"]), int(row["line"]), 1)), "")
        actor = _ACTOR.search(text[:200])
        if actor and int(actor["pid"]) == row["pid"]:
            found[actor["actor"]].add(int(row["pid"]))
    return found
