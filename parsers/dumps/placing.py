"""Which rank each dump belongs to, and which dumps belong to this run at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np

from logtui.parsers.dumps.dump import MAX_RANK, Dump, EntryTable, GroupConfig, Watermarks

DEFAULT_TIMEOUT_MS = 600_000
SLACK_MS = 60_000
"""Dumps of one hang end within the timeout of each other; a later end by more than this is another run's."""
_NS_PER_MS = 1_000_000

Refused = tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Unplaced:
    """A dump whose rank is still to be found."""

    file: str
    version: str
    library: str
    pg_config: Mapping[str, GroupConfig]
    pg_status: Mapping[int, Watermarks]
    entries: EntryTable

    @property
    def last_ns(self) -> int:
        """When its newest entry was enqueued; 0 if it has none."""
        return int(self.entries.created_ns.max()) if len(self.entries) else 0

    def of_rank(self, rank: int, told_by: str) -> Dump:
        """The dump with its rank."""
        return Dump(rank, told_by, self.file, self.version, self.library, self.pg_config, self.pg_status, self.entries)


def place(found: Sequence[Unplaced]) -> tuple[list[Dump], list[Refused]]:
    """One dump per rank; those of an earlier run, of no rank, or of a rank that has a newer one are refused."""
    current, refused = _of_this_run(found)
    by_directory = _ranks_by_directory(current)
    claims: dict[int, list[tuple[Unplaced, str]]] = {}
    for dump in current:
        claim = by_directory.get(dump.file) or _claim(dump)
        if isinstance(claim, str):
            refused.append((dump.file, claim))
        else:
            claims.setdefault(claim[0], []).append((dump, claim[1]))
    placed = []
    for rank, claimants in claims.items():
        claimants.sort(key=lambda claimant: claimant[0].last_ns)
        (newest, told_by), older = claimants[-1], claimants[:-1]
        placed.append(newest.of_rank(rank, told_by))
        refused += [(dump.file, f"rank {rank} has a newer dump: {newest.file}") for dump, _ in older]
    return placed, refused


def _claim(dump: Unplaced) -> tuple[int, str] | str:
    """The rank of a dump and what told it, or why there is none."""
    named = ranks_in_name(dump.file)
    possible = ranks_by_groups(dump.pg_config, dump.entries)
    if possible is None:
        return (named[0], "name") if named else "neither its name nor its groups tell its rank"
    for rank in named:
        if rank in possible:
            return rank, "name"
    if len(possible) == 1:
        return next(iter(possible)), "groups"
    if not possible:
        return "its groups have no rank in common"
    says = f"its name says rank {named[0]}" if named else "its name has no rank"
    return f"{says}, its groups are of ranks {_shown(possible)}"


def _shown(ranks: Iterable[int]) -> str:
    first = sorted(ranks)
    return ", ".join(map(str, first[:8])) + (", …" if len(first) > 8 else "")


def _of_this_run(found: Sequence[Unplaced]) -> tuple[list[Unplaced], list[Refused]]:
    """Set apart dumps that a former attempt left behind: they end long before or after the bulk of them."""
    ends = [dump.last_ns for dump in found if dump.last_ns]
    if len(ends) < 3:
        return list(found), []
    middle = int(np.median(np.array(ends, np.int64)))
    patience_ms = SLACK_MS + max(int(d.entries.timeout_ms.max(initial=0)) for d in found) or DEFAULT_TIMEOUT_MS
    current, refused = [], []
    for dump in found:
        away_ms = (dump.last_ns - middle) / _NS_PER_MS
        if dump.last_ns and abs(away_ms) > patience_ms:
            side = "after" if away_ms > 0 else "before"
            why = f"of another run or attempt: its last entry is {abs(away_ms) / 1000:.0f} s {side} the others'"
            refused.append((dump.file, why))
        else:
            current.append(dump)
    return current, refused


def _ranks_by_directory(dumps: Sequence[Unplaced]) -> dict[str, tuple[int, str]]:
    """Ranks where each node's directory numbers its dumps from 0: directories in order, then local numbers.

    Only if two dumps claim one rank, their groups allow more than one, and the counts fit the world exactly.
    """
    local: dict[str, dict[int, str]] = {}
    world: set[int] = set()
    for dump in dumps:
        named = ranks_in_name(dump.file)
        possible = ranks_by_groups(dump.pg_config, dump.entries) or frozenset()
        if not named or len(possible) < 2:
            return {}
        local.setdefault(str(PurePosixPath(dump.file).parent), {})[named[0]] = dump.file
        world |= possible
    folders = list(local.values())
    per_node = len(folders[0]) if folders else 0
    numbered = all(sorted(files) == list(range(per_node)) for files in folders)
    if len(folders) < 2 or not numbered or world != set(range(per_node * len(folders))):
        return {}
    return {
        file: (node * per_node + number, "directory")
        for node, files in enumerate(folders)
        for number, file in files.items()
    }


# -- Ranks that a name and groups allow
#
# The file itself does not say. Its name ends in the global rank unless somebody renamed it; its groups tell more than
# is used elsewhere: the process belongs to every one of them, and names itself in each send and receive.

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
