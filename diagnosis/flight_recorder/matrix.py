"""Ranks × collectives of one group, aligned by number: what the screen draws."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.flight_recorder.group_log import GroupLog, Position
from logtui.diagnosis.flight_recorder.joined import Group


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
    """Align the newest `last_n` numbers of a group over all its members."""
    newest = max((log.entered for log in group.logs.values()), default=-1)
    oldest = min((int(log.seq[0]) for log in group.logs.values() if len(log.seq)), default=newest + 1)
    seqs = np.arange(max(oldest, newest - last_n + 1), newest + 1)
    ranks = tuple(sorted(group.members))
    cells = np.full((len(ranks), len(seqs)), Cell.NO_DUMP, np.int8)
    rows = np.full(cells.shape, -1, np.int64)
    names = np.full(cells.shape, "", object)
    for place, rank in enumerate(ranks):
        if (log := group.logs.get(rank)) is not None:
            _fill(log, seqs, cells[place], rows[place], names[place])
    ops = tuple(_commonest(names[:, column]) for column in range(len(seqs)))
    odd = (names != "") & (names != np.array(ops, object)[None, :]) if len(seqs) else np.zeros(cells.shape, bool)
    return Matrix(
        group.label, ranks, tuple(map(int, seqs)), ops, cells, rows, odd.astype(np.bool_),
        tuple(_front(group.logs.get(rank)) for rank in ranks),
    )  # fmt: skip


_CELLS = {
    Position.UNKNOWN: Cell.UNKNOWN, Position.MISSING: Cell.MISSING,
    Position.PENDING: Cell.SCHEDULED, Position.DONE: Cell.COMPLETED,
}  # fmt: skip


def _fill(
    log: GroupLog,
    seqs: npt.NDArray[np.int64],
    cells: npt.NDArray[np.int8],
    rows: npt.NDArray[np.int64],
    names: npt.NDArray[np.object_],
) -> None:
    table = log.dump.entries
    for column, seq in enumerate(map(int, seqs)):
        position = log.position(seq)
        started = position is Position.PENDING and log.started(seq)
        cells[column] = Cell.STARTED if started else _CELLS[position]
        row = log.row_of(seq)
        if row is not None:
            rows[column] = row
            names[column] = table.calls[int(table.call[row])].op


def _commonest(names: npt.NDArray[np.object_]) -> str:
    known, counts = np.unique(names[names != ""].astype(str), return_counts=True)
    return str(known[np.argmax(counts)]) if len(known) else ""


def _front(log: GroupLog | None) -> int | None:
    if log is None:
        return None
    pending = log.seq[~log.done]
    return int(pending[0]) if len(pending) else log.completed + 1
