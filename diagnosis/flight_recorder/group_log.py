"""One process group as one rank recorded it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np

from logtui.diagnosis.flight_recorder.signature import SYMMETRIC
from logtui.diagnosis.flight_recorder.units import FAILS_SILENTLY, Units
from logtui.parsers.flight_recorder.dump import Dump
from logtui.parsers.flight_recorder.entries import Flags, Ints
from logtui.parsers.flight_recorder.groups import Watermarks

_EMPTY: Ints = np.zeros(0, np.int64)


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
