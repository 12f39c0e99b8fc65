"""Which values stand in columns of ten million rows, without a second column of that length."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

BLOCK = 1 << 20
"""Rows looked at together."""

Column = npt.NDArray[Any]


def run_starts(values: Column) -> npt.NDArray[np.intp]:
    """Where each run of equal values begins."""
    if not len(values):
        return np.empty(0, np.intp)
    return np.concatenate(([0], np.flatnonzero(values[1:] != values[:-1]) + 1))


def present(values: Column) -> list[int]:
    """The different values of a column of whole numbers, ascending."""
    found: set[int] = set()
    for at in range(0, len(values), BLOCK):
        found.update(np.unique(values[at : at + BLOCK]).tolist())
    return sorted(found)


def distinct(first: Column, second: Column) -> list[tuple[int, int]]:
    """The different pairs of two columns of numbers of 32 bits that are both at least 0, ascending."""
    found: set[int] = set()
    for at in range(0, len(first), BLOCK):
        a, b = first[at : at + BLOCK], second[at : at + BLOCK]
        key = a.astype(np.int64) << 32 | b.astype(np.int64)
        found.update(np.unique(key[(a >= 0) & (b >= 0)]).tolist())
    return [(key >> 32, key & 0xFFFFFFFF) for key in sorted(found)]


def by_value(values: npt.NDArray[np.uint16], kinds: int) -> tuple[npt.NDArray[np.uint32], list[int]]:
    """All row numbers, ordered by value and then as they come, and where those of each value begin."""
    ends = np.cumsum(np.bincount(values, minlength=kinds)) if len(values) else np.zeros(kinds, np.int64)
    begins = [0, *ends.tolist()]
    order, at = np.empty(len(values), np.uint32), np.array(begins[:-1])
    for start in range(0, len(values), BLOCK):
        some = values[start : start + BLOCK]
        rows = np.argsort(some, kind="stable")
        found, firsts, counts = np.unique(some[rows], return_index=True, return_counts=True)
        for value, first, count in zip(found.tolist(), firsts.tolist(), counts.tolist(), strict=True):
            order[at[value] : at[value] + count] = rows[first : first + count] + start
            at[value] += count
    return order, begins
