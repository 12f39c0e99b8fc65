"""What is found below a path, what is not read, and why."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from logtui.parsers.errors import NothingToRead, PathMissing, PathUnreadable
from logtui.parsers.files.discover import discover, look
from logtui.parsers.files.listing import list_files
from logtui.parsers.source import Compression, FileKind

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
