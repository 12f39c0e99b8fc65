"""Ranks × collectives of one group, aligned by number: what the screen draws."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.dumps.groups import GroupLog
from logtui.diagnosis.dumps.joined import JoinedGroup

_Ints = npt.NDArray[np.int64]


class Cell(IntEnum):
    """State of one collective on one rank."""

    UNKNOWN = 0
    """The ring no longer holds it, or its rank has no entry that tells."""
    NO_DUMP = 1
    MISSING = 2
    """Not launched although others have."""
    SCHEDULED = 3
    STARTED = 4
    COMPLETED = 5
    NOTHING = 6
    """A number its rank has not come to, where each counts its own: nobody waits for it to."""


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """The last collectives of a group. Rows are `ranks`, columns `seqs`, both ascending."""

    group: str
    ranks: tuple[int, ...]
    seqs: tuple[int, ...]
    ops: tuple[str, ...]
    """What most ranks called, per column."""
    cells: npt.NDArray[np.int8]
    """`Cell` values."""
    rows: npt.NDArray[np.int64]
    """Index of the entry in the rank's dump, -1 where there is none."""
    odd: npt.NDArray[np.bool_]
    """Cells whose operation is not the one most ranks called."""
    front: tuple[int | None, ...]
    """Per rank, the lowest number it has not finished; None without a dump, or where its ring does not tell."""

    @property
    def hung_at(self) -> int | None:
        """The lowest number that some rank has not finished and another has launched; None if nothing is open."""
        reached = min((front for front in self.front if front is not None), default=None)
        return reached if self.seqs and reached is not None and reached <= self.seqs[-1] else None

    @property
    def odd_rows(self) -> tuple[int, ...]:
        """Rows unlike most: without a dump, called something else, or elsewhere at the front; loudest first."""
        fronts = Counter(front for front in self.front if front is not None)
        usual = max(fronts, key=lambda front: (fronts[front], front), default=None)
        calls: list[bool] = np.any(self.odd, axis=1).tolist() if self.odd.size else [False] * len(self.ranks)
        at = self._column(self.hung_at)
        state = self.cells[:, at] if at is not None else np.full(len(self.ranks), Cell.UNKNOWN, np.int8)
        common = np.bincount(state[state > Cell.NO_DUMP]).argmax() if np.any(state > Cell.NO_DUMP) else -1
        loud = {
            row: (_LOUDNESS.get(Cell(int(state[row])), 3), self.front[row] or 0, row)
            for row in range(len(self.ranks))
            if calls[row] or self.front[row] != usual or (state[row] != common and at is not None)
        }
        return tuple(sorted(loud, key=loud.__getitem__))

    def _column(self, seq: int | None) -> int | None:
        """Where a number stands, if it is among them."""
        return seq - self.seqs[0] if seq is not None and self.seqs and self.seqs[0] <= seq <= self.seqs[-1] else None


_LOUDNESS = {Cell.MISSING: 0, Cell.SCHEDULED: 1, Cell.STARTED: 2, Cell.COMPLETED: 2, Cell.NO_DUMP: 4}
"""What a rank does at the front, by how much it says: one without a dump says least."""


def build_matrix(group: JoinedGroup, last_n: int) -> Matrix:
    """Align the newest `last_n` numbers of a group over all its members. O(ranks × last_n), in numpy."""
    newest = max((log.entered for log in group.logs.values()), default=-1)
    oldest = min((int(log.seq[0]) for log in group.logs.values() if len(log.seq)), default=newest + 1)
    seqs = np.arange(max(oldest, newest - last_n + 1), newest + 1)
    ranks = tuple(sorted(group.members))
    cells = np.full((len(ranks), len(seqs)), Cell.NO_DUMP, np.int8)
    rows = np.full(cells.shape, -1, np.int64)
    called = np.full(cells.shape, -1, np.int64)
    names: dict[str, int] = {}
    for place, rank in enumerate(ranks):
        if (log := group.logs.get(rank)) is not None:
            cells[place], rows[place] = _cells(log, seqs), _rows(log, seqs)
            called[place] = _called(log, rows[place], names)
    common = [_commonest(called[:, column]) for column in range(len(seqs))]
    odd = (called >= 0) & (called != np.array(common, np.int64))
    ops = [*names, ""]  # -1, called by nobody, is the last
    return Matrix(
        group.label, ranks, tuple(map(int, seqs)), tuple(ops[name] for name in common), cells, rows, odd,
        tuple(_front(group.logs.get(rank)) for rank in ranks),
    )  # fmt: skip


def _rows(log: GroupLog, seqs: _Ints) -> _Ints:
    """First entry of each collective, -1 where the ring does not hold it."""
    if not len(log.seq):
        return np.full(len(seqs), -1, np.int64)
    at = np.minimum(np.searchsorted(log.seq, seqs), len(log.seq) - 1)
    return np.where(log.seq[at] == seqs, log.units.first[log.unit[at]], -1)


def _cells(log: GroupLog, seqs: _Ints) -> npt.NDArray[np.int8]:
    """States of the collectives; those the ring does not hold as `GroupLog.position` places them."""
    absent = Cell.MISSING if log.entered >= 0 or log.is_whole else Cell.UNKNOWN
    cells = np.where(seqs <= log.completed, Cell.COMPLETED, np.where(seqs <= log.entered, Cell.UNKNOWN, absent))
    if len(log.seq):
        at = np.minimum(np.searchsorted(log.seq, seqs), len(log.seq) - 1)
        begun = np.where(log.units.started[log.unit[at]], Cell.STARTED, Cell.SCHEDULED)
        held = np.where(log.done[at], Cell.COMPLETED, begun)
        cells = np.where(log.seq[at] == seqs, held, cells)
    return cells.astype(np.int8)


def _called(log: GroupLog, rows: _Ints, names: dict[str, int]) -> _Ints:
    """The operation of each entry, numbered in `names`; -1 where there is none."""
    table = log.dump.entries
    calls = table.call[rows[rows >= 0]]
    numbers = {call: names.setdefault(table.calls[call].op, len(names)) for call in np.unique(calls).tolist()}
    called = np.full(len(rows), -1, np.int64)
    called[rows >= 0] = [numbers[call] for call in calls.tolist()]
    return called


def _commonest(called: _Ints) -> int:
    known, counts = np.unique(called[called >= 0], return_counts=True)
    return int(known[np.argmax(counts)]) if len(known) else -1


def _front(log: GroupLog | None) -> int | None:
    if log is None or not (log.entered >= 0 or log.completed >= 0 or log.is_whole):
        return None
    pending = log.seq[~log.done]
    return int(pending[0]) if len(pending) else max(log.completed, 0) + 1


def build_transfers(group: JoinedGroup, last_n: int) -> Matrix:
    """Sends and receives of a group by launch number, which every rank counts for itself."""
    found = {rank: _launches(log) for rank, log in group.logs.items()}
    newest = max((int(numbers[-1]) for numbers, _, _ in found.values() if len(numbers)), default=0)
    oldest = min((int(numbers[0]) for numbers, _, _ in found.values() if len(numbers)), default=newest + 1)
    seqs = np.arange(max(oldest, newest - last_n + 1), newest + 1)
    ranks = tuple(sorted(group.members))
    cells = np.full((len(ranks), len(seqs)), Cell.NO_DUMP, np.int8)
    rows = np.full(cells.shape, -1, np.int64)
    for place, rank in enumerate(ranks):
        if rank in found:
            _place(*found[rank], seqs, cells[place], rows[place])
    fronts = (_transfer_front(*found[rank][:2], seqs) if rank in found else None for rank in ranks)
    return Matrix(
        group.label, ranks, tuple(map(int, seqs)), ("send or recv",) * len(seqs), cells, rows,
        np.zeros(cells.shape, np.bool_), tuple(fronts),
    )  # fmt: skip


def _launches(log: GroupLog) -> tuple[_Ints, npt.NDArray[np.bool_], _Ints]:
    """Launch numbers in ascending order, whether each has finished, and its first entry."""
    rows = log.p2p_row
    numbers, first = np.unique(log.dump.entries.p2p_seq[rows], return_index=True)
    return numbers.astype(np.int64), log.p2p_done[first], rows[first]


def _place(
    numbers: _Ints, done: npt.NDArray[np.bool_], entries: _Ints, seqs: _Ints, cells: npt.NDArray[np.int8], rows: _Ints
) -> None:
    """Fill the cells of one rank."""
    cells[:] = Cell.NOTHING
    cells[seqs < (numbers[0] if len(numbers) else 0)] = Cell.UNKNOWN
    shown = np.isin(numbers, seqs)
    at = numbers[shown] - (seqs[0] if len(seqs) else 0)
    cells[at] = np.where(done[shown], Cell.COMPLETED, Cell.SCHEDULED)
    rows[at] = entries[shown]


def _transfer_front(numbers: _Ints, done: npt.NDArray[np.bool_], seqs: _Ints) -> int | None:
    pending = numbers[~done]
    return int(pending[0]) if len(pending) else int(seqs[-1]) + 1 if len(seqs) else None
