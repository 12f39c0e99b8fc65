"""Whose dump a file is: by its name, its groups, or the directory it lies in.

The file itself does not say. Its name ends in the global rank unless somebody renamed it; its groups tell more
than is used elsewhere: the process belongs to every one of them, and names itself in each send and receive.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

import numpy as np

from logtui.parsers.flight_recorder.entries import EntryTable
from logtui.parsers.flight_recorder.groups import MAX_RANK, GroupConfig

_SUFFIX = re.compile(r"\.(?:gz|zst|json|pkl|pickle|bin|dump|txt)$", re.IGNORECASE)
_LAST_NUMBER = re.compile(r"(\d{1,9})$")
_NAMED = re.compile(r"rank[_.-]?(\d{1,9})(?!\d)", re.IGNORECASE)


def ranks_in_name(name: str) -> tuple[int, ...]:
    """Ranks a file name may mean, likeliest first: its trailing number, then one after the word rank."""
    base = PurePosixPath(name.rsplit("!", 1)[-1]).name
    while (shorter := _SUFFIX.sub("", base)) != base:
        base = shorter
    numbers = [*_LAST_NUMBER.findall(base), *_NAMED.findall(base)]
    return tuple(dict.fromkeys(n for n in map(int, numbers) if n < MAX_RANK))


def ranks_by_groups(pg_config: Mapping[str, GroupConfig], entries: EntryTable) -> frozenset[int] | None:
    """Ranks that are in every group of the dump and where its sends and receives say; None if nothing says so."""
    possible: set[int] | None = None
    for group in pg_config.values():
        if group.members:
            possible = set(group.members) if possible is None else possible.intersection(group.members)
    for rank in _own_ranks(pg_config, entries):
        possible = {rank} if possible is None else possible & {rank}
    return None if possible is None else frozenset(possible)


def _own_ranks(pg_config: Mapping[str, GroupConfig], entries: EntryTable) -> set[int]:
    """This process as its sends and receives name it, in global ranks."""
    mine = np.array([call.is_p2p and call.me is not None for call in entries.calls], np.bool_)
    rows = np.flatnonzero(mine[entries.call]) if len(entries) else np.array([], np.int64)
    pairs = {(int(entries.group[row]), int(entries.call[row])) for row in rows}
    ranks = set()
    for group, call in pairs:
        config, me = pg_config.get(entries.groups[group].name), entries.calls[call].me
        if config is not None and me is not None and me < len(config.members):
            ranks.add(config.members[me])
    return ranks
