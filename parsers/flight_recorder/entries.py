"""The entries of one dump, in columns: two million of them must fit in a case."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from logtui.parsers.flight_recorder.call import Call, Stack

Ints = npt.NDArray[np.signedinteger[Any]]
"""Whole numbers, as wide as they need: see `narrow`."""
Flags = npt.NDArray[np.bool_]


def narrow(values: Ints, least: type[np.signedinteger[Any]] = np.int8) -> Ints:
    """The same numbers in the smallest type that holds them and twice as much, no smaller than `least`."""
    low, high = (int(values.min()) * 2, int(values.max()) * 2) if len(values) else (0, 0)
    for kind in (np.int8, np.int16, np.int32):
        limits = np.iinfo(kind)
        if limits.min <= low and high <= limits.max and np.dtype(kind).itemsize >= np.dtype(least).itemsize:
            return values.astype(kind)
    return values


class State(IntEnum):
    """How far an operation was when the dump was written. Without timing enabled a running one is scheduled."""

    UNKNOWN = 0
    SCHEDULED = 1
    STARTED = 2
    COMPLETED = 3

    @classmethod
    def of(cls, text: str) -> State:
        """The state with this name, UNKNOWN for any other text."""
        return _STATES.get(text, cls.UNKNOWN)


_STATES = {"scheduled": State.SCHEDULED, "started": State.STARTED, "completed": State.COMPLETED}


class GroupName(NamedTuple):
    """A process group as an entry names it: the name is the same on all ranks, `pg_id` is this process's own."""

    name: str
    desc: str
    pg_id: int

    def __str__(self) -> str:
        return f"{self.name}:{self.desc}" if self.desc else self.name


class Thread(NamedTuple):
    """The thread that enqueued an operation."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One operation. Times are nanoseconds since the Unix epoch, 0 where unknown."""

    index: int
    """Position in the dump's table, from 0."""
    record_id: int
    group: GroupName
    seq: int
    """`collective_seq_id`; for a send or receive that of the collective before it."""
    p2p_seq: int
    call: Call
    created_ns: int
    started_ns: int
    completed_ns: int
    state: State
    retired: bool
    is_p2p: bool
    timeout_ms: int
    duration_ms: float | None
    thread: Thread
    stack: Stack


@dataclass(frozen=True, slots=True, eq=False)
class EntryTable:
    """Entries by column, oldest first; `group`, `call`, `thread` and `stack` number the tuples at the end."""

    record_id: Ints
    seq: Ints
    p2p_seq: Ints
    created_ns: Ints
    started_ns: Ints
    completed_ns: Ints
    timeout_ms: Ints
    duration_ms: npt.NDArray[np.float32]
    state: Ints
    retired: Flags
    is_p2p: Flags
    group: Ints
    call: Ints
    thread: Ints
    stack: Ints
    groups: tuple[GroupName, ...] = ()
    calls: tuple[Call, ...] = ()
    threads: tuple[Thread, ...] = ()
    stacks: tuple[Stack, ...] = ()

    def __len__(self) -> int:
        return len(self.record_id)

    def entry(self, index: int) -> Entry:
        """One row as an object."""
        duration = float(self.duration_ms[index])
        return Entry(
            index=index, record_id=int(self.record_id[index]), group=self.groups[self.group[index]],
            seq=int(self.seq[index]), p2p_seq=int(self.p2p_seq[index]), call=self.calls[self.call[index]],
            created_ns=int(self.created_ns[index]), started_ns=int(self.started_ns[index]),
            completed_ns=int(self.completed_ns[index]), state=State(int(self.state[index])),
            retired=bool(self.retired[index]), is_p2p=bool(self.is_p2p[index]),
            timeout_ms=int(self.timeout_ms[index]), duration_ms=None if np.isnan(duration) else duration,
            thread=self.threads[self.thread[index]], stack=self.stacks[self.stack[index]],
        )  # fmt: skip
