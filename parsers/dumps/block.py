"""Entries that are spelled alike, found and checked many at a time.

Two stretches of bytes that agree in everything but the arguments of the same number opcodes are the same program but
for these numbers. So one entry of each kind is held against its lane's expression; the others need only agree with
it, which numpy compares a thousand at a time, and their numbers are read a column at a time.

Where an entry may begin is guessed from its first bytes; a wrong guess agrees with nothing and is left to the machine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from logtui.parsers.dumps.dump import GARBAGE

# -- Lanes: how the entries of one dump are spelled
#
# Within one dump every entry names its fields by the same memo slots in the same order, so the bytes between two
# values are known once the first entry has been read. The expression is anchored, built from opcodes that the machine
# would accept anyway, and never backtracks; what it does not match, the machine reads opcode by opcode.
#
# Fields that differ from entry to entry, numbers all of them, are told apart one by one. The others repeat:
# neighbours among them are taken as one piece, and each distinct piece is evaluated once, by the machine.

MAX_FIELDS = 64
"""Real entries have 23; the expression grows with them."""
NUMBERS = frozenset({
    "record_id", "collective_seq_id", "seq_id", "p2p_seq_id", "op_id", "time_created_ns", "time_created_us",
    "time_discovered_started_ns", "time_discovered_completed_ns", "duration_ms",
})  # fmt: skip
"""Fields that differ from entry to entry."""

_NUMBER = rb"N|[\x88\x89]|K.|M..|J.{4}|\x8a\x08.{8}|G.{8}"
_TEXT = rb"h.|j.{4}"
_TEXTS = rb"\](?:\((?:h.|j.{4})*+e)?"
_SHAPES = rb"\](?:\((?:\](?:\((?:K.|M..|J.{4}|\x8a\x08.{8})*+e)?)*+e)?"
_SPELLINGS: Mapping[str, bytes] = {
    **dict.fromkeys(("input_sizes", "output_sizes"), _SHAPES),
    **dict.fromkeys(("input_dtypes", "output_dtypes", "frames"), _TEXTS),
    "process_group": rb"(?:h.|j.{4}){2}\x86",
}
_OTHER = b"|".join((_NUMBER, _TEXT, _TEXTS))


class Lane:
    """One spelling of an entry. `pieces` names the fields of each piece, in their order."""

    __slots__ = ("_elsewhere", "_keys", "_match", "_places", "pieces", "spelled")

    def __init__(self, fields: tuple[str, ...], spelled: tuple[bytes, ...]) -> None:
        self.pieces = _pieces(fields)
        self.spelled = tuple(s for field, s in zip(fields, spelled, strict=True) if field in NUMBERS)
        """The opcodes that fetch the names of the numbers; in the other pieces names are evaluated as well."""
        named = dict(zip(fields, spelled, strict=True))
        self._elsewhere = tuple(tuple(named[f] for f in fields if f not in piece) for piece in self.pieces)
        """Of each piece the opcodes that fetch the names of what stands in another one."""
        keys, self._places = _places(self.pieces)
        self._keys = itemgetter(*keys)
        self._match = _compiled(fields).fullmatch

    @classmethod
    def learn(cls, keys: tuple[object, ...], spelled: Mapping[str, bytes]) -> Lane | None:
        """The lane for entries with these keys, or None if they cannot be read by one."""
        fields = tuple(key for key in keys if isinstance(key, str) and key in spelled)
        if len(fields) != len(keys) or len(keys) > MAX_FIELDS or len(NUMBERS.intersection(fields)) < 2:
            return None
        return cls(fields, tuple(spelled[field] for field in fields))

    def read(self, data: bytes, start: int, end: int) -> tuple[tuple[int, int], ...] | None:
        """Where the opcodes of each piece stand in an entry that fills `data[start:end]`; None if it is no such one.

        The entry begins with the mark after its `}` and ends with its SETITEMS.
        """
        found = self._match(data, start, end)
        if found is None or self._keys(found.groups()) != self.spelled:
            return None
        spans = tuple(found.span(place) for place in self._places)
        return None if self._renames(data, spans) else spans

    def _renames(self, data: bytes, spans: tuple[tuple[int, int], ...]) -> bool:
        """Whether a damaged entry may name a field once more in another piece than its own: the last one counts."""
        parts = zip(self.pieces, self._elsewhere, spans, strict=True)
        others = ((data[a:b], names) for fields, names, (a, b) in parts if fields[0] not in NUMBERS)
        return any(name in code for code, names in others for name in names)


def _pieces(fields: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Numbers alone, neighbours among the other fields together."""
    runs = groupby(fields, lambda field: field if field in NUMBERS else "")
    return tuple(tuple(run) for _, run in runs)


def _places(pieces: tuple[tuple[str, ...], ...]) -> tuple[list[int], list[int]]:
    """Which groups of the expression hold the names of numbers, from 0; and which hold values, from 1."""
    keys, values, at = [], [], 0
    for piece in pieces:
        if piece[0] in NUMBERS:
            keys.append(at)
            at += 1
        values.append(at + 1)
        at += 1
    return keys, values


@lru_cache(maxsize=64)
def _compiled(fields: tuple[str, ...]) -> re.Pattern[bytes]:
    """Compiling costs as much as reading a thousand entries; the fields and their order differ by version only."""
    parts = []
    for piece in _pieces(fields):
        if piece[0] in NUMBERS:
            parts.append(b"(" + _TEXT + b")(" + _NUMBER + b")")
        else:
            pairs = (b"(?:" + _TEXT + b")(?:" + _SPELLINGS.get(field, _OTHER) + b")" for field in piece)
            parts.append(b"(" + b"".join(pairs) + b")")
    return re.compile(rb"\(" + b"".join(parts) + b"u", re.DOTALL)


# -- Blocks: entries read a thousand at a time

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

MAX_LAYOUTS = 32
"""Layouts tried per length of an entry; the machine reads what fits none of them."""
CONTEXT = 3
"""Bytes before an argument: its opcode, and the end of what fetches the name of its field."""
MAX_BYTES = 1 << 16
"""Of one entry; real ones take 400."""
TOO_LARGE = 1e30
"""No duration in milliseconds, and near the end of what a column holds."""
_NEXT = b"u}("
"""The end of an entry and the beginning of the next."""
_KINDS = {b"K": (1, "u1"), b"M": (1, "<u2"), b"J": (1, "<i4"), b"\x8a": (2, "<i8"), b"G": (1, ">f8")}
"""Number opcodes: bytes before the argument, and its type."""
_TRUE = b"\x88"


class _Argument(NamedTuple):
    """Where in an entry the argument of a number's opcode stands."""

    field: str
    start: int
    end: int
    type: str


class _Example(NamedTuple):
    """One entry: its lane, the opcodes of each piece, and where its numbers stand."""

    lane: Lane
    pieces: tuple[bytes, ...]
    arguments: tuple[_Argument, ...]


def _argument(field: str, code: bytes, end: int) -> _Argument | None:
    """The argument of a piece that ends at byte `end` of its entry; None if the piece is no number."""
    if field not in NUMBERS:
        return None
    before, kind = _KINDS[code[:1]]
    return _Argument(field, end - len(code) + before, end, kind)


def _same_context(rows: Bytes, arguments: tuple[_Argument, ...]) -> npt.NDArray[np.bool_]:
    """Which entries have the same bytes before each argument as the first one: others have another layout."""
    near = np.array([at for argument in arguments for at in range(argument.start - CONTEXT, argument.start)], np.int64)
    context = rows[:, near]
    return np.asarray((context == context[0]).all(axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Adjacent entries that a block has read, in the place of as many dictionaries."""

    block: EntryBlock
    first: int
    last: int
    """Exclusive."""

    def __len__(self) -> int:
        return self.last - self.first


class EntryBlock:
    """The entries of one dump from some byte on, as far as they fit the lanes known there."""

    def __init__(self, data: bytes, pos: int, lanes: Sequence[Lane], most: int) -> None:
        """`pos` is behind the `}` of the first entry; `most` bounds their number."""
        ends = _ends(data, pos)[:most]
        self._data = data
        self._lanes = lanes
        self._starts: Ints = np.append(np.int64(pos), ends + 1)[: len(ends)]
        self._ends: Ints = ends
        self.kind: Ints = np.full(len(ends), -1, np.int64)
        """Which of `kinds` each entry is of; -1 for those left to the machine."""
        self.kinds: list[tuple[Lane, tuple[bytes, ...]]] = []
        """A lane and the opcodes of each of its pieces."""
        self.integers: dict[str, Ints] = {}
        self.floats: dict[str, npt.NDArray[np.float64]] = {}
        """Fields that some entry gives as a fraction; NaN where it is a whole number or None."""
        self._read_all()
        gaps = np.flatnonzero(self.kind < 0)
        self._gaps: Ints = np.append(gaps, len(ends))

    def run_at(self, pos: int) -> tuple[Run, int] | None:
        """The entries from this byte on, one after the other, and where the last one ends; None if there are none."""
        first = int(np.searchsorted(self._starts, pos))
        if first == len(self._starts) or self._starts[first] != pos:
            return None
        last = int(self._gaps[np.searchsorted(self._gaps, first)])
        return (Run(self, first, last), int(self._ends[last - 1])) if last > first else None

    def _read_all(self) -> None:
        sizes = self._ends - self._starts
        order = np.argsort(sizes, kind="stable")
        starts = np.flatnonzero(np.append(True, np.diff(sizes[order]) != 0)) if len(order) else order
        for chosen in np.split(order, starts[1:]):
            size = int(sizes[chosen[0]]) if len(chosen) else 0
            if 0 < size <= MAX_BYTES:
                self._read_size(chosen, size)
        for values in self.integers.values():
            values[(values <= -GARBAGE) | (values >= GARBAGE)] = 0
        for fractions in self.floats.values():
            fractions[~(np.abs(fractions) < TOO_LARGE)] = np.nan

    def _read_size(self, left: Ints, size: int) -> None:
        """Entries of one length, layout by layout."""
        windows = np.lib.stride_tricks.sliding_window_view(np.frombuffer(self._data, np.uint8), size)
        for _ in range(MAX_LAYOUTS):
            if not len(left):
                return
            start = int(self._starts[left[0]])
            found = self._learn(start, start + size)
            if found is None:
                left = left[1:]
                continue
            rows: Bytes = windows[self._starts[left]]
            alike = np.flatnonzero(_same_context(rows, found.arguments))
            fits = alike[self._read_layout(left[alike], rows[alike], found.arguments)]
            self._fill(left[fits], rows[fits], found.arguments)
            left = np.delete(left, fits)

    def _learn(self, start: int, end: int) -> _Example | None:
        """What one entry is, by the first lane that it fits."""
        for lane in self._lanes:
            spans = lane.read(self._data, start, end)
            if spans is not None:
                pieces = tuple(self._data[a:b] for a, b in spans)
                numbers = zip(lane.pieces, pieces, spans, strict=True)
                found = (_argument(fields[0], code, b - start) for fields, code, (_, b) in numbers if len(code) > 1)
                return _Example(lane, pieces, tuple(argument for argument in found if argument is not None))
        return None

    def _read_layout(self, entries: Ints, rows: Bytes, arguments: tuple[_Argument, ...]) -> npt.NDArray[np.bool_]:
        """Sort entries into kinds by all their bytes but the arguments; whether each has this layout."""
        for argument in arguments:
            rows[:, argument.start : argument.end] = 0
        size = rows.shape[1]
        blob = rows.tobytes()
        numbers: dict[bytes, int] = {}
        fits = np.zeros(len(entries), np.bool_)
        for row, entry in enumerate(entries.tolist()):
            program = blob[row * size : (row + 1) * size]
            kind = numbers.get(program)
            if kind is None:
                kind = numbers[program] = self._kind(entry, arguments)
            if kind >= 0:
                self.kind[entry] = kind
                fits[row] = True
        return fits

    def _kind(self, entry: int, arguments: tuple[_Argument, ...]) -> int:
        """A new kind with this entry as its example; -1 if its numbers stand elsewhere."""
        found = self._learn(int(self._starts[entry]), int(self._ends[entry]))
        if found is None or found.arguments != arguments:
            return -1
        self.kinds.append((found.lane, found.pieces))
        return len(self.kinds) - 1

    def _fill(self, entries: Ints, rows: Bytes, arguments: tuple[_Argument, ...]) -> None:
        for field, start, end, kind in arguments:
            values = np.ascontiguousarray(rows[:, start:end]).view(kind)[:, 0]
            if kind == ">f8":
                if field not in self.floats:
                    self.floats[field] = np.full(len(self.kind), np.nan)
                self.floats[field][entries] = values
            else:
                if field not in self.integers:
                    self.integers[field] = np.zeros(len(self.kind), np.int64)
                self.integers[field][entries] = values


def _ends(data: bytes, pos: int) -> Ints:
    """Where entries may end, from some byte on: behind every SETITEMS before the `}(` of another one."""
    codes = np.frombuffer(data, np.uint8, offset=pos)
    found = np.flatnonzero(codes[: -len(_NEXT) + 1] == _NEXT[0])
    for ahead in (1, 2):
        found = found[codes[found + ahead] == _NEXT[ahead]]
    return found + pos + 1


def constant(code: bytes) -> int:
    """What an opcode without an argument says: a flag, or None as 0."""
    return int(code == _TRUE)
