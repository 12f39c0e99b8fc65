"""Collective state per (rank, process group), from the watchdog family's lines: who entered, waits, or was only told.

A timeout line is a victim's: its rank had entered and waited. What decides is the comparison of all ranks: the one
that never entered, or the one whose first pending operation is lower than everybody's.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nsmallest
from itertools import islice
from typing import TypeAlias

from logtui.diagnosis.facts.identity import Identity
from logtui.diagnosis.model.report import GroupState, StuckOn
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.records.record import Record

DEFAULT_GROUP = "0"
"""GUID of the world group, `default_pg`."""
UNKNOWN_GROUP = "?"
"""Timeouts whose line names no group (up to PyTorch 2.2) and that no status line completes."""
ROOTED = frozenset({"BROADCAST", "REDUCE", "GATHER", "SCATTER", "SEND", "RECV", "COALESCED", "UNKNOWN"})
"""Operations whose sizes, or whose order, may differ between members by design."""


@dataclass(slots=True)
class Timeout:
    """One operation one rank waited for until its limit."""

    record: Record
    rank: int
    group: str
    seq: int | None
    op: str | None
    numel_in: int | None
    numel_out: int | None
    timeout_ms: int | None
    ran_ms: int | None

    @property
    def start(self) -> float | None:
        """When the operation began to be waited for: the line's time minus how long it ran."""
        if self.record.time is None or self.ran_ms is None or self.record.time_from is TimeFrom.NEIGHBOUR:
            return None
        return self.record.time - self.ran_ms / 1000


@dataclass(slots=True)
class Counters:
    """Progress of one group on one rank, None where not said or garbage; `printed` keeps what the line says."""

    record: Record
    enqueued: int | None
    started: int | None
    completed: int | None
    failed_seq: int | None
    printed: tuple[int | None, int | None]
    """(enqueued, completed) as printed."""

    @property
    def pending(self) -> bool:
        """Whether something enqueued has not completed."""
        if self.enqueued is None:
            return False
        return self.completed is None or self.enqueued > self.completed

    @property
    def first_pending(self) -> int | None:
        """The lowest operation not completed."""
        if self.failed_seq is not None:
            return self.failed_seq
        return None if self.completed is None or not self.pending else self.completed + 1


@dataclass
class WatchedGroup:
    """One process group as all its ranks speak of it."""

    key: str
    desc: str | None = None
    counters: dict[int, Counters] = field(default_factory=dict)
    timeouts: dict[int, Timeout] = field(default_factory=dict)
    assumed_world: bool = False
    """The lines name no group at all (up to 2.2), so that the only one is taken for the world's."""

    @property
    def world(self) -> bool:
        """Whether it spans all ranks of the job."""
        return self.key == DEFAULT_GROUP or self.desc == "default_pg" or self.assumed_world

    @cached_property
    def waiting(self) -> set[int]:
        """Ranks that entered and did not finish. Computed once, when all lines have been read."""
        return set(self.timeouts) | {r for r, c in self.counters.items() if c.pending}

    @cached_property
    def spots(self) -> Counter[int]:
        """First pending operation → how many ranks wait there."""
        return self._count_spots()

    @cached_property
    def usual_spots(self) -> tuple[tuple[int, int], ...]:
        """Of them, where most wait and where most of the others do: one rank less or more does not change which. Asked
        of every group, of which there may be tens of thousands."""
        return tuple(nsmallest(2, self._count_spots().items(), key=lambda told: (-told[1], told[0])))

    def _count_spots(self) -> Counter[int]:
        return Counter(p for r in self.waiting if (p := self.pending_of(r)) is not None)

    @cached_property
    def least_depth(self) -> int:
        """The shortest queue among the ranks that wait."""
        return min((_depth(self.counters[r]) for r in self.waiting if r in self.counters), default=0)

    def operation(self, rank: int) -> tuple[int | None, str | None, int | None, int | None]:
        """(seq, op, numel in, numel out) a rank is stuck on."""
        t = self.timeouts.get(rank)
        return (t.seq, t.op, t.numel_in, t.numel_out) if t else (self.pending_of(rank), None, None, None)

    def pending_of(self, rank: int) -> int | None:
        """First operation a rank has not completed."""
        if rank in self.counters and (first := self.counters[rank].first_pending) is not None:
            return first
        return self.timeouts[rank].seq if rank in self.timeouts else None


@dataclass
class Collectives:
    """All groups, and each rank's part in the alarm. Asked only when all lines have been read."""

    groups: dict[str, WatchedGroup] = field(default_factory=dict)
    initiators: dict[int, Record] = field(default_factory=dict)
    notified: dict[int, Record] = field(default_factory=dict)
    sources: Counter[int] = field(default_factory=Counter)
    """Ranks named as the source of a dump signal: detectors."""
    wedged: dict[int, Record] = field(default_factory=dict)
    """Ranks whose own watchdog thread is stuck."""

    @cached_property
    def timed_out(self) -> set[int]:
        """Ranks with a timeout of their own, in any group."""
        return {r for g in self.groups.values() for r in g.timeouts}

    @cached_property
    def stuck_groups(self) -> list[WatchedGroup]:
        """Groups in which somebody waits, the world group first, then by how many wait."""
        stuck = [g for g in self.groups.values() if g.timeouts]
        return sorted(stuck, key=lambda g: (not g.world, -len(g.timeouts), g.key))

    @cached_property
    def waits_in(self) -> dict[int, WatchedGroup]:
        """Rank → the first of the stuck groups in which it waits."""
        found: dict[int, WatchedGroup] = {}
        for group in reversed(self.stuck_groups):
            found |= dict.fromkeys(group.waiting, group)
        return found

    @cached_property
    def _by_rank(self) -> dict[int, list[WatchedGroup]]:
        found: dict[int, list[WatchedGroup]] = {}
        for group in self.groups.values():
            for rank in group.counters.keys() | group.timeouts.keys():
                found.setdefault(rank, []).append(group)
        return found

    def of_rank(self, rank: int) -> list[WatchedGroup]:
        """The groups in which a rank has a line."""
        return self._by_rank.get(rank, [])

    @property
    def first_timeout(self) -> Timeout | None:
        """The earliest timeout line."""
        found = [t for g in self.groups.values() for t in g.timeouts.values()]
        return min(found, key=lambda t: t.record.order) if found else None

    @property
    def stall_start(self) -> float | None:
        """When the first of the stuck operations began to be waited for."""
        starts = [t.start for g in self.groups.values() for t in g.timeouts.values() if t.start is not None]
        return min(starts) if starts else None

    def role(self, rank: int) -> str:
        """initiator, notified or silent."""
        if rank in self.initiators or rank in self.timed_out:
            return "initiator"
        return "notified" if rank in self.notified else "silent"


def group_status(group: WatchedGroup, rank: int) -> str:
    """The contract's word for one rank in one group, by comparison with its other members."""
    counters = group.counters.get(rank)
    if rank not in group.waiting:
        return (
            "never_entered" if group.waiting and counters is not None else "silent" if counters is None else "healthy"
        )
    mine = group.pending_of(rank)
    usual = _usual_of_others(group, mine)
    if mine is not None and usual is not None and mine != usual:
        return "behind" if mine < usual else "ahead"
    if counters is not None and _depth(counters) > group.least_depth:
        return "queued_ahead"
    return "waiting"


def _usual_of_others(group: WatchedGroup, mine: int | None) -> int | None:
    """Where most of the other ranks wait."""
    others = {spot: count - (spot == mine) for spot, count in group.usual_spots}
    return max(others, key=lambda s: (others[s], -s)) if any(others.values()) else None


def _depth(counters: Counters) -> int:
    if counters.enqueued is None or counters.completed is None:
        return 0
    return counters.enqueued - counters.completed


def group_states(found: Collectives, rank: int) -> list[tuple[GroupState, Record]]:
    """Everything known of a rank's groups, stuck ones first, each with the record that says it."""
    states = []
    for group in found.of_rank(rank):
        counters, timeout = group.counters.get(rank), group.timeouts.get(rank)
        record = counters.record if counters else timeout.record if timeout else None
        if record is None:
            continue
        stuck = None
        if timeout is not None:
            stuck = StuckOn(timeout.seq, timeout.op, timeout.numel_in, timeout.numel_out, timeout.timeout_ms)
        states.append(
            (
                GroupState(
                    group.key,
                    group.desc,
                    counters.printed[0] if counters else None,
                    counters.started if counters else None,
                    counters.printed[1] if counters else None,
                    stuck,
                    group_status(group, rank),
                ),
                record,
            )
        )
    return sorted(states, key=lambda s: (s[0].stuck_on is None, s[0].group))


# -- Lines read into groups, counters and timeouts

WRAPPED = 3
"""Lines over which a wrapped record may be spread."""
TAKEN = (
    "pg.timeout", "pg.work_quoted", "pg.status", "pg.status_bare", "pg.dump_signal", "pg.initiator", "pg.notified",
    "pg.stuck_watchdog", "pg.terminated",
)  # fmt: skip
"""What `_take` reads; the others are echoes."""
MOST_GROUPS = 1 << 15
"""More than sixteen thousand ranks make, of whose groups those of one member never wait; lines that name others yet are
counted, and not compared."""
GARBAGE = 1 << 40
"""Counters above this are uninitialised memory (seen in 2.3 and 2.4)."""


def read_collectives(identity: Identity) -> Collectives:
    """Read every line of the watchdog family."""
    found = Collectives()
    loose: dict[tuple[int, int | None], Timeout] = {}
    for record, rank in _spoken(identity):
        _take(found, record, rank, loose)
        record.forget()
    _Homes(found.groups).take(loose.values())
    if len(found.groups) == 1 and UNKNOWN_GROUP in found.groups:
        found.groups[UNKNOWN_GROUP].assumed_world = True
    return found


def _spoken(identity: Identity) -> Iterator[tuple[Record, int]]:
    """The family's lines that say something, and whose they are."""
    records = identity.case.records
    if bool((records.rows["rank"][records.indices(*TAKEN)] >= 0).all()):  # all signed: no other line is asked
        yield from ((record, record.rank) for record in records.of(*TAKEN) if record.rank is not None)
        return
    before: tuple[int, int, int | None] = (-1, -1, None)
    for record in records.with_prefix("pg"):
        rank, _ = identity.rank_of(record)
        if rank is None:
            rank = _rank_of_old_line(record)
        if rank is None and before[0] == record.file and record.line - before[1] <= WRAPPED:
            rank = before[2]
        before = (record.file, record.line, rank)
        if rank is not None and record.name in TAKEN:
            yield record, rank


def _take(found: Collectives, record: Record, rank: int, loose: dict[tuple[int, int | None], Timeout]) -> None:
    match record.name:
        case "pg.timeout" if "seq" in record.fields:
            _take_timeout(found, record, rank, loose)
        case "pg.work_quoted":
            _take_timeout(found, record, rank, loose)
        case "pg.status":
            _take_status(found, record, rank, loose)
        case "pg.status_bare":
            unknown = found.groups.setdefault(UNKNOWN_GROUP, WatchedGroup(UNKNOWN_GROUP))
            unknown.counters.setdefault(rank, _counters(record))
        case "pg.terminated" if (key := _group_key(record)) is not None:
            if group := _group(found, record, key):
                _join(group, rank, record.number("seq"), loose)
        case "pg.dump_signal":
            _take_dump_signal(found, record, rank)
        case "pg.initiator":
            found.initiators.setdefault(rank, record)
        case "pg.notified":
            found.notified.setdefault(rank, record)
        case "pg.stuck_watchdog":
            found.wedged.setdefault(rank, record)


def _rank_of_old_line(record: Record) -> int | None:
    """Up to 2.2 only `[Rank n]` names the rank; with one group it is the global one."""
    if record.name in ("pg.timeout", "pg.status", "pg.status_bare", "pg.work_quoted") and "pg_id" not in record.fields:
        return record.number("pg_rank")
    return None


def _group_key(record: Record) -> str | None:
    f = record.fields
    return f.get("guid") or f.get("guid2") or f.get("pg_name")


def _group(found: Collectives, record: Record, key: str) -> WatchedGroup | None:
    group = found.groups.get(key)
    if group is None:
        if len(found.groups) >= MOST_GROUPS:
            return None
        group = found.groups[key] = WatchedGroup(key)
    group.desc = group.desc or record.fields.get("desc")
    return group


def _take_timeout(found: Collectives, record: Record, rank: int, loose: dict[tuple[int, int | None], Timeout]) -> None:
    key = _group_key(record)
    group = _group(found, record, key) if key is not None else None
    if (key is not None and group is None) or (group is not None and rank in group.timeouts):
        return  # one group too many, or said again by what ends the process
    timeout = Timeout(
        record,
        rank,
        key or UNKNOWN_GROUP,
        record.number("seq"),
        record.fields.get("op"),
        record.number("numel_in"),
        record.number("numel_out"),
        record.number("timeout_ms"),
        record.number("ran_ms"),
    )
    if group is not None:
        group.timeouts[rank] = timeout
    else:
        loose.setdefault((rank, timeout.seq), timeout)


def _take_status(found: Collectives, record: Record, rank: int, loose: dict[tuple[int, int | None], Timeout]) -> None:
    counters = _counters(record)
    if group := _group(found, record, _group_key(record) or UNKNOWN_GROUP):
        group.counters.setdefault(rank, counters)
        _join(group, rank, counters.failed_seq, loose)


def _join(group: WatchedGroup, rank: int, seq: int | None, loose: dict[tuple[int, int | None], Timeout]) -> None:
    """A timeout whose line names no group belongs to the one that another line of its rank names with its number."""
    timeout = loose.pop((rank, seq), None)
    if timeout is not None:
        timeout.group = group.key
        group.timeouts.setdefault(rank, timeout)


def _take_dump_signal(found: Collectives, record: Record, rank: int) -> None:
    if "local" not in record.fields:
        found.notified.setdefault(rank, record)
        source = record.number("source")
        if source is not None and source >= 0:
            found.sources[source] += 1
    if "enqueued" in record.fields and (group := _group(found, record, _group_key(record) or DEFAULT_GROUP)):
        group.counters.setdefault(rank, _counters(record))


def _counters(record: Record) -> Counters:
    enqueued, completed = record.number("enqueued"), record.number("completed")
    started, printed = record.number("started"), (enqueued, completed)
    if enqueued is not None and not -1 <= enqueued < GARBAGE:
        enqueued = None
    if completed is not None and not -1 <= completed <= (GARBAGE if enqueued is None else enqueued):
        completed = None
    failed = next((n for k in ("seq", "seq2", "seq3") if (n := record.number(k)) is not None), None)
    return Counters(record, enqueued, started if started != -1 else None, completed, failed, printed)


_Operation: TypeAlias = tuple[int | None, str | None, int | None, int | None]
"""Number, name, and elements in and out."""


class _Homes:
    """The groups of timeouts whose lines name none. Each is looked up in what all groups have said, which grows on the
    way; a job may have as many timeouts as groups."""

    def __init__(self, groups: dict[str, WatchedGroup]) -> None:
        self._groups = groups
        self._pending: dict[int, list[str]] = defaultdict(list)
        self._in_operation: dict[_Operation, dict[str, None]] = defaultdict(dict)
        self._numbers: dict[str, set[int | None]] = defaultdict(set)

    def take(self, loose: Collection[Timeout]) -> None:
        """Put timeouts where they belong."""
        for group in self._groups.values() if loose else ():
            for rank, counters in group.counters.items():
                if counters.pending:
                    self._pending[rank].append(group.key)
            for timeout in group.timeouts.values():
                self._learn(group, timeout)
        for timeout in loose:
            key = self._sole(timeout.rank) or self._alike(timeout) or self._only_world(timeout) or UNKNOWN_GROUP
            timeout.group = key
            group = self._groups.setdefault(key, WatchedGroup(key))
            if group.timeouts.setdefault(timeout.rank, timeout) is timeout:
                self._learn(group, timeout)

    def _learn(self, group: WatchedGroup, timeout: Timeout) -> None:
        self._in_operation[group.operation(timeout.rank)][group.key] = None
        self._numbers[group.key].add(timeout.seq)

    def _sole(self, rank: int) -> str | None:
        named = self._pending.get(rank, ())
        return named[0] if len(named) == 1 else None

    def _alike(self, timeout: Timeout) -> str | None:
        """The one group in which others timed out in the same operation: this rank's line that names it was cut."""
        there = self._in_operation.get((timeout.seq, timeout.op, timeout.numel_in, timeout.numel_out), ())
        alike = list(islice((key for key in there if timeout.rank not in self._groups[key].timeouts), 2))
        return alike[0] if len(alike) == 1 else None

    def _only_world(self, timeout: Timeout) -> str | None:
        """The world's group, where no other is named and somebody there is stuck at the same number: in another
        operation, perhaps."""
        named = [key for key in islice(self._groups, 3) if key != UNKNOWN_GROUP]
        if len(named) != 1 or not self._groups[named[0]].world or timeout.rank in self._groups[named[0]].timeouts:
            return None
        return named[0] if timeout.seq in self._numbers[named[0]] else None
