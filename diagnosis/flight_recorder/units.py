"""What one rank launched, in the units that other ranks launch too.

A unit is one collective, one send or receive, or one coalesced group of them: the entries of one process group that
share a number. Inside a coalesced group only the closing entry has a state; the others stay scheduled for ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from logtui.parsers.flight_recorder.dump import Dump
from logtui.parsers.flight_recorder.entries import EntryTable, Flags, Ints, State

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
