"""All dumps joined: the same process group as all its ranks recorded it, and the ranks' clocks against each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from logtui.diagnosis.dumps.groups import GroupLog, Units, log_of, units_of, without_false_successes
from logtui.parsers.dumps.dump import Dump, DumpSet, GroupConfig, Watermarks

# -- Groups and watermarks of one dump, kept under different numbers

UNSAID = Watermarks(-1, -1, -1)


def watermarks_by_name(dump: Dump) -> dict[str, Watermarks]:
    """`pg_status` by group name.

    Its keys are local numbers; an entry that has both joins them. A group without entries is joined by order: both
    numbers grow as groups are created, so if there are as many of one kind as of the other and no entry objects,
    the n-th name is the n-th number.
    """
    known = {group.name: group.pg_id for group in dump.entries.groups}
    by_order = _by_order(dump.pg_config, dump.pg_status)
    if all(by_order.get(name, number) == number for name, number in known.items()):
        known = by_order | known
    return {name: dump.pg_status[number] for name, number in known.items() if number in dump.pg_status}


def _by_order(config: Mapping[str, GroupConfig], status: Mapping[int, Watermarks]) -> dict[str, int]:
    if len(config) != len(status) or not all(name.isdecimal() for name in config):
        return {}
    return dict(zip(sorted(config, key=int), sorted(status), strict=True))


def members_by_name(dump: Dump) -> dict[str, tuple[int, ...]]:
    """Members of each group that has entries or is configured; () where the dump does not say.

    gloo files all its groups under the empty name, so that only the last one is left: it is believed if there is
    no more than one.
    """
    members = {name: config.members for name, config in dump.pg_config.items() if name}
    unnamed = dump.pg_config.get("")
    used = {group.name for group in dump.entries.groups}
    for name in used - members.keys():
        members[name] = unnamed.members if unnamed is not None and len(used) == 1 else ()
    return members


def descriptions(dump: Dump) -> dict[str, str]:
    """What each group is for, in the words of the program."""
    said = {name: config.desc for name, config in dump.pg_config.items() if name}
    return said | {group.name: group.desc for group in dump.entries.groups if group.desc}


# -- The group over all ranks

GARBAGE = 1 << 40
"""Watermarks above this are uninitialised memory (seen with torch 2.3 and 2.4)."""


@dataclass(frozen=True, slots=True, eq=False)
class JoinedGroup:
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
    groups: tuple[JoinedGroup, ...]
    units: Mapping[int, Units]
    """By rank."""
    group_of: Mapping[int, tuple[JoinedGroup, ...]]
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

    def finish(self, dumps: DumpSet, units: Mapping[int, Units]) -> JoinedGroup:
        members = self.members or tuple(sorted(self.marks))
        inside = frozenset(members)
        logs = {
            rank: log_of(dumps.by_rank[rank], self.name, marks, units[rank], self.mixed)
            for rank, marks in self.marks.items()
            if rank in inside
        }
        logs = without_false_successes(logs)
        return JoinedGroup(self.name, self.desc, members, bool(self.members), logs, _outdated(logs))


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


def _by_name(group: JoinedGroup) -> tuple[int, int, str, tuple[int, ...]]:
    """Numbered groups in the order they were created, then hashed names."""
    numbered = group.name.isdecimal() and len(group.name) < 19
    return (0 if numbered else 1, int(group.name) if numbered else 0, group.name, group.members)


# -- Clocks, and the date that text logs often lack

MAX_SAMPLES = 200
"""Newest common collectives compared; older ones say little about the clocks at the end."""
MIN_SAMPLES = 3
_NS = 1e9


@dataclass(frozen=True, slots=True)
class Skew:
    """One rank's clock against the median rank's, by when they launched the same collectives.

    A rank that is always late to launch looks like one whose clock is ahead; milliseconds mean nothing.
    """

    rank: int
    offset_s: float
    residual_s: float
    """Median deviation from the offset."""
    samples: int

    def as_dict(self) -> dict[str, object]:
        """For the report."""
        return {"rank": self.rank, "offset_s": self.offset_s, "residual_s": self.residual_s, "samples": self.samples}


def clock_skews(joined: Joined) -> tuple[Skew, ...]:
    """Offsets of all ranks that share enough collectives of one group; the largest group is used."""
    for group in sorted(joined.groups, key=lambda group: -len(group.logs)):
        if len(group.logs) > 1 and (skews := _of_group(group)):
            return skews
    return ()


def _of_group(group: JoinedGroup) -> tuple[Skew, ...]:
    ranks = sorted(group.logs)
    common = group.logs[ranks[0]].seq
    for rank in ranks[1:]:
        common = np.intersect1d(common, group.logs[rank].seq)
    common = common[-MAX_SAMPLES:]
    if len(common) < MIN_SAMPLES:
        return ()
    launched = np.array([_launched(group, rank, common) for rank in ranks], np.int64)
    base = launched[0].copy()
    late = launched - base
    late = late - np.median(late, axis=0)
    offsets = np.median(late, axis=1)
    residuals = np.median(np.abs(late - offsets[:, None]), axis=1)
    return tuple(
        Skew(rank, round(float(offset) / _NS, 6), round(float(residual) / _NS, 6), len(common))
        for rank, offset, residual in zip(ranks, offsets, residuals, strict=True)
    )


def _launched(group: JoinedGroup, rank: int, seqs: np.typing.NDArray[np.int64]) -> np.typing.NDArray[np.int64]:
    log = group.logs[rank]
    units = log.unit[np.searchsorted(log.seq, seqs)]
    return log.dump.entries.created_ns[log.units.first[units]]


def time_span(joined: Joined) -> tuple[float, float] | None:
    """First and last launch in the dumps, in seconds since the epoch: wall clock, with date and zone."""
    known = [d.entries.created_ns[d.entries.created_ns > 0] for d in joined.dumps.dumps]
    firsts = [int(times.min()) for times in known if len(times)]
    lasts = [int(times.max()) for times in known if len(times)]
    return (min(firsts) / _NS, max(lasts) / _NS) if firsts else None
