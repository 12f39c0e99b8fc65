"""Ranks that called something else than the others under the same number, found by majority.

The lowest rank is no reference: it may be the one that is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.dumps.groups import EXCHANGES, GroupLog, Position, Signature, Units, numel, own_fault, signature
from logtui.diagnosis.dumps.joined import Joined, JoinedGroup
from logtui.parsers.dumps.dump import Call, Dump

# -- Where in a dump a claim rests


@dataclass(frozen=True, slots=True)
class EntryRef:
    """One entry of one dump, for people to look at."""

    file: str
    index: int | None
    """Position among the dump's entries, from 0; None where the claim rests on what is not there."""
    rank: int
    what: str
    """The entry in a few words."""

    def as_dict(self) -> dict[str, object]:
        """For the report."""
        return {"file": self.file, "entry": self.index, "rank": self.rank, "what": self.what}


def refer(dump: Dump, row: int) -> EntryRef:
    """Cite an entry."""
    entry = dump.entries.entry(row)
    number = f"p2p #{entry.p2p_seq}" if entry.is_p2p else f"#{entry.seq}"
    state = entry.state.name.lower() + (", retired" if entry.retired else "")
    return EntryRef(dump.file, row, dump.rank, f"{entry.call} {number} of {entry.group}: {state}")


def refer_last(dump: Dump, rows: int | None = None) -> EntryRef:
    """Cite the newest entry of a dump, or say that there is none."""
    last = len(dump.entries) - 1 if rows is None else rows
    if last < 0:
        return EntryRef(dump.file, None, dump.rank, "no entries: everything it launched has finished")
    return refer(dump, last)


# -- One collective that not all called alike


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One collective that not all ranks called alike."""

    group: str
    seq: int
    kind: str
    """`type`, `size` or `dtype`: the first of them that differs; `own` if a call is wrong by itself."""
    odd_ranks: tuple[int, ...]
    """Ranks against the majority; () if there is none."""
    expected: str
    """What the majority called; "" if there is none."""
    found: tuple[tuple[str, tuple[int, ...]], ...]
    """What was called instead, and by whom."""
    stuck: bool
    """Whether it is still pending, or the last thing its ranks did."""
    note: str
    first_ns: int
    """When the first rank launched it."""
    evidence: tuple[EntryRef, ...]

    def as_dict(self) -> dict[str, object]:
        """For the report."""
        return {
            "group": self.group, "seq": self.seq, "kind": self.kind, "odd_ranks": list(self.odd_ranks),
            "expected": self.expected, "found": [{"call": c, "ranks": list(r)} for c, r in self.found],
            "stuck": self.stuck, "note": self.note, "evidence": [e.as_dict() for e in self.evidence],
        }  # fmt: skip


def is_stuck(group: JoinedGroup, seq: int) -> bool:
    """Whether a collective hangs, or, where the backend hides that, is the last that some rank entered."""
    logs = group.logs.values()
    if any(log.position(seq) is Position.PENDING for log in logs):
        return True
    return any(log.silent and log.entered == seq for log in logs)


def first_ns(group: JoinedGroup, seq: int) -> int:
    rows = ((log, row) for log in group.logs.values() if (row := log.row_of(seq)) is not None)
    return min((int(log.dump.entries.created_ns[row]) for log, row in rows), default=0)


# -- Alike and wrong all the same: sizes that cannot fit together


def find_faults(group: JoinedGroup) -> Iterator[Mismatch]:
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


def calls_at(group: JoinedGroup, seq: int) -> dict[int, Call]:
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


# -- By majority

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


def _of_group(group: JoinedGroup, signed: Mapping[int, _Ids], book: _Book) -> Iterator[Mismatch]:
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


def _by_majority(group: JoinedGroup, seq: int, votes: Mapping[int, Signature]) -> Mismatch:
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


def _agreed(group: JoinedGroup, seq: int, kind: str, said: Mapping[int, str]) -> str:
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


def _shift(group: JoinedGroup, seq: int, odd: tuple[int, ...], votes: Mapping[int, Signature]) -> str:
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


def _cited(group: JoinedGroup, seq: int, ranks: tuple[int, ...], said: Mapping[int, str]) -> tuple[EntryRef, ...]:
    """Entries of the odd ranks, and of one that agrees with most for comparison."""
    odd = frozenset(ranks)
    agreeing = [rank for rank in said if rank not in odd][:1]
    rows = ((rank, group.logs[rank].row_of(seq)) for rank in (*ranks[:MAX_CITED], *agreeing))
    return tuple(refer(group.logs[rank].dump, row) for rank, row in rows if row is not None)
