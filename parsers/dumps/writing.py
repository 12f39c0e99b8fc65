"""A dump as JSON, in the form that PyTorch writes it: what any reader of dumps can read."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from logtui.parsers.dumps.dump import Call, Dump, Entry, Stack, State

MOST_FRAMES = 32


def to_json(dump: Dump, entries: int, stacks: int) -> bytes:
    """The dump with no more than so many entries and stacks: what is unfinished first, then the newest."""
    kept = _kept(dump, entries)
    told = set(_first(dump, kept, stacks))
    return json.dumps(
        {
            "version": dump.version, "nccl_version": dump.library,
            "pg_config": {n: {"desc": g.desc, "ranks": json.dumps(g.members)} for n, g in dump.pg_config.items()},
            "pg_status": {
                str(n): {f"last_{what}_collective": value for what, value in marks._asdict().items()}
                for n, marks in dump.pg_status.items()
            },
            "entries": [_entry(dump.entries.entry(row), row in told) for row in kept],
        }
    ).encode()  # fmt: skip


def _kept(dump: Dump, most: int) -> list[int]:
    rows = _first(dump, list(range(len(dump.entries))), most)
    return sorted(rows)


def _first(dump: Dump, rows: list[int], most: int) -> list[int]:
    """Those that are unfinished, then the newest."""
    done = dump.entries.state == State.COMPLETED
    return sorted(rows, key=lambda row: (bool(done[row]), -row))[:most]


def _entry(entry: Entry, stack: bool) -> dict[str, Any]:
    written = {
        "record_id": entry.record_id, "pg_id": entry.group.pg_id, "process_group": [entry.group.name, entry.group.desc],
        "collective_seq_id": entry.seq, "p2p_seq_id": entry.p2p_seq, "profiling_name": _name(entry.call),
        "time_created_ns": entry.created_ns, "time_discovered_started_ns": entry.started_ns or None,
        "time_discovered_completed_ns": entry.completed_ns or None, "state": entry.state.name.lower(),
        "retired": entry.retired, "is_p2p": entry.is_p2p, "timeout_ms": entry.timeout_ms,
        "thread_id": entry.thread.id, "thread_name": entry.thread.name,
        "input_sizes": entry.call.input_sizes, "output_sizes": entry.call.output_sizes,
        "input_dtypes": entry.call.input_dtypes, "output_dtypes": entry.call.output_dtypes,
        "frames": _frames(entry.stack) if stack else [],
    }  # fmt: skip
    if entry.duration_ms is not None and np.isfinite(entry.duration_ms):
        written["duration_ms"] = round(entry.duration_ms, 4)
    return written


def _name(call: Call) -> str:
    named = f"{call.backend}:{call.op}" if call.backend else call.op
    if call.me is None:
        return named
    peer = "?" if call.peer is None else call.peer
    return f"{named} {call.me}{'->' if call.op == 'send' else '<-'}{peer}"


def _frames(stack: Stack) -> list[dict[str, Any]]:
    return [frame._asdict() for frame in stack[:MOST_FRAMES]]
