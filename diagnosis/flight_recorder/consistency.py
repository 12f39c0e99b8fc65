"""Calls that are alike and wrong all the same: sizes that cannot fit together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from logtui.diagnosis.flight_recorder.entry_ref import refer
from logtui.diagnosis.flight_recorder.group_log import GroupLog
from logtui.diagnosis.flight_recorder.joined import Group
from logtui.diagnosis.flight_recorder.mismatch import Mismatch, first_ns, is_stuck
from logtui.diagnosis.flight_recorder.signature import EXCHANGES, numel, own_fault
from logtui.parsers.flight_recorder.call import Call


def find_faults(group: Group) -> Iterator[Mismatch]:
    """The last collective of a group, if it can work on no rank; nobody in particular is to blame for that."""
    last = max((int(log.seq[-1]) for log in group.logs.values() if len(log.seq)), default=None)
    if last is None or not group.listed:
        return
    calls = calls_at(group, last)
    faults = {rank: own_fault(call, len(group.members)) for rank, call in calls.items()}
    why = next(iter(faults.values()), "") if all(faults.values()) else ""
    if not why and len(calls) == len(group.members):
        why = _uneven_exchange(calls)
    if why:
        rank = min(calls)
        row = group.logs[rank].row_of(last)
        yield Mismatch(
            group=group.label, seq=last, kind="own", odd_ranks=(), expected="",
            found=((f"{calls[rank]}: {why}", tuple(sorted(calls))),), stuck=is_stuck(group, last), note="",
            first_ns=first_ns(group, last), evidence=() if row is None else (refer(group.logs[rank].dump, row),),
        )  # fmt: skip


def calls_at(group: Group, seq: int) -> dict[int, Call]:
    """What each rank that recorded a collective called."""
    rows = ((log, log.row_of(seq)) for log in group.logs.values())
    return {log.rank: call_at(log, row) for log, row in rows if row is not None}


def call_at(log: GroupLog, row: int) -> Call:
    """The call of an entry."""
    return log.dump.entries.calls[int(log.dump.entries.call[row])]


def _uneven_exchange(calls: Mapping[int, Call]) -> str:
    """Whether an all-to-all sends more than it receives, or less; it does not tell on which rank."""
    if any(call.op not in EXCHANGES for call in calls.values()):
        return ""
    sent = sum(numel(call.input_sizes) for call in calls.values())
    received = sum(numel(call.output_sizes) for call in calls.values())
    return f"{sent} elements are sent, {received} received" if sent != received else ""
