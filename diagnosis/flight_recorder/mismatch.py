"""Ranks that called something else than the others under the same number, found by majority."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.flight_recorder.entry_ref import EntryRef, refer
from logtui.diagnosis.flight_recorder.group_log import GroupLog, Position
from logtui.diagnosis.flight_recorder.joined import Group, Joined
from logtui.diagnosis.flight_recorder.signature import Signature, numel, own_fault, signature
from logtui.diagnosis.flight_recorder.units import Units
from logtui.parsers.flight_recorder.call import Call
from logtui.parsers.flight_recorder.dump import Dump

MAX_PER_GROUP = 8
"""After the first mismatch in a group the following ones repeat it."""
MAX_CITED = 8

_Ids = npt.NDArray[np.int64]


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
    """Compare all collectives that several ranks recorded, group by group; the first of each group come first."""
    book = _Book()
    signed = {dump.rank: book.of_units(dump, joined.units[dump.rank]) for dump in joined.dumps.dumps}
    found: list[Mismatch] = []
    for group in joined.groups:
        found += _of_group(group, signed, book)
    return tuple(found)


def _of_group(group: Group, signed: Mapping[int, _Ids], book: _Book) -> Iterator[Mismatch]:
    logs = list(group.logs.values())
    seqs = np.concatenate([log.seq for log in logs])
    numbers = np.concatenate([signed[log.rank][log.unit] for log in logs])
    ranks = np.repeat([log.rank for log in logs], [len(log.seq) for log in logs])
    order = np.argsort(seqs, kind="stable")
    seqs, numbers, ranks = seqs[order], numbers[order], ranks[order]
    starts = np.flatnonzero(np.append(True, np.diff(seqs) != 0)) if len(seqs) else order
    if not len(starts):
        return
    differ = np.minimum.reduceat(numbers, starts) != np.maximum.reduceat(numbers, starts)
    ends = np.append(starts[1:], len(seqs))
    for at in np.flatnonzero(differ)[:MAX_PER_GROUP]:
        span = slice(int(starts[at]), int(ends[at]))
        votes = {int(rank): book.signatures[number] for rank, number in zip(ranks[span], numbers[span], strict=True)}
        yield _by_majority(group, int(seqs[starts[at]]), votes)
    yield from _by_themselves(group)


def _by_majority(group: Group, seq: int, votes: Mapping[int, Signature]) -> Mismatch:
    kind, said = _first_difference(votes)
    ((expected, count), *_) = Counter(said.values()).most_common()
    decided = count * 2 > len(said)
    odd = tuple(sorted(rank for rank, call in said.items() if call != expected)) if decided else ()
    found = {call: tuple(sorted(r for r in said if said[r] == call)) for call in said.values()}
    others = tuple((call, ranks) for call, ranks in found.items() if not decided or call != expected)
    shown = odd or tuple(ranks[0] for _, ranks in others)
    return Mismatch(
        group.label, seq, kind, odd, expected if decided else "", others, _is_stuck(group, seq),
        _shift(group, seq, odd, votes), _first_ns(group, seq), _cited(group, seq, shown, said),
    )  # fmt: skip


def _first_difference(votes: Mapping[int, Signature]) -> tuple[str, dict[int, str]]:
    """The level at which calls differ, and what each rank says there."""
    operations = {rank: vote.op for rank, vote in votes.items()}
    if len(set(operations.values())) > 1:
        return "type", operations
    sizes = {rank: f"{vote.op} {vote.sizes}" for rank, vote in votes.items()}
    if len(set(sizes.values())) > 1:
        return "size", sizes
    return "dtype", {rank: f"{vote.op} {vote.dtypes}" for rank, vote in votes.items()}


def _is_stuck(group: Group, seq: int) -> bool:
    """Whether a collective hangs, or, where the backend hides that, is the last that some rank entered."""
    logs = group.logs.values()
    if any(log.position(seq) is Position.PENDING for log in logs):
        return True
    return any(log.silent and log.entered == seq for log in logs)


def _first_ns(group: Group, seq: int) -> int:
    rows = ((log, row) for log in group.logs.values() if (row := log.row_of(seq)) is not None)
    return min((int(log.dump.entries.created_ns[row]) for log, row in rows), default=0)


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
    return "" if row is None else _call(log, row).op


def _cited(group: Group, seq: int, ranks: tuple[int, ...], said: Mapping[int, str]) -> tuple[EntryRef, ...]:
    """Entries of the odd ranks, and of one that agrees with most for comparison."""
    agreeing = [rank for rank in said if rank not in ranks][:1]
    rows = ((rank, group.logs[rank].row_of(seq)) for rank in (*ranks[:MAX_CITED], *agreeing))
    return tuple(refer(group.logs[rank].dump, row) for rank, row in rows if row is not None)


def _by_themselves(group: Group) -> Iterator[Mismatch]:
    """The last collective, where calls agree and are wrong all the same: sizes that cannot fit together."""
    last = max((int(log.seq[-1]) for log in group.logs.values() if len(log.seq)), default=None)
    if last is None or not group.listed:
        return
    rows = {rank: row for rank, log in group.logs.items() if (row := log.row_of(last)) is not None}
    calls = {rank: _call(group.logs[rank], row) for rank, row in rows.items()}
    faults = {rank: fault for rank, call in calls.items() if (fault := own_fault(call, len(group.members)))}
    if not faults and len(calls) == len(group.members):
        faults = _uneven_exchange(calls)
    if faults:
        everybody = len(faults) == len(calls)
        first = next(iter(faults))
        yield Mismatch(
            group.label, last, "own", () if everybody else tuple(sorted(faults)), "",
            ((f"{calls[first]}: {faults[first]}", tuple(sorted(faults))),), _is_stuck(group, last), "", _first_ns(group, last),
            (refer(group.logs[first].dump, rows[first]),),
        )  # fmt: skip


def _call(log: GroupLog, row: int) -> Call:
    return log.dump.entries.calls[int(log.dump.entries.call[row])]


def _uneven_exchange(calls: Mapping[int, Call]) -> dict[int, str]:
    """An all-to-all in which more is sent than received, or less; it does not tell on which rank."""
    if {call.op for call in calls.values()} != {"all_to_all"}:
        return {}
    sent = sum(numel(call.input_sizes) for call in calls.values())
    received = sum(numel(call.output_sizes) for call in calls.values())
    return dict.fromkeys(calls, f"{sent} elements are sent, {received} received") if sent != received else {}
