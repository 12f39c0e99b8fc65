"""What a file is, from its first bytes."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logtui.parsers.errors import PathUnreadable
from logtui.parsers.files.discover import HEAD_BYTES, Sniffed, sniff
from logtui.parsers.source import Compression, FileKind

NONE, GZIP, ZSTD = Compression.NONE, Compression.GZIP, Compression.ZSTD

KINDS = (
    ("worker", "train.log", b"[rank57]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:683] x\n", FileKind.WORKER),
    ("plain text", "notes.txt", b"epoch 1 loss 2.31\n", FileKind.WORKER),
    ("uptime", "node007.log", b"[ 1622.172326] NVRM: Xid (PCI:0000:1b:00): 79, pid=4242, x\n", FileKind.KERNEL),
    ("syslog", "messages", b"Nov 21 04:12:09 node007 kernel: nvidia-uvm: Loaded\n", FileKind.KERNEL),
    ("dmesg -T", "out.txt", b"[Fri Nov 21 04:12:09 2025] NVRM: loading\n", FileKind.KERNEL),
    ("kernel by name", "dmesg-node007.txt", b"nothing of note\n", FileKind.KERNEL),
    ("events", "kubectl.txt", b"LAST SEEN   TYPE     REASON\n3m   Warning  Evicted\n", FileKind.EVENTS),
    ("pods", "pods.txt", b"NAME        READY   STATUS\ntrainer-0   0/1     Error\n", FileKind.EVENTS),
    ("scheduler by name", "slurmctld.log", b"[2025-11-21T04:12:09.123] error: Nodes node007 not responding\n",
     FileKind.SCHEDULER),
    ("pickled dump", "fr/trace_5", pickle.dumps({"version": "2.4"}, 2), FileKind.FLIGHT_RECORDER),
    ("json dump", "dump.json", b'{"version": "2.4", "pg_config": {}}', FileKind.FLIGHT_RECORDER),
    ("dump by name, text by content", "fr/notes", b"these are dumps of the second run\n", FileKind.WORKER),
)  # fmt: skip


def _sniff(folder: Path, name: str, data: bytes, packed: Compression = NONE) -> Sniffed:
    path = folder / Path(name).name
    path.write_bytes(data)
    return sniff(path, name, packed)


@pytest.mark.parametrize(("name", "data", "kind"), [k[1:] for k in KINDS], ids=[k[0] for k in KINDS])
@pytest.mark.parametrize("packed", [NONE, GZIP, ZSTD], ids=["plain", "gzip", "zstd"])
def test_kinds(tmp_path: Path, name: str, data: bytes, kind: FileKind, packed: Compression) -> None:
    data = {NONE: data, GZIP: gzip.compress(data), ZSTD: zstandard.compress(data)}[packed]
    assert _sniff(tmp_path, name, data, packed) == Sniffed(kind)


REFUSED = (
    ("program", b"\x7fELF\x02\x01\x01", "a program, not a log"),
    ("zip or checkpoint", b"PK\x03\x04\x00\x00", "a zip archive, not a log"),
    ("picture", b"\x89PNG\r\n\x1a\n", "a picture, not a log"),
    ("database", b"SQLite format 3\0", "a database, not a log"),
    ("array", b"\x93NUMPY\x01\0", "an array, not a log"),
    ("packed without saying so", gzip.compress(b"loss 2.31\n"), "packed, but its name ends neither in .gz nor in .zst"),
    ("random bytes", bytes(range(32)) * 300, "binary, not text"),
    ("nul bytes alone", b"\0" * 5000, "binary, not text"),
)


@pytest.mark.parametrize(("data", "why"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_refused(tmp_path: Path, data: bytes, why: str) -> None:
    assert _sniff(tmp_path, "x.log", data).refused == why


@pytest.mark.parametrize(
    "data",
    [
        "größe 🚀 训练\n".encode(),
        "größe\n".encode("latin-1"),
        b"loss 2.31\n" + b"\0" * 20 + b"loss 2.30\n" * 50,
        b"\x1b[31mError\x1b[0m\n" * 10,
        b" 10%|#\r 20%|##\r" * 100,
        b"x" * (HEAD_BYTES * 2),
    ],
    ids=["utf-8", "latin-1", "some nuls", "colours", "progress bar", "one endless line"],
)
def test_odd_text_is_still_text(tmp_path: Path, data: bytes) -> None:
    assert _sniff(tmp_path, "x.log", data) == Sniffed(FileKind.WORKER)


@pytest.mark.parametrize(("packed", "data"), [(GZIP, b"no gzip"), (ZSTD, b"no zstd"), (GZIP, gzip.compress(b"x")[:8])])
def test_damage_is_told(tmp_path: Path, packed: Compression, data: bytes) -> None:
    assert _sniff(tmp_path, "x.log", data, packed).refused.startswith("damaged: ")


def test_a_packed_log_cut_short_is_still_read(tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(b"loss %d\n" % (n * n) for n in range(50_000)))
    assert _sniff(tmp_path, "x.log.gz", whole[: len(whole) // 2], GZIP) == Sniffed(FileKind.WORKER)


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(PathUnreadable):
        sniff(tmp_path / "gone.log", "gone.log", NONE)


@given(st.binary(max_size=400), st.sampled_from(list(Compression)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_survived(tmp_path: Path, data: bytes, packed: Compression) -> None:
    _sniff(tmp_path, "x.log", data, packed)
