"""Dumps are found by content first; a name alone makes none, and a foreign pickle is none."""

from __future__ import annotations

import json
import os
import pickle
from pathlib import Path

import pytest

from logtui.parsers.files.discover import Sniffed, discover, sniff_head
from logtui.parsers.source import FileKind

ENTRY = {"collective_seq_id": 1, "profiling_name": "nccl:all_reduce", "record_id": 0}
DUMP = {"version": "2.10", "pg_config": {}, "pg_status": {}, "entries": [ENTRY] * 2000}
AS_PICKLE = pickle.dumps(DUMP, 2)
AS_JSON = json.dumps(DUMP, sort_keys=True).encode()
FOREIGN = "a pickle, but not a flight-recorder dump"

CASES = (
    ("dump", "nccl_trace_rank_0", AS_PICKLE, Sniffed(FileKind.FLIGHT_RECORDER)),
    ("any name", "upload/5f3a", AS_PICKLE, Sniffed(FileKind.FLIGHT_RECORDER)),
    ("host in the name", "nccl_trace_rank_container-node02_5", AS_PICKLE, Sniffed(FileKind.FLIGHT_RECORDER)),
    ("bare list of 2.2", "x_0", pickle.dumps([ENTRY], 2), Sniffed(FileKind.FLIGHT_RECORDER)),
    ("packed again with protocol 4", "x_0", pickle.dumps(DUMP, 4), Sniffed(FileKind.FLIGHT_RECORDER)),
    ("torn after the header", "comm_lib_trace_rank_3", b"\x80\x02", Sniffed(FileKind.FLIGHT_RECORDER)),
    ("torn, short name", "_dump_9", b"\x80\x02}(", Sniffed(FileKind.FLIGHT_RECORDER)),
    ("JSON, configuration far behind", "nccl_trace_rank_0.json", AS_JSON, Sniffed(FileKind.FLIGHT_RECORDER)),
    ("JSON, any name", "a.txt", AS_JSON, Sniffed(FileKind.FLIGHT_RECORDER)),
    ("JSON, indented", "a.txt", json.dumps(DUMP, indent=1).encode(), Sniffed(FileKind.FLIGHT_RECORDER)),
    ("JSON without entries", "a.txt", b'{"pg_config":{},"version":"2.10"}', Sniffed(FileKind.FLIGHT_RECORDER)),
    ("JSON list", "a.txt", json.dumps([ENTRY]).encode(), Sniffed(FileKind.FLIGHT_RECORDER)),
    ("foreign pickle", "index/samples.idx", pickle.dumps({"epoch": 3}, 4), Sniffed(FileKind.UNKNOWN, FOREIGN)),
    ("structured log", "train.jsonl", b'{"level": "info", "message": "loss 2.31"}\n', Sniffed(FileKind.WORKER)),
    ("log that speaks of dumps", "train.log", b"pg_config and profiling_name are in the dump\n", Sniffed(FileKind.WORKER)),
    ("deep JSON named as a dump", "nccl_trace_rank_0.json", b'{"version":' + b"[" * 9999, Sniffed(FileKind.FLIGHT_RECORDER)),
    ("bytes named as a dump", "fr/nccl_trace_rank_0", bytes(range(256)) * 9, Sniffed(FileKind.FLIGHT_RECORDER)),
    ("coloured text named as a dump", "fr/nccl_trace_rank_0", b"\x1b[31mNCCL WARN\x1b[0m x\r\n", Sniffed(FileKind.WORKER)),
    ("text named as a dump", "fr/nccl_trace_rank_0", b"collected by hand\n", Sniffed(FileKind.WORKER)),
)  # fmt: skip


@pytest.mark.parametrize(("name", "data", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_recognition(name: str, data: bytes, expected: Sniffed) -> None:
    assert sniff_head(data[: 1 << 16], name) == expected


def test_discovery_of_a_directory_of_dumps(tmp_path: Path) -> None:
    for node in ("node01", "node02"):
        (tmp_path / node).mkdir()
        (tmp_path / node / "nccl_trace_rank_0").write_bytes(AS_PICKLE)
    os.mkfifo(tmp_path / "node01" / "nccl_trace_rank_0.pipe")
    found = discover([tmp_path])
    assert [(file.name, file.kind) for file in found.files] == [
        ("node01/nccl_trace_rank_0", FileKind.FLIGHT_RECORDER),
        ("node02/nccl_trace_rank_0", FileKind.FLIGHT_RECORDER),
    ]
    assert [unread.why for unread in found.unread] == ["a named pipe, not a file"]
