"""Entries of a dump by field, whether they came as dictionaries or as lane rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from logtui.parsers.errors import DumpRefused
from logtui.parsers.flight_recorder.lane import Lane
from logtui.parsers.flight_recorder.machine import Machine
from logtui.parsers.flight_recorder.opcodes import decode_floats, decode_integers
from logtui.parsers.flight_recorder.values import as_int

Number = Callable[..., int]
"""Numbers the thing that some fields of an entry describe."""


class Rows(Protocol):
    """Some entries of one dump."""

    def integers(self, fields: Sequence[str]) -> npt.NDArray[np.int64]:
        """The first of these fields that the entries have; 0 where there is none."""

    def floats(self, field: str) -> npt.NDArray[np.float32]:
        """A field, NaN where an entry does not have it."""

    def numbered(self, fields: Sequence[str], number: Number) -> npt.NDArray[np.int64]:
        """`number(*values of the fields)` for each entry; absent fields are None."""


class DictRows:
    """Entries as they come from JSON, or from a pickle read opcode by opcode."""

    def __init__(self, entries: Sequence[object]) -> None:
        for entry in entries:
            if type(entry) is not dict:
                raise DumpRefused(f"an entry that is a {type(entry).__name__}, not a dictionary")
        self._entries: list[dict[object, object]] = list(entries)  # type: ignore[arg-type]  # looked at above

    def integers(self, fields: Sequence[str]) -> npt.NDArray[np.int64]:
        firsts = (next((e[f] for f in fields if f in e), None) for e in self._entries)
        return np.fromiter(map(as_int, firsts), np.int64, len(self._entries))

    def floats(self, field: str) -> npt.NDArray[np.float32]:
        values = (e.get(field) for e in self._entries)
        numbers = (v if isinstance(v, float | int) and abs(v) < 1e30 else np.nan for v in values)
        return np.fromiter(numbers, np.float32, len(self._entries))

    def numbered(self, fields: Sequence[str], number: Number) -> npt.NDArray[np.int64]:
        numbers = (number(*(e.get(f) for f in fields)) for e in self._entries)
        return np.fromiter(numbers, np.int64, len(self._entries))


class LaneRows:
    """Entries read by one lane; each distinct value is evaluated once."""

    def __init__(self, lane: Lane, values: Sequence[tuple[bytes, ...]], memo: dict[int, object]) -> None:
        self._count = len(values)
        self._columns: Mapping[str, tuple[bytes, ...]] = dict(zip(lane.fields, zip(*values, strict=True), strict=True))
        self._memo = memo

    def integers(self, fields: Sequence[str]) -> npt.NDArray[np.int64]:
        column = next((self._columns[f] for f in fields if f in self._columns), None)
        return np.zeros(self._count, np.int64) if column is None else decode_integers(column)

    def floats(self, field: str) -> npt.NDArray[np.float32]:
        if field not in self._columns:
            return np.full(self._count, np.nan, np.float32)
        numbers = np.array(decode_floats(self._columns[field]))
        return np.where(np.abs(numbers) < 1e30, numbers, np.nan).astype(np.float32)

    def numbered(self, fields: Sequence[str], number: Number) -> npt.NDArray[np.int64]:
        absent = (b"N",) * self._count
        seen: dict[tuple[bytes, ...], int] = {}
        numbers = []
        for codes in zip(*(self._columns.get(f, absent) for f in fields), strict=True):
            known = seen.get(codes)
            if known is None:
                known = seen[codes] = number(*map(self._value, codes))
            numbers.append(known)
        return np.array(numbers, np.int64)

    def _value(self, code: bytes) -> object:
        return Machine(code + b".", memo=self._memo).run()
