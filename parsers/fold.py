"""Folding: of a line that comes thousands of times, the first and the last are kept, and all are counted.

Lines are folded per (pattern, writer, file). The writer is the rank where a line names it, or else the process,
because NCCL's lines name host:pid only and a merged file of a thousand processes must keep those of each. Folding a
file's ranges and then their union gives the same rows as folding the whole file at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from logtui.parsers.narrow import AnyRows
from logtui.parsers.pattern import Pattern
from logtui.parsers.record import Rows

UNLIMITED = 1 << 62
KEEP_FIRST, KEEP_LAST = 192, 64
BULK_FIRST, BULK_LAST = 4, 4
UNSIGNED_FIRST = 1 << 16
"""Lines that do not name the rank that printed them, so that those of all ranks are one writer's."""

Numbers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


class Folding:
    """How many lines of each pattern are kept."""

    def __init__(self, patterns: Sequence[Pattern], first: int = KEEP_FIRST, last: int = KEEP_LAST) -> None:
        """`first` and `last` are kept of each pattern that says nothing else."""
        self._first = np.array(
            [_limit(p, BULK_FIRST, UNSIGNED_FIRST if p.unsigned else first) for p in patterns], np.int64
        )
        self._last = np.array([_limit(p, BULK_LAST, last) for p in patterns], np.int64)
        self._limited = self._first < UNLIMITED
        self._least = int(min(self._first + self._last, default=0))

    def kept(self, pattern: Numbers, writer: Numbers) -> Mask | None:
        """Which of some matches of one file, in the order of the file, are kept; None if all are."""
        if len(pattern) <= self._least:
            return None
        key = pattern << 40 | (writer + (1 << 32))
        order = np.argsort(key, kind="stable")
        ordered = key[order]
        begins = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
        sizes = np.diff(np.concatenate((begins, [len(key)])))
        place = np.arange(len(key)) - np.repeat(begins, sizes)
        of = pattern[order]
        keep = (place < self._first[of]) | (place >= np.repeat(sizes, sizes) - self._last[of])
        if keep.all():
            return None
        mask = np.empty(len(key), np.bool_)
        mask[order] = keep
        return mask

    def fold(self, rows: Rows) -> Rows:
        """The rows of one file, in its order, without those in the middle of a crowd.

        Of the millions that are never folded nothing is copied.
        """
        mask = self.kept_of([rows])[0]
        return rows if mask is None else rows[mask]

    def kept_of(self, parts: Sequence[AnyRows]) -> list[Mask | None]:
        """Which rows are kept of the parts of one file, in its order; None for a part of which all are."""
        limited = [np.flatnonzero(self._limited[rows["pattern"]]) for rows in parts]
        if sum(map(len, limited)) <= self._least:
            return [None] * len(parts)

        def column(name: str) -> Numbers:
            return np.concatenate([rows[name][at] for rows, at in zip(parts, limited, strict=True)]).astype(np.int64)

        mask = self.kept(column("pattern"), writers(column("rank"), column("pid")))
        if mask is None:
            return [None] * len(parts)
        cuts = np.cumsum([len(at) for at in limited])[:-1]
        return [_spread(*one) for one in zip(np.split(mask, cuts), limited, map(len, parts), strict=True)]


def _spread(mask: Mask, at: npt.NDArray[np.intp], size: int) -> Mask | None:
    """A mask of some rows as one of all rows, of which the others are kept."""
    if mask.all():
        return None
    keep = np.ones(size, np.bool_)
    keep[at] = mask
    return keep


def writers(rank: npt.NDArray[np.integer], pid: npt.NDArray[np.integer]) -> Numbers:
    """One number per writer: the rank, or else the process, or else -1."""
    process = np.where(pid >= 0, -2 - pid.astype(np.int64), -1)
    return np.where(rank >= 0, rank, process)


def _limit(pattern: Pattern, bulk: int, other: int) -> int:
    """A pattern whose numbers are wanted from every line is not folded."""
    if pattern.numeric is not None:
        return UNLIMITED
    return bulk if pattern.bulk else other
