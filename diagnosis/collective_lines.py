"""The watchdog family's lines, read into groups, counters and timeouts."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.collectives import DEFAULT_GROUP, UNKNOWN_GROUP, Collectives, Counters, Group, Timeout
from logtui.diagnosis.identity import Identity
from logtui.parsers.record import Record

WRAPPED = 3
"""Lines over which a wrapped record may be spread."""
TAKEN = (
    "pg.timeout", "pg.work_quoted", "pg.status", "pg.status_bare", "pg.dump_signal", "pg.initiator", "pg.notified",
    "pg.stuck_watchdog",
)  # fmt: skip
"""What `_take` reads; the others are echoes."""
GARBAGE = 1 << 40
"""Counters above this are uninitialised memory (seen in 2.3 and 2.4)."""


def read_collectives(identity: Identity) -> Collectives:
    """Read every line of the watchdog family."""
    found = Collectives()
    loose: dict[tuple[int, int | None], Timeout] = {}
    for record, rank in _spoken(identity):
        _take(found, record, rank, loose)
    for timeout in loose.values():
        group = _sole_group(found, timeout.rank) or _group_alike(found, timeout) or UNKNOWN_GROUP
        timeout.group = group
        found.groups.setdefault(group, Group(group)).timeouts.setdefault(timeout.rank, timeout)
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
            group = found.groups.setdefault(UNKNOWN_GROUP, Group(UNKNOWN_GROUP))
            group.counters.setdefault(rank, _counters(record))
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


def _group(found: Collectives, record: Record, key: str) -> Group:
    group = found.groups.setdefault(key, Group(key))
    group.desc = group.desc or record.fields.get("desc")
    return group


def _take_timeout(found: Collectives, record: Record, rank: int, loose: dict[tuple[int, int | None], Timeout]) -> None:
    key = _group_key(record)
    group = _group(found, record, key) if key is not None else None
    if group is not None and rank in group.timeouts:  # said again by what ends the process
        return
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
    group = _group(found, record, _group_key(record) or UNKNOWN_GROUP)
    counters = _counters(record)
    group.counters.setdefault(rank, counters)
    timeout = loose.pop((rank, counters.failed_seq), None)
    if timeout is not None:
        timeout.group = group.key
        group.timeouts.setdefault(rank, timeout)


def _take_dump_signal(found: Collectives, record: Record, rank: int) -> None:
    if "local" not in record.fields:
        found.notified.setdefault(rank, record)
        source = record.number("source")
        if source is not None and source >= 0:
            found.sources[source] += 1
    if "enqueued" in record.fields:
        group = _group(found, record, _group_key(record) or DEFAULT_GROUP)
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


def _sole_group(found: Collectives, rank: int) -> str | None:
    named = [g.key for g in found.groups.values() if rank in g.counters and g.counters[rank].pending]
    return named[0] if len(named) == 1 else None


def _group_alike(found: Collectives, timeout: Timeout) -> str | None:
    """The one group in which others timed out in the same operation: of this rank the line that names it was cut."""
    asked = (timeout.seq, timeout.op, timeout.numel_in, timeout.numel_out)
    alike = [
        g.key
        for g in found.groups.values()
        if timeout.rank not in g.timeouts
        and any((t.seq, t.op, t.numel_in, t.numel_out) == asked for t in g.timeouts.values())
    ]
    return alike[0] if len(alike) == 1 else None
