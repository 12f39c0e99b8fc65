"""Flight-recorder dumps that agree with a job's logs, as each PyTorch release writes them.

Source: torch/csrc/distributed/c10d/FlightRecorder*.hpp; keys and versions of releases 2.2 to 2.15. The pickles hold
containers, strings and numbers only.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from logtui.parsers.generator.job import play
from logtui.parsers.generator.stage.spec import JobSpec, Version
from logtui.parsers.generator.stage.stage import Progress, Stage, call_of
from logtui.parsers.generator.stage.world import Hang, ProcessGroup, Stuck
from logtui.parsers.generator.wordings.errors import collective_frames
from logtui.parsers.generator.wordings.nccl import BUNDLED

Entry = dict[str, Any]
"""One recorded operation; the values are what pickle and JSON allow."""

_SCHEMAS: tuple[tuple[Version, str], ...] = (
    ((2, 3), "1.4"),
    ((2, 4), "2.1"),
    ((2, 5), "2.4"),
    ((2, 8), "2.9"),
    ((2, 9), "2.10"),
)
"""The `version` key from a release on; 2.2 writes a bare list without one."""
_KEYS: tuple[tuple[str, Version, Version], ...] = (
    ("frames", (2, 2), (9, 0)), ("record_id", (2, 3), (9, 0)), ("pg_id", (2, 2), (9, 0)), ("process_group", (2, 4), (9, 0)),
    ("thread_name", (2, 8), (9, 0)), ("thread_id", (2, 8), (9, 0)), ("seq_id", (2, 2), (2, 3)),
    ("collective_seq_id", (2, 4), (9, 0)), ("p2p_seq_id", (2, 4), (9, 0)), ("op_id", (2, 3), (9, 0)),
    ("profiling_name", (2, 2), (9, 0)), ("time_created_us", (2, 2), (2, 2)), ("time_created_ns", (2, 3), (9, 0)),
    ("input_sizes", (2, 2), (9, 0)), ("input_dtypes", (2, 4), (9, 0)), ("output_sizes", (2, 2), (9, 0)),
    ("output_dtypes", (2, 4), (9, 0)), ("state", (2, 2), (9, 0)), ("time_discovered_started_ns", (2, 3), (9, 0)),
    ("time_discovered_completed_ns", (2, 3), (9, 0)), ("retired", (2, 3), (9, 0)), ("timeout_ms", (2, 5), (9, 0)),
    ("is_p2p", (2, 4), (9, 0)),
)  # fmt: skip
"""Keys of an entry in the order written, with the first and last release that writes them."""
_NAMES = {
    "ALLREDUCE": "all_reduce", "BROADCAST": "broadcast", "_ALLGATHER_BASE": "_all_gather_base", "ALLGATHER": "all_gather",
    "_REDUCE_SCATTER_BASE": "_reduce_scatter_base",
}  # fmt: skip


def write_dumps(spec: JobSpec, directory: Path, *, entries: int = 64, as_json: bool = False) -> tuple[Path, ...]:
    """Write one dump for each rank that is alive when the job hangs. Returns the files.

    `entries` is the size of each rank's ring buffer. A job that does not hang leaves none.

    Raises:
        ValueError: if the PyTorch release has no recorder, or none that writes JSON.
        OSError: if a file cannot be written.
    """
    if spec.version < (2, 2) or (as_json and spec.version < (2, 5)):
        raise ValueError(f"PyTorch {spec.pytorch} writes no {'JSON ' if as_json else ''}dumps")
    stage = play(spec)
    if stage.hang is None:
        return ()
    directory.mkdir(parents=True, exist_ok=True)
    recorder = _Recorder(stage, stage.hang, entries)
    prefix = "comm_lib_trace_rank_" if spec.version >= (2, 9) else "nccl_trace_rank_"
    ranks = sorted([*recorder.progress.stuck, *stage.hang.idle])
    return tuple(_write(directory / f"{prefix}{rank}", recorder.dump(rank), as_json) for rank in ranks)


def _write(path: Path, dump: Any, as_json: bool) -> Path:
    if not as_json:
        path.write_bytes(torch_pickled(dump))
        return path
    path = path.with_name(path.name + ".json")
    path.write_text(json.dumps(_for_json(dump), sort_keys=True, separators=(",", ":")))
    return path


def _for_json(dump: dict[str, Any]) -> dict[str, Any]:
    """No frames, 0 for unknown times, strings in the status."""
    made = dict(dump)
    made["entries"] = [
        {k: 0 if v is None and k.startswith("time_") else v for k, v in entry.items() if k != "frames"}
        for entry in dump["entries"]
    ]
    made["pg_status"] = {k: {n: str(v) for n, v in status.items()} for k, status in dump["pg_status"].items()}
    return made


class _Recorder:
    """The ring buffers of all ranks."""

    def __init__(self, stage: Stage, hang: Hang, size: int) -> None:
        self.stage, self.hang, self.size = stage, hang, size
        self.progress = Progress(stage, hang)
        self.entered = min(s.entered for s in hang.stuck)
        self._frames: dict[str, list[dict[str, Any]]] = {}
        self._odd = {(s.group.guid, s.seq): s for s in hang.stuck}
        """For each stuck number one of those who wait there: it says which operation that is."""

    def dump(self, rank: int) -> Any:
        """The content of one rank's file."""
        version, groups = self.stage.version, self.stage.world.groups_of(rank)
        entries = self._entries(rank, groups)
        if version < (2, 3):
            return entries
        made: dict[str, Any] = {
            "version": [v for since, v in _SCHEMAS if since <= version][-1],
            "pg_config": self._config(groups),
        }
        if version >= (2, 8):
            made["comm_lib_version" if version >= (2, 9) else "nccl_version"] = ".".join(map(str, BUNDLED[version]))
        if version >= (2, 5):
            made["pg_status"] = {str(i): self._status(rank, g) for i, g in enumerate(groups)}
        return made | {"entries": entries}

    def _config(self, groups: tuple[ProcessGroup, ...]) -> dict[Any, Any]:
        if self.stage.version < (2, 4):
            return {i: list(g.ranks) for i, g in enumerate(groups)}
        return {g.guid: {"name": g.guid, "desc": g.desc, "ranks": str(list(g.ranks))} for g in groups}

    def _status(self, rank: int, group: ProcessGroup) -> dict[str, int]:
        enqueued, completed = (0, 0) if group.desc.startswith("PIPELINE") else self.progress.of(rank, group)
        return {
            "last_enqueued_collective": enqueued,
            "last_started_collective": -1,
            "last_completed_collective": completed,
        }

    def _entries(self, rank: int, groups: tuple[ProcessGroup, ...]) -> list[Entry]:
        found = sorted((e for g in groups for e in self._history(rank, g)), key=lambda e: e["time_created_ns"])[
            -self.size :
        ]
        total = sum(self.progress.of(rank, g)[0] for g in groups)
        for i, entry in enumerate(found):
            entry["record_id"] = total - len(found) + i
        version = self.stage.version
        wanted = [k for k, since, until in _KEYS if since <= version <= until]
        return [{k: entry[k] for k in wanted} for entry in found]

    def _history(self, rank: int, group: ProcessGroup) -> Iterator[Entry]:
        """The last operations of a group on a rank, no more than the ring can hold."""
        enqueued, completed = self.progress.of(rank, group)
        long_pipe = group.desc.startswith("PIPELINE") and len(group.ranks) > 2
        first = completed + 1 if long_pipe else enqueued - self.size + 1
        for number in range(max(1, first), enqueued + 1):
            yield self._entry(rank, group, number, number <= completed)

    def _call(self, rank: int, group: ProcessGroup, number: int) -> tuple[str, int, int]:
        """Operation and sizes; a rank that waits at this number is asked first, then anybody who does."""
        mine = self.progress.stuck.get(rank)
        known: Stuck | None = mine if mine and (mine.group.guid, mine.seq) == (group.guid, number) else None
        known = known or self._odd.get((group.guid, number))
        return (known.op, known.numel_in, known.numel_out) if known else call_of(self.stage, group)

    def _entry(self, rank: int, group: ProcessGroup, number: int, done: bool) -> Entry:
        op, numel_in, numel_out = self._call(rank, group, number)
        p2p = op in ("SEND", "RECV")
        created = self._created(rank, group, number)
        return {
            "frames": self._stack(op), "pg_id": self.stage.world.pg_id(rank, group), "process_group": (group.guid, group.desc),
            "seq_id": number, "collective_seq_id": 0 if p2p else number, "p2p_seq_id": number if p2p else 0, "op_id": number,
            "profiling_name": _transfer(group, rank, number, self._late(group)) if p2p else f"nccl:{_NAMES.get(op, op.lower())}",
            "time_created_ns": created, "time_created_us": created // 1000, "input_sizes": [[numel_in]],
            "output_sizes": [[numel_out]], "input_dtypes": ["BFloat16"], "output_dtypes": ["BFloat16"],
            "state": "completed" if done else "scheduled", "time_discovered_started_ns": None,
            "time_discovered_completed_ns": created + 41_000_000 if done else None, "retired": done,
            "timeout_ms": self.hang.timeout_s * 1000, "is_p2p": p2p, "thread_name": "python3",
            "thread_id": str(139_800_000_000_000 + self.stage.world.pid(rank) * 64),
        }  # fmt: skip

    def _late(self, group: ProcessGroup) -> set[int]:
        """The stages of a pipeline group that do not wait in it."""
        stuck = self.progress.stuck
        return {group.local(r) for r in group.ranks if r not in stuck or stuck[r].group is not group}

    def _created(self, rank: int, group: ProcessGroup, number: int) -> int:
        """Nanoseconds since the epoch, by the node's clock; a group's operations are spread evenly over the steps."""
        mine = self.progress.stuck.get(rank)
        last, _ = self.progress.of(rank, group)
        front = mine.seq if mine and mine.group is group else last + 1
        entered = mine.entered if mine else self.entered
        pace = self.stage.spec.step_s / max(1.0, 4.0 * last / self.stage.seq)
        return int((entered + (number - front) * pace + self.stage.world.node(rank).skew_s) * 1e9)

    def _stack(self, op: str) -> list[dict[str, Any]]:
        if op not in self._frames:
            calls = collective_frames(self.stage.spec, op)
            self._frames[op] = [{"name": f.function, "filename": f.path, "line": f.line} for f in calls]
        return self._frames[op]


def _transfer(group: ProcessGroup, rank: int, number: int, late_stages: set[int]) -> str:
    """`nccl:recv 1<-0`: group-local numbers, own rank first.

    Between two stages odd numbers go forward and even ones back. Among more, a rank waits for its neighbour on the
    side of the stage that is late.
    """
    local = group.local(rank)
    if len(group.ranks) > 2:
        return f"nccl:recv {local}<-{local - 1 if min(late_stages, default=0) < local else local + 1}"
    forward = number % 2 == 1
    return f"nccl:send {local}->{1 - local}" if forward == (local == 0) else f"nccl:recv {local}<-{1 - local}"


# -- Pickles byte for byte as torch's C++ pickler writes them
#
# Source: torch/csrc/jit/serialization/pickler.cpp. Protocol 2; strings and shared dicts are memoised; lists and dicts
# are always written with a mark. Python's own pickler would use opcodes that torch's never does.

_SHORT, _INT = 0xFF, 0x7FFFFFFF


def torch_pickled(value: Any) -> bytes:
    """The pickle of dicts, lists, pairs, strings, numbers, booleans and None.

    Raises:
        TypeError: for any other type.
    """
    writer = _Writer()
    writer.put(value)
    return b"\x80\x02" + b"".join(writer.parts) + b"."


class _Writer:
    """One pickle being written."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.strings: dict[str, bytes] = {}
        self.frames: dict[int, bytes] = {}
        self.memos = 0

    def put(self, value: Any) -> None:
        """Write one value."""
        match value:
            case str():
                self._string(value)
            case bool():
                self.parts.append(b"\x88" if value else b"\x89")
            case int():
                self.parts.append(_int(value))
            case None:
                self.parts.append(b"N")
            case dict():
                self._dict(value)
            case list():
                self.parts.append(b"](")
                for item in value:
                    self.put(item)
                self.parts.append(b"e")
            case (first, second):
                self.put(first)
                self.put(second)
                self.parts.append(b"\x86")
            case _:
                raise TypeError(f"{type(value).__name__} has no place in a dump")

    def _memo(self) -> tuple[bytes, bytes]:
        """The opcodes that store the next memo and fetch it again."""
        number = self.memos
        self.memos += 1
        if number <= _SHORT:
            return b"q" + bytes([number]), b"h" + bytes([number])
        return b"r" + struct.pack("<I", number), b"j" + struct.pack("<I", number)

    def _string(self, text: str) -> None:
        known = self.strings.get(text)
        if known is None:
            store, self.strings[text] = self._memo()
            data = text.encode()
            known = b"X" + struct.pack("<I", len(data)) + data + store
        self.parts.append(known)

    def _dict(self, value: dict[Any, Any]) -> None:
        frame = "filename" in value
        if frame and id(value) in self.frames:
            self.parts.append(self.frames[id(value)])
            return
        self.parts.append(b"}(")
        for key, item in value.items():
            self.put(key)
            self.put(item)
        self.parts.append(b"u")
        if frame:  # the same frame object stands in many entries
            store, self.frames[id(value)] = self._memo()
            self.parts.append(store)


def _int(value: int) -> bytes:
    if 0 <= value <= _SHORT:
        return b"K" + bytes([value])
    if 0 <= value <= 0xFFFF:
        return b"M" + struct.pack("<H", value)
    if -_INT - 1 <= value <= _INT:
        return b"J" + struct.pack("<i", value)
    return b"\x8a\x08" + struct.pack("<q", value)
