"""Records in columns as narrow as their values: ten million of them must fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

# -- Values of long columns, looked at a million at a time

BLOCK = 1 << 20
"""Rows looked at together."""

Column = npt.NDArray[Any]


def run_starts(values: Column) -> npt.NDArray[np.intp]:
    """Where each run of equal values begins."""
    if not len(values):
        return np.empty(0, np.intp)
    return np.concatenate(([0], np.flatnonzero(values[1:] != values[:-1]) + 1))


def _once(values: Column) -> Column:
    """One of the values of a column that is known to hold nothing else; all of another."""
    return values[:1] if values.strides == (0,) else values


def present(values: Column) -> list[int]:
    """The different values of a column of whole numbers, ascending."""
    found: set[int] = set()
    values = _once(values)
    for at in range(0, len(values), BLOCK):
        found.update(np.unique(values[at : at + BLOCK]).tolist())
    return sorted(found)


def distinct(first: Column, second: Column) -> list[tuple[int, int]]:
    """The different pairs of two columns of numbers of 32 bits that are both at least 0, ascending."""
    found: set[int] = set()
    if any(len(one := _once(values)) == 1 and one[0] < 0 for values in (first, second)):
        return []
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


# -- Rows held narrowly
#
# Of a column whose values are all the same, one is held. What is asked for comes back with the type it has in an
# array of rows: nothing that reads rows has to know how they are held.

Wide = npt.NDArray[np.void]
Index = slice | npt.NDArray[Any]

MANY = 1 << 12
"""Rows that are worth the trouble."""
_WIDTHS = {sign: [np.iinfo(f"{sign}{size}") for size in (1, 2, 4, 8)] for sign in "ui"}


class NarrowRows:
    """A stand-in for a structured array of some type."""

    __slots__ = ("_cells", "_columns", "_size", "dtype")

    def __init__(self, dtype: np.dtype[np.void], columns: Mapping[str, Column], size: int) -> None:
        """A column, in the order of the type, holds `size` values, or one for all."""
        self.dtype = dtype
        self._columns = dict(columns)
        self._size = size
        self._cells: tuple[list[Any], list[tuple[int, Callable[[int], Any], bool]]] | None = None

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return iter(self.wide())

    @property
    def nbytes(self) -> int:
        """Bytes that are held."""
        return sum(column.nbytes for column in self._columns.values())

    @overload
    def __getitem__(self, key: str | list[str]) -> Column: ...

    @overload
    def __getitem__(self, key: Index) -> NarrowRows: ...

    def __getitem__(self, key: str | list[str] | Index) -> Column | NarrowRows:
        """A column, not to be written to; some columns as an array of rows; or a choice of rows."""
        if isinstance(key, str):
            return self._column(key)
        if isinstance(key, list):
            return self._laid(key)
        size = len(np.broadcast_to(np.False_, self._size)[key])
        chosen = {name: c if len(c) == 1 else c[key] for name, c in self._columns.items()}
        return NarrowRows(self.dtype, chosen, size)

    def _column(self, name: str) -> Column:
        return np.broadcast_to(self._columns[name].astype(self.dtype[name], copy=False), self._size)

    def cells(self, name: str, which: Column) -> Column:
        """Some values of a column; the others are not widened."""
        column = self._columns[name]
        if len(column) == 1:
            return np.broadcast_to(column.astype(self.dtype[name]), len(which))
        return column[which].astype(self.dtype[name], copy=False)

    def wide(self) -> Wide:
        """All rows, as an array of its own."""
        return self._laid(self._columns)

    def _laid(self, names: Sequence[str] | Mapping[str, Column]) -> Wide:
        rows = np.empty(self._size, np.dtype([(name, self.dtype[name]) for name in names]))
        for name in names:
            rows[name] = self._columns[name]
        return rows

    def values(self, row: int) -> tuple[Any, ...]:
        """One row as plain values."""
        same, others = self._cells = self._cells or self._readers()
        found = same.copy()
        for at, item, real in others:
            found[at] = float(item(row)) if real else item(row)
        return tuple(found)

    def _readers(self) -> tuple[list[Any], list[tuple[int, Callable[[int], Any], bool]]]:
        """The values that all rows have, and how those are read that differ: tens of thousands of rows are asked for
        one by one."""
        reals = [self.dtype[at].kind == "f" for at in range(len(self._columns))]
        columns = [*zip(self._columns.values(), reals, strict=True)]
        same = [(float if real else int)(c.item(0)) if len(c) == 1 else None for c, real in columns]
        return same, [(at, c.item, real) for at, (c, real) in enumerate(columns) if len(c) > 1]

    def put(self, name: str, at: Column, values: Column) -> None:
        """Overwrite some values of a column."""
        column = self._column(name).copy()
        column[at] = values
        self.fill(name, column)

    def fill(self, name: str, values: Column) -> None:
        """Overwrite a column, with values or with one for all."""
        self._columns[name], self._cells = _narrowed(values.astype(self.dtype[name], copy=False)), None

    def widen(self) -> None:
        """Hold columns with the type that they are asked for: a part of one is had at once then, and not by way of all
        of it. One whose values are all the same stays as it is."""
        for name, column in self._columns.items():
            if len(column) > 1:
                self._columns[name] = column.astype(self.dtype[name], copy=False)
        self._cells = None

    def copy(self) -> NarrowRows:
        """The same rows, to be written to: columns are replaced, and never changed."""
        return NarrowRows(self.dtype, self._columns, self._size)

    def take_column(self, name: str) -> Column:
        """A column as it is held, given up."""
        self._cells = None
        return self._columns.pop(name)


def narrowed(rows: Wide) -> NarrowRows:
    """The same rows, held narrowly."""
    return NarrowRows(rows.dtype, {name: _narrowed(rows[name]) for name in rows.dtype.names or ()}, len(rows))


def held(rows: Wide) -> AnyRows:
    """The same rows, held narrowly where they are many."""
    return rows if len(rows) < MANY else narrowed(rows)


def joined(pieces: Sequence[NarrowRows], dtype: np.dtype[np.void]) -> NarrowRows:
    """Pieces end to end; uses them up, column by column."""
    size, pieces = sum(map(len, pieces)), [p for p in pieces if len(p)]
    return NarrowRows(dtype, {name: _joined(pieces, name, dtype[name], size) for name in dtype.names or ()}, size)


def _joined(pieces: Sequence[NarrowRows], name: str, kind: np.dtype[Any], size: int) -> Column:
    parts = [piece.take_column(name) for piece in pieces]
    if not parts:
        return np.empty(0, kind)
    if all(len(c) == 1 and np.array_equal(c, parts[0], equal_nan=kind.kind == "f") for c in parts):
        return parts[0]
    out, at = np.empty(size, np.result_type(*{c.dtype for c in parts})), 0
    for piece, column in zip(pieces, parts, strict=True):
        out[at : at + len(piece)] = column
        at += len(piece)
    return out


def _narrowed(column: Column) -> Column:
    """A copy of a column, or of its only value."""
    if not len(column):
        return column.copy()
    if column.dtype.kind == "f":
        return _narrowed_floats(column)
    low, high = int(column.min()), int(column.max())
    if low == high:
        return column[:1].copy()
    fits = next(w for w in _WIDTHS["u" if low >= 0 else "i"] if w.min <= low and high <= w.max)
    return column.astype(fits.dtype)


def _narrowed_floats(column: Column) -> Column:
    """Floats that are whole numbers are held as such: steps, and seconds without a fraction."""
    low, high = column.min(), column.max()
    if low == high or np.isnan(column).all():
        return column[:1].copy()
    if low >= 0 and high < 1 << 32 and not np.signbit(low):  # NaN is neither
        whole = column.astype(np.uint32)
        if np.array_equal(whole, column):
            return whole
    return column.copy()


AnyRows = Wide | NarrowRows


def cells(rows: AnyRows, name: str, which: npt.NDArray[np.intp]) -> Column:
    """The values of a column in some rows, without those rows being copied."""
    return rows.cells(name, which) if isinstance(rows, NarrowRows) else rows[name][which]


def put(rows: AnyRows, name: str, at: Column, values: Column) -> None:
    """Overwrite some values of a column in place."""
    if isinstance(rows, NarrowRows):
        rows.put(name, at, values)
    else:
        rows[name][at] = values


def fill(rows: AnyRows, name: str, values: Column) -> None:
    """Overwrite a column in place, with values or with one for all."""
    if isinstance(rows, NarrowRows):
        rows.fill(name, values)
    else:
        rows[name] = values


def wide(rows: AnyRows) -> Wide:
    """Rows as an array: a copy of narrow ones."""
    return rows.wide() if isinstance(rows, NarrowRows) else rows
