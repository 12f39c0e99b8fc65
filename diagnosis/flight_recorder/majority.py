"""Ranks that called something else than the others under the same number, found by majority.

The lowest rank is no reference: it may be the one that is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.flight_recorder.consistency import call_at, calls_at, find_faults
from logtui.diagnosis.flight_recorder.entry_ref import EntryRef, refer
from logtui.diagnosis.flight_recorder.group_log import GroupLog
from logtui.diagnosis.flight_recorder.joined import Group, Joined
from logtui.diagnosis.flight_recorder.mismatch import Mismatch, first_ns, is_stuck
from logtui.diagnosis.flight_recorder.signature import Signature, own_fault, signature
from logtui.diagnosis.flight_recorder.units import Units
from logtui.parsers.flight_recorder.call import Call
from logtui.parsers.flight_recorder.dump import Dump

KEPT = 4
"""Mismatches kept per group, from its beginning and from its end: after the first, the following repeat it."""
MAX_CITED = 8

_Ids = npt.NDArray[np.int64]


class _Book:
    """Numbers signatures, so that a million units are compared as integers."""

    def __init__(self) -> None:
        self.signatures: list[Signature] = []
        self._of_calls: dict[tuple[Call, ...], int] = {}
        self._numbers: dict[Signature, int] = {}

    def number(self, calls: tuple[Call, ...]) -> int:
        if calls not in self._of_calls:
            signed = signature(calls)
            if signed not in self._numbers:
                self._numbers[signed] = len(self.signatures)
                self.signatures.append(signed)
            self._of_calls[calls] = self._numbers[signed]
        return self._of_calls[calls]

    def of_units(self, dump: Dump, units: Units) -> _Ids:
        """The signature of each unit; -1 for sends and receives, which have a partner instead of a majority."""
        table = dump.entries
        numbers = np.full(len(units), -1, np.int64)
        single = (units.end - units.start == 1) & ~units.is_p2p
        of_call = np.array([self.number((call,)) for call in table.calls], np.int64)
        numbers[single] = of_call[table.call[units.first[single]]]
        for unit in np.flatnonzero(~single & ~units.is_p2p):
            numbers[unit] = self.number(tuple(table.calls[c] for c in table.call[units.rows(int(unit))]))
        return numbers


def find_mismatches(joined: Joined) -> tuple[Mismatch, ...]:
    """Compare all collectives that several ranks recorded, group by group, in ascending order. O(n log n)."""
    book = _Book()
    signed = {dump.rank: book.of_units(dump, joined.units[dump.rank]) for dump in joined.dumps.dumps}
    found: list[Mismatch] = []
    for group in joined.groups:
        unlike = list(_of_group(group, signed, book))
        found += unlike or find_faults(group)
    return tuple(found)


def _of_group(group: Group, signed: Mapping[int, _Ids], book: _Book) -> Iterator[Mismatch]:
    logs = list(group.logs.values())
    seqs = np.concatenate([log.seq for log in logs])
    numbers = np.concatenate([signed[log.rank][log.unit] for log in logs])
    ranks = np.repeat([log.rank for log in logs], [len(log.seq) for log in logs])
    order = np.argsort(seqs, kind="stable")
    seqs, numbers, ranks = seqs[order], numbers[order], ranks[order]
    if not len(seqs):
        return
    starts = np.flatnonzero(np.append(True, np.diff(seqs) != 0))
    ends = np.append(starts[1:], len(seqs))
    differ = np.flatnonzero(np.minimum.reduceat(numbers, starts) != np.maximum.reduceat(numbers, starts))
    for at in np.unique(np.append(differ[:KEPT], differ[-KEPT:])):
        span = slice(int(starts[at]), int(ends[at]))
        votes = {int(rank): book.signatures[number] for rank, number in zip(ranks[span], numbers[span], strict=True)}
        yield _by_majority(group, int(seqs[starts[at]]), votes)


def _by_majority(group: Group, seq: int, votes: Mapping[int, Signature]) -> Mismatch:
    kind, said = _first_difference(votes)
    expected = _agreed(group, seq, kind, said)
    found = {call: tuple(sorted(r for r in said if said[r] == call)) for call in said.values() if call != expected}
    odd = tuple(sorted(rank for ranks in found.values() for rank in ranks)) if expected else ()
    shown = odd or tuple(ranks[0] for ranks in found.values())
    return Mismatch(
        group=group.label, seq=seq, kind=kind, odd_ranks=odd, expected=expected, found=tuple(found.items()),
        stuck=is_stuck(group, seq), note=_shift(group, seq, odd, votes), first_ns=first_ns(group, seq),
        evidence=_cited(group, seq, shown, said),
    )  # fmt: skip


def _agreed(group: Group, seq: int, kind: str, said: Mapping[int, str]) -> str:
    """What more than half of the ranks called; else the only call that can work; "" if neither decides."""
    ((call, count), *_) = Counter(said.values()).most_common()
    if count * 2 > len(said):
        return call
    if kind == "type" or not group.listed:
        return ""
    calls = calls_at(group, seq)
    working = {said[rank] for rank in said if rank in calls and not own_fault(calls[rank], len(group.members))}
    return working.pop() if len(working) == 1 else ""


def _first_difference(votes: Mapping[int, Signature]) -> tuple[str, dict[int, str]]:
    """The level at which calls differ, and what each rank says there."""
    operations = {rank: vote.op for rank, vote in votes.items()}
    if len(set(operations.values())) > 1:
        return "type", operations
    sizes = {rank: f"{vote.op} {vote.sizes}" for rank, vote in votes.items()}
    if len(set(sizes.values())) > 1:
        return "size", sizes
    return "dtype", {rank: f"{vote.op} {vote.dtypes}" for rank, vote in votes.items()}


def _shift(group: Group, seq: int, odd: tuple[int, ...], votes: Mapping[int, Signature]) -> str:
    """Whether a rank against the majority is one call ahead or behind: the commonest way to fall out of step."""
    if not odd:
        return ""
    rank, other = odd[0], next(r for r in votes if r not in odd)
    if _op_at(group.logs[rank], seq) == _op_at(group.logs[other], seq + 1) != "":
        return f"rank {rank} calls what the others call next: it skipped {votes[other].op}"
    if _op_at(group.logs[rank], seq + 1) == _op_at(group.logs[other], seq) != "":
        return f"rank {rank} calls the others' {votes[other].op} next: its {votes[rank].op} is one too many"
    return ""


def _op_at(log: GroupLog, seq: int) -> str:
    row = log.row_of(seq)
    return "" if row is None else call_at(log, row).op


def _cited(group: Group, seq: int, ranks: tuple[int, ...], said: Mapping[int, str]) -> tuple[EntryRef, ...]:
    """Entries of the odd ranks, and of one that agrees with most for comparison."""
    agreeing = [rank for rank in said if rank not in ranks][:1]
    rows = ((rank, group.logs[rank].row_of(seq)) for rank in (*ranks[:MAX_CITED], *agreeing))
    return tuple(refer(group.logs[rank].dump, row) for rank, row in rows if row is not None)
