"""What a flight-recorder dump holds: calls, process groups, entries."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from logtui.parsers.clean import clean

# -- Values, as the types they should have
#
# Pickle and JSON differ, and nobody vouches for either.

GARBAGE = 1 << 62
"""Integers from here on are uninitialised memory; they would not fit a column either."""
_DIGITS = re.compile(r"-?\d{1,18}")


def as_int(value: object, default: int = 0) -> int:
    """A number, a flag, or digits as text (JSON writes watermarks that way); `default` for anything else."""
    if type(value) is int:
        return value if -GARBAGE < value < GARBAGE else default
    if type(value) is bool:
        return int(value)
    if type(value) is str and _DIGITS.fullmatch(value):
        return int(value)
    return default


def as_text(value: object) -> str:
    """Text that is safe to show; "" for anything else."""
    if type(value) is not str:
        return ""
    return value if value.isprintable() else clean(value.encode("utf-8", "replace"))


def as_texts(value: object) -> tuple[str, ...]:
    """A list of texts, or one text alone."""
    if type(value) is list or type(value) is tuple:
        return tuple(as_text(item) for item in value)
    return (as_text(value),) if value else ()


def as_shapes(value: object) -> Shapes:
    """Shapes of tensors; what is not a list of lists of numbers counts as unknown."""
    if type(value) is not list and type(value) is not tuple:
        return ()
    return tuple(
        tuple(as_int(size, -1) for size in shape) if type(shape) is list or type(shape) is tuple else ()
        for shape in value
    )


# -- Calls: what a rank asked of its library, and where in the program

Shapes: TypeAlias = "tuple[tuple[int, ...], ...]"
"""One shape per tensor."""


class Frame(NamedTuple):
    """One function of a stack, innermost first in it."""

    name: str
    filename: str
    line: int

    def __str__(self) -> str:
        return f"{self.name} at {self.filename}:{self.line}"


Stack: TypeAlias = "tuple[Frame, ...]"


@dataclass(frozen=True, slots=True)
class Call:
    """One operation as asked for; ranks that agree share an equal value."""

    backend: str
    op: str
    me: int | None = None
    """Own rank within the group, for sends and receives."""
    peer: int | None = None
    """The other one; None for a receive from anybody."""
    input_sizes: Shapes = ()
    output_sizes: Shapes = ()
    input_dtypes: tuple[str, ...] = ()
    output_dtypes: tuple[str, ...] = ()

    @property
    def is_p2p(self) -> bool:
        """Whether it is a single send or receive."""
        return self.op in {"send", "recv"}

    @property
    def closes_group(self) -> bool:
        """Whether it ends a coalesced group: it stands for the entries of the same number before it."""
        return self.op.lower().endswith("coalesced") and not self.input_sizes_known

    @property
    def input_sizes_known(self) -> bool:
        """Whether any tensor is named; the entry that closes a coalesced group names none."""
        return any(self.input_sizes) or any(self.output_sizes)

    def __str__(self) -> str:
        detail = ""
        if self.is_p2p:
            arrow, peer = ("->" if self.op == "send" else "<-"), "?" if self.peer is None else self.peer
            detail = f" {self.me}{arrow}{peer}"
        return f"{self.op}{detail}"


_NAME = re.compile(r"(?:(?P<backend>[^:\s]*):)?(?P<op>\S*)(?:\s+(?P<detail>.*))?", re.DOTALL)
_PEERS = re.compile(r"(?P<me>\d{1,9})(?:->|<-)(?P<peer>\d{1,9}|\?)$")


def parse_name(profiling_name: str) -> tuple[str, str, int | None, int | None]:
    """Split `nccl:send 1->2` into backend, operation, own rank and peer within the group."""
    found = _NAME.fullmatch(profiling_name)
    if found is None:
        return "", profiling_name, None, None
    peers = _PEERS.match(found["detail"] or "")
    me = int(peers["me"]) if peers else None
    peer = int(peers["peer"]) if peers and peers["peer"] != "?" else None
    return found["backend"] or "", found["op"], me, peer


# -- Process groups: who is in them, and how far they came

MAX_RANK = 1 << 18
"""No job is larger; a number above this is something else, as a process id in a file name."""


@dataclass(frozen=True, slots=True)
class GroupConfig:
    """One entry of `pg_config`."""

    name: str
    desc: str
    members: tuple[int, ...]
    """Global ranks in group order: the position is the rank within the group. () if not said."""


class Watermarks(NamedTuple):
    """One entry of `pg_status`; -1 is none, or not measured. Collectives and sends count separately, and the
    numbers are those of whichever came last."""

    enqueued: int
    started: int
    completed: int


class MemberLists:
    """Reads lists of ranks, each distinct text once: a thousand dumps repeat the same few."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[int, ...]] = {}

    def __call__(self, value: object) -> tuple[int, ...]:
        """Global ranks from `"[0, 1, 2]"` or from a list; () if it is neither."""
        if not isinstance(value, str):
            return _ranks(value)
        if value not in self._read:
            self._read[value] = _ranks_of_text(value)
        return self._read[value]


def _ranks_of_text(text: str) -> tuple[int, ...]:
    try:
        return _ranks(json.loads(text))
    except (ValueError, RecursionError):
        return ()


def _ranks(value: object) -> tuple[int, ...]:
    if (
        type(value) is not list
        or len(value) > MAX_RANK
        or any(type(rank) is not int or not 0 <= rank < MAX_RANK for rank in value)
    ):
        return ()
    return tuple(value)


def read_config(value: object, members: MemberLists) -> dict[str, GroupConfig]:
    """`pg_config` of any version, by group name; up to version 1.4 the local number is the name."""
    if type(value) is not dict:
        return {}
    groups = {}
    for key, group in value.items():
        name = as_text(key) if isinstance(key, str) else str(key)
        if type(group) is dict:
            groups[name] = GroupConfig(name, as_text(group.get("desc")), members(group.get("ranks")))
        else:
            groups[name] = GroupConfig(name, "", members(group))
    return groups


def read_status(value: object) -> dict[int, Watermarks]:
    """`pg_status` by the local number of the group."""
    if type(value) is not dict:
        return {}
    return {as_int(key, -1): _watermarks(marks) for key, marks in value.items() if type(marks) is dict}


def _watermarks(marks: dict[object, object]) -> Watermarks:
    return Watermarks(*(as_int(marks.get(f"last_{what}_collective"), -1) for what in Watermarks._fields))


# -- Entries, in columns: two million of them must fit in a case

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


# -- Dumps


@dataclass(frozen=True, slots=True, eq=False)
class Dump:
    """What one rank's recorder held. Every key of the file is optional, so everything here may be empty."""

    rank: int
    rank_from: str
    """What told the rank: `name`, `groups` or `directory`."""
    file: str
    version: str
    """As written; "" for the bare list of torch 2.2. `2.10` is minor ten, not a fraction."""
    library: str
    """Version of the communication library, "" if not said."""
    pg_config: Mapping[str, GroupConfig]
    pg_status: Mapping[int, Watermarks]
    entries: EntryTable


@dataclass(frozen=True, slots=True, eq=False)
class DumpSet:
    """The dumps of one job, one per rank, by rank; and the files that could not be used, with the reason."""

    dumps: tuple[Dump, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    by_rank: Mapping[int, Dump] = field(default_factory=dict)

    @classmethod
    def of(cls, dumps: list[Dump], refused: list[tuple[str, str]]) -> DumpSet:
        """Order the dumps by rank."""
        by_rank = {dump.rank: dump for dump in sorted(dumps, key=lambda dump: dump.rank)}
        return cls(tuple(by_rank.values()), tuple(refused), by_rank)
