"""The same process group as all its ranks recorded it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from logtui.diagnosis.flight_recorder.group_log import GroupLog, log_of, without_false_successes
from logtui.diagnosis.flight_recorder.membership import (
    UNSAID,
    descriptions,
    members_by_name,
    watermarks_by_name,
)
from logtui.diagnosis.flight_recorder.units import Units, units_of
from logtui.parsers.flight_recorder.dump import Dump, DumpSet
from logtui.parsers.flight_recorder.groups import Watermarks

GARBAGE = 1 << 40
"""Watermarks above this are uninitialised memory (seen with torch 2.3 and 2.4)."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """One process group, joined over the dumps by name and members."""

    name: str
    desc: str
    members: tuple[int, ...]
    """Global ranks in group order; those seen in it, where the dumps do not list them."""
    listed: bool
    """Whether the dumps list its members."""
    logs: Mapping[int, GroupLog]
    """By rank; a member without a dump has none."""

    outdated: frozenset[int]
    """Ranks whose dump was written before the others went on: these finished what it has not launched."""

    @property
    def label(self) -> str:
        """`name:description`, as the dumps write it."""
        return f"{self.name}:{self.desc}" if self.desc else self.name


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """All groups of a job, in order of their names, and every rank's units."""

    dumps: DumpSet
    groups: tuple[Group, ...]
    units: Mapping[int, Units]
    """By rank."""
    group_of: Mapping[int, tuple[Group, ...]]
    """By rank: the joined group for each group number of its dump's table."""


_Key = tuple[str, tuple[int, ...]]


class _Joining:
    """Collects what the dumps say of one group."""

    def __init__(self, key: _Key) -> None:
        self.name, self.members = key
        self.desc = ""
        self.marks: dict[int, Watermarks] = {}
        self.mixed = False
        """Whether it sends and receives as well: its watermarks may count either."""

    def finish(self, dumps: DumpSet, units: Mapping[int, Units]) -> Group:
        members = self.members or tuple(sorted(self.marks))
        inside = frozenset(members)
        logs = {
            rank: log_of(dumps.by_rank[rank], self.name, marks, units[rank], self.mixed)
            for rank, marks in self.marks.items()
            if rank in inside
        }
        logs = without_false_successes(logs)
        return Group(self.name, self.desc, members, bool(self.members), logs, _outdated(logs))


def _outdated(logs: Mapping[int, GroupLog]) -> frozenset[int]:
    """Ranks that have not launched what another finished although that needs all of them."""
    reached = max((log.completed for log in logs.values()), default=-1)
    behind = [log for log in logs.values() if 0 <= log.entered < reached]
    return frozenset(
        log.rank for log in behind if any(other.needs_everybody(log.entered + 1) for other in logs.values())
    )


def join(dumps: DumpSet) -> Joined:
    """Bring the dumps of all ranks together, group by group. O(entries)."""
    joining: dict[_Key, _Joining] = {}
    of_rank = {dump.rank: _take(dump, joining) for dump in dumps.dumps}
    units = {dump.rank: units_of(dump, _trusted(dump, of_rank[dump.rank])) for dump in dumps.dumps}
    groups = {key: found.finish(dumps, units) for key, found in joining.items()}
    group_of = {
        dump.rank: tuple(groups[_key(of_rank[dump.rank][group.name])] for group in dump.entries.groups)
        for dump in dumps.dumps
    }
    return Joined(dumps, tuple(sorted(groups.values(), key=_by_name)), units, group_of)


def _take(dump: Dump, joining: dict[_Key, _Joining]) -> dict[str, _Joining]:
    """Enter one dump into the groups it is in; they are returned by name."""
    table, marks, descs = dump.entries, watermarks_by_name(dump), descriptions(dump)
    found = {}
    for name, members in members_by_name(dump).items():
        group = found[name] = joining.setdefault((name, members), _Joining((name, members)))
        group.desc = group.desc or descs.get(name, "")
        group.marks[dump.rank] = _sane(marks.get(name, UNSAID))
    for number in np.unique(table.group[table.is_p2p]):
        found[table.groups[number].name].mixed = True
    return found


def _key(group: _Joining) -> _Key:
    return group.name, group.members


def _sane(marks: Watermarks) -> Watermarks:
    return Watermarks(*(mark if -1 <= mark < GARBAGE else -1 for mark in marks))


def _trusted(dump: Dump, groups: Mapping[str, _Joining]) -> dict[int, int]:
    """Completed watermarks that count collectives, by group number of the dump's table."""
    numbered = enumerate(groups[group.name] for group in dump.entries.groups)
    return {number: group.marks[dump.rank].completed for number, group in numbered if not group.mixed}


def _by_name(group: Group) -> tuple[int, int, str, tuple[int, ...]]:
    """Numbered groups in the order they were created, then hashed names."""
    numbered = group.name.isdecimal() and len(group.name) < 19
    return (0 if numbered else 1, int(group.name) if numbered else 0, group.name, group.members)
