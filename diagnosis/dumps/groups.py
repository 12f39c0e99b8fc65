"""One process group as one rank recorded it.

Its entries are read in units that other ranks launch too, and each call by what two ranks must agree on.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np

from logtui.parsers.dumps.dump import Call, Dump, EntryTable, Flags, Ints, Shapes, State, Watermarks

# -- Signatures: what two ranks must agree on
#
# Which part of a call is the same on all ranks depends on the operation: members of a gather send alike and only one
# receives, an all-to-all may be uneven. What may differ is left out, so that equal signatures mean agreement.


_GATHERING = frozenset({
    "all_gather", "_all_gather_base", "all_gather_base", "all_gather_single", "all_gather_into_tensor_coalesced",
})  # fmt: skip
_SCATTERING = frozenset({
    "reduce_scatter", "_reduce_scatter_base", "reduce_scatter_base", "reduce_scatter_single",
    "reduce_scatter_tensor_coalesced",
})  # fmt: skip
_SAME_SIZE = frozenset({"all_reduce", "allreduce_coalesced"})
_ONE_TO_ALL = frozenset({"broadcast", "_broadcast_oop", "reduce", "_reduce_oop"})
EXCHANGES = frozenset({"all_to_all", "all_to_all_single", "all_to_all_v_single"})
"""Operations in which ranks may send and receive as much as they like, if it adds up."""

EVEN = _GATHERING | _SCATTERING | _SAME_SIZE | _ONE_TO_ALL
"""Operations whose tensors have the same shapes on every rank."""
SYMMETRIC = (EVEN - _ONE_TO_ALL) | EXCHANGES | {
    "barrier", "all_reduce_barrier", "all_gather_v", "reduce_scatter_v",
}  # fmt: skip
"""Operations that end on no rank before every rank has begun them."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The part of a call, or of the calls of a coalesced group, that all ranks share."""

    op: str
    sizes: str = ""
    dtypes: str = ""


def signature(calls: Sequence[Call]) -> Signature:
    """The signature of one unit."""
    inner = [call for call in calls if not call.closes_group] or calls
    return Signature(
        " + ".join(call.op for call in inner),
        " + ".join(_sizes(call) for call in inner),
        " + ".join(_dtypes(call) for call in inner),
    )


def _sizes(call: Call) -> str:
    if call.op in EVEN:
        return f"{_shown(call.input_sizes)} → {_shown(call.output_sizes)}"
    if call.op == "gather":
        return _shown(call.input_sizes)
    return _shown(call.output_sizes) if call.op == "scatter" else ""


def _shown(shapes: Shapes) -> str:
    return str([list(shape) for shape in shapes])


def _dtypes(call: Call) -> str:
    """Types of the tensors that hold anything; a rank that only sends, or has nothing to send, agrees with all."""
    if call.op not in EVEN:
        return ""
    return ", ".join(sorted({*call.input_dtypes, *call.output_dtypes}))


def numel(shapes: Shapes) -> int:
    """Elements in all tensors; an unknown shape counts none."""
    return sum(math.prod(shape) for shape in shapes if shape)


def own_fault(call: Call, group_size: int) -> str:
    """Why a call is wrong whatever the other ranks do; "" if it may be right."""
    ins, outs = numel(call.input_sizes), numel(call.output_sizes)
    if not ins or not outs:
        return ""
    if call.op in EVEN and {*call.input_dtypes} != {*call.output_dtypes}:
        return f"input {', '.join(call.input_dtypes)} and output {', '.join(call.output_dtypes)} differ in type"
    if call.op in _SAME_SIZE and call.input_sizes != call.output_sizes:
        return f"input {_shown(call.input_sizes)} and output {_shown(call.output_sizes)} differ"
    if call.op in _GATHERING and ins * group_size != outs:
        return f"{ins} elements of each of {group_size} ranks do not make {outs}"
    if call.op in _SCATTERING and outs * group_size != ins:
        return f"{ins} elements do not divide into {outs} for each of {group_size} ranks"
    return ""


# -- Units: what other ranks launch too
#
# A unit is one collective, one send or receive, or one coalesced group of them: the entries of one process group that
# share a number. Inside a coalesced group only the closing entry has a state; the others stay scheduled for ever.


FAILS_SILENTLY = frozenset({"gloo"})
"""Backends whose entries never leave `scheduled`: retired is all they tell, after success and failure alike."""


_NONE: Ints = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Units of one dump in columns, ordered by group, then as launched."""

    group: Ints
    """Number of the group within the dump's table."""
    is_p2p: Flags
    seq: Ints
    """Number of the collective, or of the launch for sends and receives."""
    done: Flags
    started: Flags
    start: Ints
    """Where its entries begin in `order`."""
    end: Ints
    """One past its last entry, which is the closing one in a coalesced group."""
    order: Ints
    """Rows of the dump's table, unit by unit."""
    is_transfer: Flags
    """Which entries of the dump are a send or a receive."""

    def __len__(self) -> int:
        return len(self.seq)

    def of_group(self, number: int) -> slice:
        """The units of one group, by its number within the dump's table."""
        return slice(*(int(at) for at in np.searchsorted(self.group, (number, number + 1))))

    def rows_of(self, units: slice) -> Ints:
        """The entries of adjacent units."""
        return self.order[self.start[units.start] : self.end[units.stop - 1]] if units.stop > units.start else _NONE

    def rows(self, unit: int) -> Ints:
        """Its entries, in order."""
        return self.order[self.start[unit] : self.end[unit]]

    @property
    def first(self) -> Ints:
        """First entry of each."""
        return self.order[self.start]

    def of_rows(self) -> Ints:
        """The unit of each entry of the dump."""
        units = np.empty(len(self.order), np.int64)
        units[self.order] = np.repeat(np.arange(len(self)), self.end - self.start)
        return units


def units_of(dump: Dump, completed: Mapping[int, int]) -> Units:
    """Fold the entries of a dump; `completed` gives trusted watermarks of collectives by group number."""
    table = dump.entries
    is_p2p = _with_closing_entries(table)
    order = np.lexsort((is_p2p, table.group))
    key = np.where(is_p2p, table.p2p_seq, table.seq)[order]
    group, p2p = table.group[order], is_p2p[order]
    begins = np.ones(len(order), np.bool_)
    begins[1:] = (np.diff(key) != 0) | (np.diff(group) != 0) | (p2p[1:] != p2p[:-1])
    starts = np.flatnonzero(begins)
    ends = np.append(starts[1:], len(order))[: len(starts)]
    done = _done(table, order, starts, ends)
    for number, mark in completed.items():
        done |= (group[starts] == number) & ~p2p[starts] & (key[starts] <= mark)
    started = table.state[order[ends - 1]] >= State.STARTED
    transfers = np.array([call.is_p2p for call in table.calls], np.bool_)
    is_transfer = transfers[table.call] if len(transfers) else table.is_p2p
    begin, end, rows = (places.astype(np.int32) for places in (starts, ends, order))
    return Units(group[starts], p2p[starts], key[starts], done, started, begin, end, rows, is_transfer)


def _with_closing_entries(table: EntryTable) -> Flags:
    """Which entries are sends and receives, counting the closing entry of a group of them."""
    is_p2p = table.is_p2p.copy()
    closes = _closing(table)
    if closes.any():
        order = np.argsort(table.group, kind="stable")
        before = np.zeros(len(order), np.bool_)
        before[1:] = is_p2p[order][:-1] & (np.diff(table.group[order]) == 0)
        is_p2p[order] |= closes[order] & before
    return is_p2p


def _closing(table: EntryTable) -> Flags:
    closes = np.array([call.closes_group for call in table.calls], np.bool_)
    return closes[table.call] if len(closes) else np.zeros(len(table), np.bool_)


def _done(table: EntryTable, order: Ints, starts: Ints, ends: Ints) -> Flags:
    """Whether each unit has finished, as far as its own rank knows.

    A coalesced group without its closing entry is finished if others follow: dumps of active entries only leave
    out the closing one and keep the rest, which has no state of its own.
    """
    silent = np.array([call.backend in FAILS_SILENTLY for call in table.calls], np.bool_)
    finished = table.state == State.COMPLETED
    if silent.any():
        finished |= silent[table.call] & table.retired
    last = order[ends - 1]
    closed, single = _closing(table)[last], ends - starts == 1
    torn_off = ~single & ~closed
    torn_off &= np.append(np.diff(table.group[last]) == 0, np.zeros(min(1, len(last)), np.bool_))
    return np.asarray(finished[last] | torn_off)


_EMPTY: Ints = np.zeros(0, np.int64)


# -- The group's log


class Position(IntEnum):
    """Where a rank is with respect to one collective of one group."""

    UNKNOWN = 0
    """No dump, or the ring no longer holds it."""
    MISSING = 1
    """Not entered."""
    PENDING = 2
    DONE = 3


@dataclass(frozen=True, slots=True, eq=False)
class GroupLog:
    """Collectives of one group on one rank in ascending order; sends and receives as launched."""

    rank: int
    dump: Dump
    units: Units
    """All units of the rank."""
    unit: Ints
    """Its collectives among them, in ascending order."""
    seq: Ints
    done: Flags
    p2p_row: Ints
    """Entries that are sends and receives."""
    p2p_done: Flags
    marks: Watermarks
    entered: int
    """Highest collective known to be launched; -1 if nothing says so."""
    completed: int
    """Highest collective known to be finished, with all before it; -1 if nothing says so."""
    silent: bool
    """Whether its backend tells no success from a failure."""

    def position(self, seq: int) -> Position:
        """Where this rank is with respect to a collective."""
        at = self.index_of(seq)
        if at is not None:
            return Position.DONE if self.done[at] else Position.PENDING
        if seq <= self.completed:
            return Position.DONE
        if seq <= self.entered:
            return Position.UNKNOWN
        return Position.MISSING if self.entered >= 0 or self.is_whole else Position.UNKNOWN

    def index_of(self, seq: int) -> int | None:
        """Index of a collective, if the ring holds it."""
        at = int(np.searchsorted(self.seq, seq))
        return at if at < len(self.seq) and self.seq[at] == seq else None

    def row_of(self, seq: int) -> int | None:
        """First entry of a collective, if the ring holds it."""
        at = self.index_of(seq)
        return None if at is None else int(self.units.rows(int(self.unit[at]))[0])

    def started(self, seq: int) -> bool:
        """Whether the device is known to have begun a collective."""
        at = self.index_of(seq)
        return at is not None and bool(self.units.started[self.unit[at]])

    def needs_everybody(self, seq: int) -> bool:
        """Whether a collective, as recorded here, ends on no rank before every rank has begun it."""
        row = self.row_of(seq)
        return row is not None and self.dump.entries.calls[int(self.dump.entries.call[row])].op in SYMMETRIC

    @property
    def is_whole(self) -> bool:
        """Whether the ring holds everything since the start: what is not in it never was."""
        ids = self.dump.entries.record_id
        return len(ids) == 0 or int(ids[0]) == 0

    @property
    def first_pending(self) -> int | None:
        """Entry of the oldest operation that has not finished."""
        pending = []
        if not self.done.all():
            pending.append(self.units.rows(int(self.unit[np.argmin(self.done)]))[0])
        if not self.p2p_done.all():
            pending.append(self.p2p_row[np.argmin(self.p2p_done)])
        return int(min(pending)) if pending else None


def log_of(dump: Dump, name: str, marks: Watermarks, units: Units, mixed: bool) -> GroupLog:
    """What a dump recorded of a group; `mixed` groups send and receive too, so watermarks may count that."""
    table = dump.entries
    spans = [units.of_group(number) for number, group in enumerate(table.groups) if group.name == name]
    rows = np.concatenate([_EMPTY, *(units.rows_of(span) for span in spans)])
    unit = np.concatenate([_EMPTY, *(np.arange(span.start, span.stop) for span in spans)])
    unit = unit[~units.is_p2p[unit]]
    unit = unit[np.argsort(units.seq[unit], kind="stable")]
    seq, done = units.seq[unit], units.done[unit]
    entered, completed = (-1, -1) if mixed else (marks.enqueued, marks.completed)
    if len(seq):
        completed = max(completed, int(seq[-1]) if done.all() else int(seq[np.argmin(done)]) - 1)
    transfers = np.sort(rows[units.is_transfer[rows]])
    return GroupLog(
        rank=dump.rank, dump=dump, units=units, unit=unit.astype(np.int32), seq=seq, done=done, p2p_row=transfers,
        p2p_done=units.done[units.of_rows()[transfers]] if len(transfers) else np.zeros(0, np.bool_),
        marks=marks, entered=max(entered, int(table.seq[rows].max(initial=-1))), completed=completed,
        silent=len(rows) > 0 and table.calls[int(table.call[rows[0]])].backend in FAILS_SILENTLY,
    )  # fmt: skip


def without_false_successes(logs: Mapping[int, GroupLog]) -> dict[int, GroupLog]:
    """Take back what a silent backend calls finished although a member that recorded all has not entered it."""
    known = [log.entered for log in logs.values() if log.entered >= 0 or log.is_whole]
    floor = min(known, default=-1)
    kept = {}
    for rank, log in logs.items():
        if log.silent and log.completed > floor:
            log = replace(log, done=log.done & (log.seq <= floor), completed=floor)
        kept[rank] = log
    return kept
