"""Whatever lies in the folder: a message or a count, never a crash, and the rest is read."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from contract import against_schema, violations
from tiny_job import node_text, write_tiny_job

from logtui.parsers.files import zstd
from logtui.tui.cli import main

Run = Callable[..., tuple[int, str, str]]
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e]")


@pytest.fixture
def logtui(capsys: pytest.CaptureFixture[str]) -> Run:
    """The command in this process: exit status, stdout, stderr; no output may hold a control character."""

    def run(*arguments: object) -> tuple[int, str, str]:
        try:
            status = main([str(a) for a in arguments])
        except SystemExit as left:
            status = int(left.code or 0)
        out, err = capsys.readouterr()
        assert CONTROL.search(out + err) is None
        return status, out, err

    return run


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """A folder with a whole job; tests lay something odd beside it."""
    return write_tiny_job(tmp_path / "logs")


def _report(logtui: Run, *arguments: object) -> dict[str, Any]:
    status, out, err = logtui(*arguments, "--json")
    assert (status, err) == (1, "")
    report: dict[str, Any] = json.loads(out)
    assert list(violations(report)) == []
    assert against_schema(report) == []
    return report


def _unread(report: dict[str, Any]) -> dict[str, str]:
    return {entry["file"]: entry["why"] for entry in report["coverage"]["files_unread"]}


class TestNothingToRead:
    def test_a_missing_path(self, logtui: Run, tmp_path: Path) -> None:
        missing = tmp_path / "gone"
        assert logtui(missing, "--json") == (2, "", f"logtui: {missing}: no such file or directory\n")

    def test_an_empty_directory(self, logtui: Run, tmp_path: Path) -> None:
        status, out, err = logtui(tmp_path, "--json")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "looked for worker logs" in err

    def test_a_directory_without_logs(self, logtui: Run, tmp_path: Path) -> None:
        (tmp_path / "weights.pt").write_bytes(b"PK\x03\x04")
        (tmp_path / "a.out").write_bytes(b"\x7fELF\x02")
        status, out, err = logtui(tmp_path, "--markdown")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "2 files seen" in err
        assert "looked for worker logs" in err

    def test_an_empty_file(self, logtui: Run, tmp_path: Path) -> None:
        (tmp_path / "a.log").touch()
        status, out, err = logtui(tmp_path / "a.log", "--json")
        assert (status, out, err.count("\n")) == (2, "", 1)

    @pytest.mark.parametrize("flag", ["--json", "--markdown"])
    def test_a_name_that_acts_on_terminals(self, logtui: Run, tmp_path: Path, flag: str) -> None:
        status, out, err = logtui(tmp_path / "\x1b]0;owned\x07\x1b[31mgone\nsecond line", flag)
        assert (status, out, err.count("\n")) == (2, "", 1)

    def test_no_path(self, logtui: Run) -> None:
        status, out, err = logtui("--json")
        assert (status, out) == (2, "")
        assert "PATH" in err

    def test_an_output_that_cannot_be_written(self, logtui: Run, job: Path, tmp_path: Path) -> None:
        status, out, err = logtui(job, "--json", "-o", tmp_path / "no/such/folder.json")
        assert (status, out, err.count("\n")) == (2, "", 1)


def _write(data: bytes) -> Callable[[Path], object]:
    def write(path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    return write


WHOLE = gzip.compress(b"".join(b"step %d loss %d\n" % (n, n * n % 1009) for n in range(5_000)))
REFUSED: tuple[tuple[str, str, Callable[[Path], object], str], ...] = (
    ("empty", "x.log", _write(b""), "empty"),
    ("binary", "x.log", _write(bytes(range(32)) * 400), "binary, not text"),
    ("program", "x", _write(b"\x7fELF\x02\x01"), "a program, not a log"),
    ("checkpoint", "x.pt", _write(b"PK\x03\x04\x08"), "a zip archive, not a log"),
    ("no gzip", "x.log.gz", _write(b"not packed at all\n"), "damaged: "),
    ("cut gzip", "x.log.gz", _write(WHOLE[:-500]), "damaged: "),
    ("cut zstd", "x.log.zst", _write(zstd.compress(b"loss 2.31\n" * 9)[:-4]), "damaged: "),
    ("pipe", "x.log", os.mkfifo, "a named pipe, not a file"),
    ("dangling link", "x.log", lambda p: p.symlink_to("nowhere"), "No such file"),
    ("link to itself", "x.log", lambda p: p.symlink_to(p), "Too many levels of symbolic links"),
    (
        "second name",
        "x.log",
        lambda p: p.symlink_to(p.parent / "error-4821-0.out"),
        "the same file as error-4821-0.out",
    ),
    ("not a dump", "fr_trace_5", _write(b"\x80\x02garbage"), ""),
)


@pytest.mark.parametrize(("name", "make", "why"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_what_cannot_be_read_is_counted(
    logtui: Run, job: Path, name: str, make: Callable[[Path], object], why: str
) -> None:
    clean = _report(logtui, job)
    make(job / name)
    report = _report(logtui, job)
    assert why in _unread(report)[name]
    assert report["verdict"] == clean["verdict"]


ODD: tuple[tuple[str, str, Callable[[Path], object]], ...] = (
    ("not utf-8", "x.log", _write("größe\n".encode("latin-1") * 5 + bytes(range(128, 256)) + b"\n")),
    ("nul bytes", "x.log", _write(b"loss 2.31\n" + b"\0" * 99 + b"loss 2.30\n" * 50)),
    ("colours", "x.log", _write(b"\x1b[31mloss\x1b[0m \x1b]0;owned\x07 2.31\x1b[2J\n" * 20)),
    ("progress bar", "x.log", _write(b"".join(b"\r %d%%|#" % n for n in range(100)) + b"\n")),
    ("no newline at all", "x.log", _write(b"loss 2.31")),
    ("windows lines", "x.log", _write(b"loss 2.31\r\n" * 9)),
    ("utf-16", "x.log", _write("loss 2.31\n".encode("utf-16") * 9)),
    ("loop of folders", "again", lambda p: p.symlink_to(p.parent, target_is_directory=True)),
    ("name of odd bytes", os.fsdecode(b"\x1b[31mr\xff\n.log"), _write(b"loss 2.31\n")),
    ("deep folders", "a/b/c/d/e/f/x.log", _write(b"loss 2.31\n")),
    ("packed", "x.log.gz", _write(WHOLE)),
)


@pytest.mark.parametrize(("name", "make"), [r[1:] for r in ODD], ids=[r[0] for r in ODD])
@pytest.mark.parametrize("engine", ["hyperscan", "numpy"])
def test_odd_text_changes_no_verdict(
    logtui: Run, job: Path, name: str, make: Callable[[Path], object], engine: str
) -> None:
    clean = _report(logtui, job)
    make(job / name)
    assert _report(logtui, job, "--engine", engine)["verdict"] == clean["verdict"]


def test_a_job_whose_own_lines_are_odd(logtui: Run, tmp_path: Path, job: Path) -> None:
    """Colours, progress bars and NULs in the lines that matter, as terminals and dying file systems leave them."""
    odd = tmp_path / "odd"
    odd.mkdir()
    for node in (0, 1):
        lines = node_text(node).encode().splitlines()
        spoilt = (b"\r 10%|#\r\x1b[1;31m" + line.replace(b" ", b" \x1b[0m", 1) + b"\0\0" for line in lines)
        (odd / f"error-4821-{node}.out").write_bytes(b"\n".join(spoilt) + b"\n")
    verdict, expected = _report(logtui, odd)["verdict"], _report(logtui, job)["verdict"]
    for key in ("class", "title", "confidence", "culprit_ranks"):
        assert verdict[key] == expected[key]


def test_a_cut_archive_gives_what_it_holds(logtui: Run, tmp_path: Path) -> None:
    text = "".join(f"2025-11-21 04:01:09 step {n} loss {n * n % 1009}\n" for n in range(20_000)) + node_text(0)
    packed = gzip.compress(text.encode() + os.urandom(200_000).hex().encode())
    (tmp_path / "error-4821-0.out.gz").write_bytes(packed[: len(packed) - 50_000])
    report = _report(logtui, tmp_path)
    assert "damaged" in _unread(report)["error-4821-0.out.gz"]
    assert report["coverage"]["lines"] > 20_000


def test_a_line_of_100_megabytes(logtui: Run, job: Path) -> None:
    clean = _report(logtui, job)
    with (job / "x.log").open("wb") as file:
        for _ in range(100):
            file.write(b"0123456789abcdef" * (1 << 16))
        file.write(b"\nloss 2.31\n")
    start = monotonic()
    report = _report(logtui, job)
    assert monotonic() - start < 20
    assert report["verdict"] == clean["verdict"]
    assert report["coverage"]["lines"] == clean["coverage"]["lines"] + 2


def _seen(folder: Path) -> dict[str, tuple[int, int, int]]:
    return {
        str(p): (s.st_size, s.st_mtime_ns, s.st_ino) for p in [folder, *sorted(folder.rglob("*"))] if (s := p.lstat())
    }


@pytest.mark.parametrize("flag", ["--json", "--markdown"])
def test_nothing_is_written_beside_the_logs(logtui: Run, job: Path, flag: str) -> None:
    (job / "x.log.gz").write_bytes(WHOLE)
    (job / "y.log.zst").write_bytes(zstd.compress(b"loss 2.31\n" * 9000))
    before = _seen(job)
    assert logtui(job, flag)[0] == 1
    assert _seen(job) == before


def test_a_folder_that_may_not_be_written(logtui: Run, job: Path) -> None:
    job.chmod(0o500)
    try:
        assert _report(logtui, job)
    finally:
        job.chmod(0o700)
