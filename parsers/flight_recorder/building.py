"""From what a pickle or a JSON text held to columns."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, TypeVar

import numpy as np

from logtui.parsers.errors import DumpRefused
from logtui.parsers.flight_recorder.call import Call, Frame, Stack, parse_name
from logtui.parsers.flight_recorder.entries import EntryTable, GroupName, State, Thread
from logtui.parsers.flight_recorder.lane import Lane, is_row
from logtui.parsers.flight_recorder.limits import LIMITS, Limits
from logtui.parsers.flight_recorder.rows import DictRows, LaneRows, Rows
from logtui.parsers.flight_recorder.values import as_int, as_shapes, as_text, as_texts

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


class TableBuilder:
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
        """Columns of entries that are dictionaries or lane rows.

        Raises:
            DumpRefused: there are too many, or one is neither.
        """
        if len(entries) > self._limits.entries:
            raise DumpRefused(f"more than {self._limits.entries} entries")
        columns: dict[str, Any] = {}
        for lane, places in _by_lane(entries).items():
            picked = [entries[place] for place in places]
            at = np.array(places, np.int64)
            rows = DictRows(picked) if lane is None else LaneRows(lane, [row[1] for row in picked], self._memo)
            for name, values in self._read(rows).items():
                if name not in columns:
                    columns[name] = np.zeros(len(entries), values.dtype)
                columns[name][at] = values
        return self._table(columns or self._read(DictRows([])))

    def _read(self, rows: Rows) -> dict[str, Any]:
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
        columns["state"] = columns["state"].astype(np.int8)
        for name in ("group", "call", "thread", "stack"):
            columns[name] = columns[name].astype(np.int32)
        if np.any(np.diff(columns["record_id"]) < 0):
            order = np.argsort(columns["record_id"], kind="stable")
            columns = {name: values[order] for name, values in columns.items()}
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


def _by_lane(entries: list[Any]) -> dict[Lane | None, list[int]]:
    """Places of the entries, by the lane that read them."""
    places: dict[Lane | None, list[int]] = {}
    for place, entry in enumerate(entries):
        lane = entry[0] if type(entry) is tuple and is_row(entry) else None
        if lane in places:
            places[lane].append(place)
        else:
            places[lane] = [place]
    return places
