"""Entries of a dump by field, whether they came as dictionaries or in a block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from logtui.parsers.errors import DumpRefused
from logtui.parsers.flight_recorder.block import TOO_LARGE, Block, constant
from logtui.parsers.flight_recorder.lane import NUMBERS, Lane
from logtui.parsers.flight_recorder.machine import Machine
from logtui.parsers.flight_recorder.values import as_int

Ints = npt.NDArray[np.int64]
Fields = dict[object, object]
Number = Callable[..., int]
"""Numbers the thing that some fields of an entry describe."""


class Rows(Protocol):
    """Some entries of one dump."""

    def integers(self, fields: Sequence[str]) -> Ints:
        """The first of these fields that the entries have; 0 where there is none."""

    def floats(self, field: str) -> npt.NDArray[np.float32]:
        """A field, NaN where an entry does not have it."""

    def numbered(self, fields: Sequence[str], number: Number) -> Ints:
        """`number(*values of the fields)` for each entry; absent fields are None."""


class DictRows:
    """Entries as they come from JSON, or from a pickle read opcode by opcode."""

    def __init__(self, entries: Sequence[object]) -> None:
        self._entries: list[Fields] = []
        for entry in entries:
            if type(entry) is not dict:
                raise DumpRefused(f"an entry that is a {type(entry).__name__}, not a dictionary")
            self._entries.append(entry)

    def at(self, row: int) -> Fields:
        """One entry, or piece of one."""
        return self._entries[row]

    def integers(self, fields: Sequence[str]) -> Ints:
        firsts = (next((e[f] for f in fields if f in e), None) for e in self._entries)
        return np.fromiter(map(as_int, firsts), np.int64, len(self._entries))

    def floats(self, field: str) -> npt.NDArray[np.float32]:
        values = (e.get(field) for e in self._entries)
        numbers = (v if isinstance(v, float | int) and abs(v) < TOO_LARGE else np.nan for v in values)
        return np.fromiter(numbers, np.float32, len(self._entries))

    def numbered(self, fields: Sequence[str], number: Number) -> Ints:
        numbers = (number(*(e.get(f) for f in fields)) for e in self._entries)
        return np.fromiter(numbers, np.int64, len(self._entries))


class _Repeated:
    """A piece of kinds of entries: its distinct values as dictionaries, and which one each kind has."""

    def __init__(self, codes: Sequence[bytes], memo: dict[int, object]) -> None:
        places: dict[bytes, int] = {}
        self.place = np.fromiter((places.setdefault(code, len(places)) for code in codes), np.int64, len(codes))
        self.rows = DictRows([Machine(b"}(" + code + b"u.", memo=memo).run() for code in places])
        self.count = len(places)


class BlockRows:
    """Entries of one block that one lane fits."""

    def __init__(self, block: Block, lane: Lane, entries: Ints, memo: dict[int, object]) -> None:
        kinds = [number for number, (of, _) in enumerate(block.kinds) if of is lane]
        self._block, self._entries = block, entries
        self._kind = np.searchsorted(np.array(kinds, np.int64), block.kind[entries])
        self._numbers: dict[str, tuple[bytes, ...]] = {}
        """Per kind the opcode of a number: some have no argument."""
        self._repeated: dict[str, _Repeated] = {}
        codes = zip(*(block.kinds[kind][1] for kind in kinds), strict=True)
        for fields, piece in zip(lane.pieces, codes, strict=True):
            if fields[0] in NUMBERS:
                self._numbers[fields[0]] = piece
            else:
                self._repeated |= dict.fromkeys(fields, _Repeated(piece, memo))

    def integers(self, fields: Sequence[str]) -> Ints:
        for field in fields:
            if field in self._numbers:
                return self._column(field)
            if field in self._repeated:
                piece = self._repeated[field]
                return piece.rows.integers((field,))[piece.place][self._kind]
        return np.zeros(len(self._entries), np.int64)

    def _column(self, field: str) -> Ints:
        flags = np.array([constant(code) for code in self._numbers[field]], np.int64)[self._kind]
        known = self._block.integers.get(field)
        return flags if known is None else known[self._entries] + flags

    def floats(self, field: str) -> npt.NDArray[np.float32]:
        if field not in self._numbers:
            return np.full(len(self._entries), np.nan, np.float32)
        fractions = self._block.floats.get(field, np.full(len(self._block.kind), np.nan))[self._entries]
        whole = np.array([code[:1] not in {b"G", b"N"} for code in self._numbers[field]], np.bool_)[self._kind]
        return np.where(whole, self._column(field), fractions).astype(np.float32)

    def numbered(self, fields: Sequence[str], number: Number) -> Ints:
        pieces = list({id(p): p for f in fields if (p := self._repeated.get(f)) is not None}.values())
        if len(pieces) == 1:
            return pieces[0].rows.numbered(fields, number)[pieces[0].place][self._kind]
        return self._numbered_across(pieces, fields, number)[self._kind]

    def _numbered_across(self, pieces: Sequence[_Repeated], fields: Sequence[str], number: Number) -> Ints:
        """Fields of several pieces: their combinations, each distinct one numbered once."""
        count = len(next(iter(self._numbers.values())))
        which, firsts = np.zeros(count, np.int64), np.zeros(min(1, count), np.int64)
        for piece in pieces:
            _, firsts, which = np.unique(which * piece.count + piece.place, return_index=True, return_inverse=True)
        merged = DictRows([self._merged(pieces, int(row)) for row in firsts])
        return merged.numbered(fields, number)[which]

    def _merged(self, pieces: Sequence[_Repeated], row: int) -> Fields:
        found: Fields = {}
        for piece in pieces:
            found |= piece.rows.at(int(piece.place[row]))
        return found
