"""From what a pickle or a JSON text held to columns."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from logtui.parsers.dumps.block import NUMBERS, TOO_LARGE, EntryBlock, Lane, Run, constant
from logtui.parsers.dumps.dump import (
    Call,
    EntryTable,
    Frame,
    GroupName,
    Stack,
    State,
    Thread,
    as_int,
    as_shapes,
    as_text,
    as_texts,
    narrow,
    parse_name,
)
from logtui.parsers.dumps.machine import LIMITS, Limits, Machine
from logtui.parsers.errors import DumpRefused

# -- Entries by field, as dictionaries or from a block

Ints = npt.NDArray[np.int64]
Fields = dict[object, object]
Number = Callable[..., int]
"""Numbers the thing that some fields of an entry describe."""


class EntryRows(Protocol):
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

    def __init__(self, block: EntryBlock, lane: Lane, entries: Ints, memo: dict[int, object]) -> None:
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


# -- The table

T = TypeVar("T", bound=Hashable)

_INTEGERS: dict[str, tuple[str, ...]] = {
    "record_id": ("record_id",),
    "seq": ("collective_seq_id", "seq_id"),
    "p2p_seq": ("p2p_seq_id",),
    "created_ns": ("time_created_ns",),
    "created_us": ("time_created_us",),
    "started_ns": ("time_discovered_started_ns",),
    "completed_ns": ("time_discovered_completed_ns",),
    "timeout_ms": ("timeout_ms",),
    "retired": ("retired",),
    "is_p2p": ("is_p2p",),
}
"""Columns and the fields they come from, newest name first; microseconds are torch 2.2's."""


_LEAST: dict[str, type[np.signedinteger[Any]]] = {
    **dict.fromkeys(("record_id", "seq", "p2p_seq"), np.int32),
    **dict.fromkeys(("started_ns", "completed_ns", "timeout_ms", "state", "group", "call", "thread", "stack"), np.int8),
}
"""Columns kept as narrow as their numbers allow, two million times; what is reckoned with has room for it."""


class Pool:
    """Values that many dumps repeat, kept once for all of them."""

    def __init__(self) -> None:
        self._kept: dict[Any, Any] = {}

    def __call__(self, value: T) -> T:
        """The first value equal to this one."""
        kept: T = self._kept.setdefault(value, value)
        return kept


class _Numbering(dict[T, int]):
    """Numbers values in the order they appear."""

    def __missing__(self, value: T) -> int:
        self[value] = number = len(self)
        return number


class EntryTableBuilder:
    """Builds the entry table of one dump."""

    def __init__(self, memo: dict[int, object], pool: Pool, limits: Limits = LIMITS) -> None:
        self._memo = memo
        self._pool = pool
        self._limits = limits
        self._frames: dict[int, Frame] = {}
        """By identity: entries share the dictionaries of their frames, and hold them while the table is built."""
        self._groups: _Numbering[GroupName] = _Numbering()
        self._calls: _Numbering[Call] = _Numbering()
        self._threads: _Numbering[Thread] = _Numbering()
        self._stacks: _Numbering[Stack] = _Numbering()

    def build(self, entries: list[Any]) -> EntryTable:
        """Columns of entries that are dictionaries or runs of a block.

        Raises:
            DumpRefused: there are too many, or one is neither.
        """
        count = sum(len(entry) if type(entry) is Run else 1 for entry in entries)
        if count > self._limits.entries:
            raise DumpRefused(f"more than {self._limits.entries} entries")
        columns: dict[str, Any] = {}
        for rows, places in _parts(entries, self._memo):
            for name, values in self._read(rows).items():
                if name not in columns:
                    columns[name] = np.zeros(count, values.dtype)
                columns[name][places] = values
        return self._table(columns or self._read(DictRows([])))

    def _read(self, rows: EntryRows) -> dict[str, Any]:
        columns: dict[str, Any] = {name: rows.integers(fields) for name, fields in _INTEGERS.items()}
        columns["duration_ms"] = rows.floats("duration_ms")
        columns["state"] = rows.numbered(("state",), lambda state: State.of(as_text(state)))
        columns["group"] = rows.numbered(("process_group", "pg_id"), self._group)
        columns["thread"] = rows.numbered(("thread_id", "thread_name"), self._thread)
        columns["stack"] = rows.numbered(("frames",), self._stack)
        shapes = ("input_sizes", "output_sizes", "input_dtypes", "output_dtypes")
        columns["call"] = rows.numbered(("profiling_name", *shapes), self._call)
        return columns

    def _table(self, columns: dict[str, Any]) -> EntryTable:
        microseconds = columns.pop("created_us")
        columns["created_ns"] = np.where(columns["created_ns"] == 0, microseconds * 1000, columns["created_ns"])
        p2p_calls = np.array([call.is_p2p for call in self._calls], np.bool_)
        columns["is_p2p"] = columns["is_p2p"].astype(np.bool_)
        if len(p2p_calls):
            columns["is_p2p"] |= p2p_calls[columns["call"]]
        columns["retired"] = columns["retired"].astype(np.bool_)
        if np.any(np.diff(columns["record_id"]) < 0):
            order = np.argsort(columns["record_id"], kind="stable")
            columns = {name: values[order] for name, values in columns.items()}
        for name, least in _LEAST.items():
            columns[name] = narrow(columns[name], least)
        return EntryTable(
            **columns, groups=tuple(self._groups), calls=tuple(self._calls),
            threads=tuple(self._threads), stacks=tuple(self._stacks),
        )  # fmt: skip

    def _group(self, named: object, pg_id: object) -> int:
        number = as_int(pg_id, -1)
        names = as_texts(named)
        name = names[0] if names else str(number)
        return self._groups[self._pool(GroupName(name, names[1] if len(names) > 1 else "", number))]

    def _thread(self, thread: object, name: object) -> int:
        return self._threads[Thread(as_text(thread), as_text(name))]

    def _call(self, profiling_name: object, *tensors: object) -> int:
        backend, op, me, peer = parse_name(as_text(profiling_name))
        ins, outs, in_types, out_types = tensors
        sizes = as_shapes(ins), as_shapes(outs)
        types = as_texts(in_types), as_texts(out_types)
        return self._calls[self._pool(Call(backend, op, me, peer, *sizes, *types))]

    def _stack(self, frames: object) -> int:
        listed = frames if type(frames) is list or type(frames) is tuple else ()
        stack = tuple(self._frame(frame) for frame in listed if type(frame) is dict)
        return self._stacks[self._pool(stack)]

    def _frame(self, frame: dict[object, object]) -> Frame:
        known = self._frames.get(id(frame))
        if known is None:
            name, filename = as_text(frame.get("name")), as_text(frame.get("filename"))
            known = self._frames[id(frame)] = self._pool(Frame(name, filename, as_int(frame.get("line"))))
        return known


def _parts(entries: list[Any], memo: dict[int, object]) -> Iterator[tuple[EntryRows, Ints]]:
    """Dictionaries, and what each block read by each of its lanes; with the places of both among all entries."""
    plain: list[object] = []
    places: list[int] = []
    runs: dict[EntryBlock, list[tuple[Run, int]]] = {}
    at = 0
    for entry in entries:
        if type(entry) is Run:
            runs.setdefault(entry.block, []).append((entry, at))
            at += len(entry)
        else:
            plain.append(entry)
            places.append(at)
            at += 1
    if plain:
        yield DictRows(plain), np.array(places, np.int64)
    for block, found in runs.items():
        picked = np.concatenate([np.arange(run.first, run.last) for run, _ in found])
        where = np.concatenate([np.arange(at, at + len(run)) for run, at in found])
        lanes = [lane for lane, _ in block.kinds]
        for lane in dict.fromkeys(lanes):
            of_lane = np.array([other is lane for other in lanes], np.bool_)[block.kind[picked]]
            if of_lane.any():
                yield BlockRows(block, lane, picked[of_lane], memo), where[of_lane]
