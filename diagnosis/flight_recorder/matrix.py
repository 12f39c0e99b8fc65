"""Ranks × collectives of one group, aligned by number: what the screen draws."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.flight_recorder.group_log import GroupLog
from logtui.diagnosis.flight_recorder.joined import Group

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
    """Per rank, the lowest number it has not finished; None without a dump."""


def build_matrix(group: Group, last_n: int) -> Matrix:
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
    if log is None:
        return None
    pending = log.seq[~log.done]
    return int(pending[0]) if len(pending) else log.completed + 1
