"""What is found below a path, what names and first bytes say of it, what is not read and why, what has changed since."""

from __future__ import annotations

import gzip
import os
import pickle
import socket
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logtui.parsers.errors import NothingToRead, PathMissing, PathUnreadable
from logtui.parsers.files import zstd
from logtui.parsers.files.discover import (
    HEAD_BYTES,
    LogChanges,
    Sniffed,
    changes_since,
    discover,
    look,
    read_name,
    sniff,
)
from logtui.parsers.files.listing import list_files
from logtui.parsers.scan.sweep import Sweep
from logtui.parsers.source import Compression, FileKind, NameHints

as_user = pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")


def _tree(top: Path, *names: str, text: str = "loss 2.31\n") -> Path:
    for name in names:
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return top


def _names(*paths: Path) -> list[str]:
    return [f.name for f in discover(paths).files]


def test_numbers_sort_as_numbers(tmp_path: Path) -> None:
    _tree(tmp_path, "rank10.log", "rank2.log", "rank1.log")
    assert _names(tmp_path) == ["rank1.log", "rank2.log", "rank10.log"]


def test_names_are_relative_to_the_directory_given(tmp_path: Path) -> None:
    _tree(tmp_path / "logs", "none_ab12/attempt_0/3/stderr.log", "a.log")
    assert _names(tmp_path / "logs") == ["a.log", "none_ab12/attempt_0/3/stderr.log"]


def test_a_file_is_named_as_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _tree(tmp_path, "logs/a.log", "logs/b.log")
    monkeypatch.chdir(tmp_path)
    assert _names(Path("logs/b.log")) == ["logs/b.log"]


def test_several_directories_stay_apart(tmp_path: Path) -> None:
    _tree(tmp_path, "workers/a.log", "storage/a.log")
    assert _names(tmp_path / "workers", tmp_path / "storage") == ["workers/a.log", "storage/a.log"]


def test_directories_of_one_name_stay_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _tree(tmp_path, "day1/logs/a.log", "day2/logs/a.log")
    monkeypatch.chdir(tmp_path)
    assert _names(Path("day1/logs"), Path("day2/logs")) == ["day1/logs/a.log", "day2/logs/a.log"]


def test_indexes_count_the_files(tmp_path: Path) -> None:
    _tree(tmp_path, "a.log", "b/c.log", "d.log")
    assert [f.index for f in discover([tmp_path]).files] == [0, 1, 2]


def test_facts_of_a_file(tmp_path: Path) -> None:
    _tree(tmp_path, "error-4821-7.out")
    (file,) = discover([tmp_path]).files
    info = (tmp_path / "error-4821-7.out").stat()
    assert (file.size, file.mtime, file.inode) == (info.st_size, info.st_mtime, info.st_ino)
    assert (file.kind, file.compression, file.hints.node) == (FileKind.WORKER, Compression.NONE, 7)


@pytest.mark.parametrize("folder", [".git", "__pycache__", ".venv", "node_modules", "wandb"])
def test_folders_that_hold_no_logs(tmp_path: Path, folder: str) -> None:
    _tree(tmp_path, "a.log", f"{folder}/b.log")
    assert _names(tmp_path) == ["a.log"]


NEWEST = "wandb/run-20260102_030405-a7/files/output.log"


def test_what_a_tracker_keeps_of_the_newest_run(tmp_path: Path) -> None:
    _tree(tmp_path, "a.log", "wandb/run-20260101_030405-b7/files/output.log", NEWEST, "wandb/debug.log")
    (tmp_path / NEWEST).write_text("the program's own words, which are nowhere else\n")
    found = discover([tmp_path])
    assert [f.name for f in found.files] == ["a.log", NEWEST]
    assert [u.why for u in found.unread] == ["of an older run than the newest"]


def test_a_tracker_s_copy_of_another_file(tmp_path: Path) -> None:
    _tree(tmp_path, "a.log", NEWEST)
    said = "".join(f"the program's own words, number {n}\n" for n in range(9))
    (tmp_path / "a.log").write_text("sourced /etc/profile\n" + said)
    (tmp_path / NEWEST).write_text(said)
    found = discover([tmp_path])
    assert [f.name for f in found.files] == ["a.log"]
    assert [u.why for u in found.unread] == ["a tracker's copy of a.log"]
    assert _names(tmp_path / NEWEST) == [str(tmp_path / NEWEST)]


@pytest.mark.parametrize(
    ("said", "read"),
    [("step 57 loss 5.7\n", True), ("2026-01-02 03:04:05 step 57\n", False), ("Fri Jan  2 03:04:05 2026\n", False)],
    ids=["nobody tells a time", "it is told", "as the shell's date"],
)
def test_a_tracker_s_own_log_where_nobody_else_tells_a_time(said: str, read: bool, tmp_path: Path) -> None:
    own = NEWEST.replace("files/output.log", "logs/debug.log")
    _tree(tmp_path, "a.log", own)
    (tmp_path / "a.log").write_text(said)
    assert (own in [f.name for f in discover([tmp_path]).files]) is read


def test_a_pipe_where_a_tracker_keeps_its_output(tmp_path: Path) -> None:
    _tree(tmp_path, "a.log")
    (tmp_path / NEWEST).parent.mkdir(parents=True)
    os.mkfifo(tmp_path / NEWEST)
    assert _names(tmp_path) == ["a.log"]


def test_odd_files_are_counted_with_their_reason(tmp_path: Path) -> None:
    _tree(tmp_path, "a.log")
    (tmp_path / "empty.log").touch()
    (tmp_path / "model.pt").write_bytes(b"PK\x03\x04")
    (tmp_path / "gone.log").symlink_to(tmp_path / "nowhere")
    (tmp_path / "me.log").symlink_to(tmp_path / "me.log")
    os.mkfifo(tmp_path / "pipe.log")
    found = discover([tmp_path])
    assert {u.file: u.why for u in found.unread} == {
        "empty.log": "empty",
        "gone.log": "No such file or directory",
        "me.log": "Too many levels of symbolic links",
        "model.pt": "a zip archive, not a log",
        "pipe.log": "a named pipe, not a file",
    }
    assert [f.name for f in found.files] == ["a.log"]


def test_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _tree(tmp_path, "a.log")
    monkeypatch.chdir(tmp_path)  # the address of a socket is at most 108 bytes
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s.log")
        assert [(u.file, u.why) for u in discover([tmp_path]).unread] == [("s.log", "a socket, not a file")]


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    _tree(tmp_path, "logs/a.log")
    (tmp_path / "logs/again").symlink_to(tmp_path / "logs", target_is_directory=True)
    assert _names(tmp_path / "logs") == ["a.log"]


def test_a_link_given_is_followed(tmp_path: Path) -> None:
    _tree(tmp_path, "logs/a.log")
    (tmp_path / "latest").symlink_to(tmp_path / "logs", target_is_directory=True)
    assert _names(tmp_path / "latest") == ["a.log"]


def test_the_same_file_twice_is_read_once(tmp_path: Path) -> None:
    _tree(tmp_path, "a.log", "b.log")
    (tmp_path / "latest.log").symlink_to(tmp_path / "b.log")
    found = discover([tmp_path, tmp_path / "a.log"])
    assert sorted(Path(f.name).name for f in found.files) == ["a.log", "b.log"]
    assert sorted(u.why for u in found.unread) == [f"the same file as {tmp_path.name}/{n}.log" for n in "ab"]


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    _tree(tmp_path, "a.log")
    raw = os.path.join(os.fsencode(tmp_path), b"\x1b[31mrank\xff.log")  # noqa: PTH118 - a name in bytes
    with open(raw, "wb") as file:  # noqa: PTH123
        file.write(b"loss 2.31\n")
    assert _names(tmp_path) == ["rank�.log", "a.log"]


def test_a_missing_path(tmp_path: Path) -> None:
    with pytest.raises(PathMissing) as caught:
        discover([tmp_path / "gone"])
    assert caught.value.path == tmp_path / "gone"


@pytest.mark.parametrize("names", [(), ("model.pt",)], ids=["empty", "no log among them"])
def test_nothing_to_read_says_what_was_looked_for(tmp_path: Path, names: tuple[str, ...]) -> None:
    for name in names:
        (tmp_path / name).write_bytes(b"PK\x03\x04")
    with pytest.raises(NothingToRead, match="looked for worker logs"):
        discover([tmp_path])


@as_user
def test_a_folder_that_may_not_be_listed(tmp_path: Path) -> None:
    _tree(tmp_path, "a.log", "closed/b.log")
    (tmp_path / "closed").chmod(0)
    try:
        assert [u.file for u in discover([tmp_path]).unread] == ["closed"]
        with pytest.raises(PathUnreadable):
            discover([tmp_path / "closed"])
    finally:
        (tmp_path / "closed").chmod(0o700)


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _tree(tmp_path, "a.log", "b.log")
    opened = os.open

    def closed(path: Path, flags: int) -> int:
        """Deny one file, also to root."""
        if Path(path).name == "b.log":
            raise PermissionError(13, "Permission denied")
        return opened(path, flags)

    monkeypatch.setattr(os, "open", closed)
    assert [(u.file, u.why) for u in discover([tmp_path]).unread] == [("b.log", "Permission denied")]


class Dying(Executor):
    """Takes so many files, then none any more."""

    def __init__(self, takes: int) -> None:
        self._takes = takes

    def map(self, fn: Any, *iterables: Any, timeout: float | None = None, chunksize: int = 1) -> Iterator[Any]:
        if not self._takes:
            raise BrokenExecutor
        return self._some(fn, *iterables)

    def _some(self, fn: Any, files: list[Any]) -> Iterator[Any]:
        assert all(file.path.is_absolute() for file in files)
        yield from map(fn, files[: self._takes])
        raise BrokenExecutor


@pytest.mark.parametrize("elsewhere", [ThreadPoolExecutor(2), Dying(0), Dying(2)], ids=["whole", "dead", "dying"])
def test_files_looked_at_elsewhere_are_the_same(
    elsewhere: Executor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _tree(tmp_path / "logs", "a.log", "b/c.log", "d.log")
    (tmp_path / "logs" / "again.log").hardlink_to(tmp_path / "logs" / "a.log")
    (tmp_path / "logs" / "empty.log").touch()
    monkeypatch.chdir(tmp_path)
    paths = [Path("logs")]
    with elsewhere:
        assert discover(paths, look(list_files(paths), elsewhere)) == discover(paths)


NAMES = (
    ("train.log", NameHints()),
    ("error-4821-7.out", NameHints(job="4821", node=7, stream="stderr")),
    ("output-4821-7.out", NameHints(job="4821", node=7, stream="stdout")),
    ("logs/error-4821-15.out", NameHints(job="4821", node=15, stream="stderr")),
    ("log-20251120-031500.log", NameHints()),  # a date and a time of day
    ("slurm-4821.out", NameHints(job="4821")),
    ("slurm-4821_3.out", NameHints(job="4821")),
    ("pretrain-4821-12.err", NameHints(job="4821", task=12, stream="stderr")),
    ("rank57.log", NameHints(rank=57)),
    ("rank_57.txt", NameHints(rank=57)),
    ("rank-57/stderr.log", NameHints(rank=57, stream="stderr")),
    ("job_rank57_node007.log", NameHints(rank=57)),
    ("global_rank57.log", NameHints(rank=57)),
    ("log-rank57.txt", NameHints(rank=57)),
    ("logs-rank57.txt", NameHints(rank=57)),
    ("nemo_log_globalrank-57_localrank-1.txt", NameHints(rank=57, local_rank=1)),
    ("local_rank3.log", NameHints(local_rank=3)),
    ("none_ab12cd/attempt_0/3/stderr.log", NameHints(attempt=0, local_rank=3, stream="stderr")),
    ("none_ab12cd/attempt_2/11/filtered_stdout.log", NameHints(attempt=2, local_rank=11, stream="stdout")),
    ("node-7.log", NameHints(node=7)),
    ("worker_3.txt", NameHints(node=3)),
    ("dmesg-node007.txt", NameHints(host="node007")),
    ("kernel.gpu-12.log", NameHints(host="gpu-12")),
    ("error-4821-7.out.gz", NameHints(job="4821", node=7, stream="stderr")),
    ("rank57.log.1", NameHints(rank=57)),
    ("log/workerlog.5", NameHints(local_rank=5)),
    ("rank57.log.2.zst", NameHints(rank=57)),
    ("pretrain-worker-2.log", NameHints(host="pretrain-worker-2")),
    ("log/workerlog.7", NameHints(local_rank=7)),
    ("frank7.log", NameHints()),
    ("ranked-list.txt", NameHints()),
    ("lora-rank16-alpha32/train.log", NameHints()),
)


@pytest.mark.parametrize(("name", "hints"), NAMES, ids=[n for n, _ in NAMES])
def test_names(name: str, hints: NameHints) -> None:
    assert read_name(name) == hints


@given(st.text(max_size=80))
def test_any_name_is_survived(name: str) -> None:
    read_name(name)


NONE, GZIP, ZSTD = Compression.NONE, Compression.GZIP, Compression.ZSTD

KINDS = (
    ("worker", "train.log", b"[rank57]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:683] x\n", FileKind.WORKER),
    ("plain text", "notes.txt", b"epoch 1 loss 2.31\n", FileKind.WORKER),
    ("uptime", "node007.log", b"[ 1622.172326] NVRM: Xid (PCI:0000:1b:00): 79, pid=4242, x\n", FileKind.KERNEL),
    ("syslog", "messages", b"Nov 21 04:12:09 node007 kernel: nvidia-uvm: Loaded\n", FileKind.KERNEL),
    ("dmesg -T", "out.txt", b"[Fri Nov 21 04:12:09 2025] NVRM: loading\n", FileKind.KERNEL),
    ("a logger's ctime", "client_1.log", b"[Fri Nov 21 04:12:09 2025] [INFO] reads\n" * 3, FileKind.WORKER),
    ("kernel by name", "dmesg-node007.txt", b"nothing of note\n", FileKind.KERNEL),
    ("kernels that are measured", "kernel_profile.log", b"adamw_kernel | 0.0021\n", FileKind.WORKER),
    ("a kernel's log by its name", "kernel.log", b"2031-02-03T04:05:06 node007 kernel: x\n", FileKind.KERNEL),
    ("events", "kubectl.txt", b"LAST SEEN   TYPE     REASON\n3m   Warning  Evicted\n", FileKind.EVENTS),
    ("pods", "pods.txt", b"NAME        READY   STATUS\ntrainer-0   0/1     Error\n", FileKind.EVENTS),
    ("a described pod", "pod.txt", b"x\nName:         trainer-0\nNamespace:    ml\n", FileKind.EVENTS),
    ("a name among settings", "train.log", b"Job\nName:  yolo57\nEpochs: 50\n", FileKind.WORKER),
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
    data = {NONE: data, GZIP: gzip.compress(data), ZSTD: zstd.compress(data)}[packed]
    assert _sniff(tmp_path, name, data, packed) == Sniffed(kind)


REFUSED = (
    ("program", b"\x7fELF\x02\x01\x01", "a program, not a log"),
    ("zip or checkpoint", b"PK\x03\x04\x00\x00", "a zip archive, not a log"),
    ("picture", b"\x89PNG\r\n\x1a\n", "a picture, not a log"),
    ("database", b"SQLite format 3\0", "a database, not a log"),
    ("array", b"\x93NUMPY\x01\0", "an array, not a log"),
    (
        "packed without saying so",
        gzip.compress(b"loss 2.31\n"),
        "packed, but its name does not say how: .gz, .zst, .bz2 and .xz are read",
    ),
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


@pytest.mark.parametrize(
    ("packed", "data"),
    [(GZIP, b"no gzip"), (ZSTD, b"no zstd"), (GZIP, gzip.compress(b"x")[:8])],
    ids=["no gzip", "no zstd", "cut gzip"],  # the time stands in the third: each process would name it otherwise
)
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


def test_each_way_a_file_can_change(tmp_path: Path) -> None:
    for name in ("grows", "stays", "shrinks", "rotates", "goes"):
        (tmp_path / f"{name}.log").write_text("step 1\n" * 9)
    (tmp_path / "fills.log").touch()
    (tmp_path / "program.log").write_bytes(b"\x7fELF" + bytes(99))
    case = Sweep(discover([tmp_path])).case()
    assert not changes_since([tmp_path], case)

    with (tmp_path / "grows.log").open("a") as log:
        log.write("step 2\n")
    (tmp_path / "shrinks.log").write_text("step 1\n")
    (tmp_path / "rotates.log").rename(tmp_path.parent / "old.log")
    (tmp_path / "rotates.log").write_text("step 1\n" * 9)
    (tmp_path / "goes.log").unlink()
    (tmp_path / "fills.log").write_text("step 1\n")
    (tmp_path / "later.log").write_text("step 1\n")
    assert changes_since([tmp_path], case) == LogChanges(grown=1, bytes=7, new=2, replaced=2, gone=1)


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.log").write_text("step 1\n")
    case = Sweep(discover([tmp_path / "logs"])).case()
    (tmp_path / "logs" / "a.log").unlink()
    (tmp_path / "logs").rmdir()
    with pytest.raises(PathMissing):
        changes_since([tmp_path / "logs"], case)
