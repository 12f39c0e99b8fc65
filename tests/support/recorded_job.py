"""Dumps of a small job, written launch by launch: a test names only what matters to it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from logtui.diagnosis.dumps.analyse import analyse
from logtui.diagnosis.dumps.findings import FlightRecorderFindings
from logtui.parsers.dumps.dump import DumpSet
from logtui.parsers.dumps.placing import place
from logtui.parsers.dumps.reading import DumpReader

START_NS = 1_795_000_000_000_000_000
STEP_NS = 1_000_000_000
SIZES = [[8]]
GROWS, SHRINKS = ("all_gather",), ("reduce_scatter",)
"""Operations whose output, or input, is as many times larger as the group has members."""


class RecordedJob:
    """What the recorders of some ranks hold. Ranks count from 0; group "0" is the default one."""

    def __init__(
        self,
        world: int,
        groups: Mapping[str, Sequence[int]] | None = None,
        descs: Mapping[str, str] | None = None,
        backend: str = "nccl",
    ) -> None:
        self.world = world
        self.groups: dict[str, Sequence[int]] = {"0": range(world)} | dict(groups or {})
        self.descs = {"0": "default_pg"} | dict(descs or {})
        self.backend = backend
        self.entries: dict[int, list[dict[str, Any]]] = {rank: [] for rank in range(world)}
        self.status: dict[int, dict[str, dict[str, int]]] = {}
        self.clock: dict[int, int] = {}
        """Nanoseconds by which a rank's clock is ahead."""
        self._seq: dict[tuple[int, str], int] = {}
        self._p2p_seq: dict[tuple[int, str], int] = {}

    def launch(
        self, op: str, ranks: Iterable[int] | None = None, group: str = "0", state: str = "completed", **fields: Any
    ) -> RecordedJob:
        """Some members launch the next collective of a group (all of them, unless said)."""
        for rank in self.groups[group] if ranks is None else ranks:
            key = (rank, group)
            self._seq[key] = self._seq.get(key, 0) + 1
            self._record(rank, group, op, state, {"collective_seq_id": self._seq[key], **fields})
        return self

    def coalesced(
        self, ops: Sequence[str], rank: int, group: str = "0", state: str = "completed", closing: bool = True
    ) -> RecordedJob:
        """One rank launches a coalesced group: the operations stay scheduled, the closing entry has the state."""
        key = (rank, group)
        p2p = any(op.startswith(("send", "recv")) for op in ops)
        counter = self._p2p_seq if p2p else self._seq
        counter[key] = counter.get(key, 0) + 1
        numbers = {"collective_seq_id": self._seq.get(key, 0), "p2p_seq_id": self._p2p_seq.get(key, 0), "is_p2p": p2p}
        for op in ops:
            self._record(rank, group, op, "scheduled", {**numbers, "retired": False})
        if closing:
            tensors = ("input_sizes", "output_sizes", "input_dtypes", "output_dtypes")
            self._record(rank, group, "coalesced", state, numbers | {field: [] for field in tensors})
        return self

    def transfer(self, op: str, rank: int, group: str = "0", state: str = "completed", **fields: Any) -> RecordedJob:
        """One rank launches `send 0->1` or `recv 1<-0`; the numbers are ranks within the group."""
        key = (rank, group)
        self._p2p_seq[key] = self._p2p_seq.get(key, 0) + 1
        numbers = {"collective_seq_id": self._seq.get(key, 0), "p2p_seq_id": self._p2p_seq[key], "is_p2p": True}
        self._record(rank, group, op, state, numbers | fields)
        return self

    def forget(self, rank: int, first: int, completed: bool = False) -> RecordedJob:
        """The ring of a rank has wrapped: entries before number `first` are gone; or all completed ones are."""
        kept = (e for e in self.entries[rank][first:] if not (completed and e["state"] == "completed"))
        self.entries[rank] = list(kept)
        return self

    def marks(self, rank: int, **by_group: tuple[int, int, int]) -> RecordedJob:
        """Watermarks of a rank by group, given as `g0=(enqueued, started, completed)`."""
        names = ("last_enqueued_collective", "last_started_collective", "last_completed_collective")
        self.status[rank] = {
            self._pg_id(rank, name[1:]): dict(zip(names, values, strict=True)) for name, values in by_group.items()
        }
        return self

    def _pg_id(self, rank: int, group: str) -> str:
        """Local numbers count only the groups a rank is in."""
        return str(sorted(name for name, members in self.groups.items() if rank in members).index(group))

    def _record(self, rank: int, group: str, op: str, state: str, fields: Mapping[str, Any]) -> None:
        entries = self.entries[rank]
        larger = [[8 * len(self.groups[group])]]
        created = START_NS + sum(map(len, self.entries.values())) // self.world * STEP_NS + self.clock.get(rank, 0)
        entries.append({
            "record_id": len(entries), "pg_id": int(self._pg_id(rank, group)),
            "process_group": [group, self.descs.get(group, f"group {group}")],
            "profiling_name": f"{self.backend}:{op}", "time_created_ns": created, "timeout_ms": 600_000,
            "input_sizes": larger if op in SHRINKS else SIZES,
            "output_sizes": larger if op in GROWS else SIZES, "input_dtypes": ["Float"], "output_dtypes": ["Float"],
            "state": "scheduled" if self.backend == "gloo" else state, "retired": state == "completed",
            "is_p2p": False, "frames": [{"name": op, "filename": "/data/src/train.py", "line": 10}],
            **fields,
        })  # fmt: skip

    def dump(self, rank: int) -> dict[str, Any]:
        """The content of one rank's file."""
        config = {
            name: {"name": name, "desc": self.descs.get(name, f"group {name}"), "ranks": str(list(members))}
            for name, members in self.groups.items()
            if rank in members
        }
        return {
            "version": "2.10", "pg_config": config, "pg_status": self.status.get(rank, {}),
            "entries": self.entries[rank],
        }  # fmt: skip

    def dumps(self, ranks: Iterable[int] | None = None) -> DumpSet:
        """The dumps of some ranks, or of all."""
        reader = DumpReader()
        found = [
            reader.decode(json.dumps(self.dump(rank)).encode(), f"nccl_trace_rank_{rank}")
            for rank in (range(self.world) if ranks is None else ranks)
        ]
        return DumpSet.of(*place(found))

    def findings(self, ranks: Iterable[int] | None = None) -> FlightRecorderFindings:
        """What the dumps of some ranks, or of all, say."""
        return analyse(self.dumps(ranks))
