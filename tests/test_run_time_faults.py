"""What fails around a run while it runs: the answer is right, or loudly partial; never wrong in silence."""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from contract import violations
from long_form import times
from tiny_job import write_tiny_job

from logtui.diagnosis.report import json_report
from logtui.diagnosis.report.kept import store
from logtui.diagnosis.session.opening import Options, analyse_whole
from logtui.parsers.scan import dispatcher, plan, sweep, task, workers
from logtui.parsers.scan.cache_files import kept_directory
from logtui.tui import cli
from logtui.tui.screens.export import KINDS, Kind, write_kind
from logtui.tui.screens.session_store import Session, save
from logtui.tui.shared.case_view import CaseView

DEVICE_FULL = Path("/dev/full")


@pytest.fixture
def job(tmp_path: Path) -> Path:
    return write_tiny_job(tmp_path / "logs")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of our own, for small jobs too."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sweep, "LEAST_INDEXED_BYTES", 0)
    monkeypatch.setattr(store, "LEAST_BYTES", 0)
    monkeypatch.setattr(store, "SETTLED_NS", -(10**15))
    return tmp_path / "cache"


def answer(job: Path, **options: Any) -> dict[str, Any]:
    """The report of a run in this process."""
    analysis = analyse_whole([job], Options(**{"jobs": 1, "no_cache": True} | options))
    analysis.case.close()
    report: dict[str, Any] = json.loads(json_report.dumps(analysis.report))
    assert list(violations(report)) == []
    return report


def command(
    *arguments: object, before: Callable[[], object] | None = None, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The command; a variable that is "" is not set."""
    variables = {key: value for key, value in (os.environ | dict(environment or {})).items() if value}
    return subprocess.run(
        [sys.executable, "-m", "logtui", *map(str, arguments)], capture_output=True, encoding="utf-8", check=False,
        stdin=subprocess.DEVNULL, env=variables, preexec_fn=before,
    )  # fmt: skip


def unread(report: dict[str, Any]) -> dict[str, str]:
    return {entry["file"]: entry["why"] for entry in report["coverage"]["files_unread"]}


# -- Workers


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forked workers for small jobs too."""
    monkeypatch.setattr(plan, "UNDIVIDED_BYTES", 64)
    monkeypatch.setattr(plan, "LEAST_CHUNK_BYTES", 64)
    monkeypatch.setattr(dispatcher, "LEAST_BYTES", 0)
    monkeypatch.setattr(workers, "start_method", lambda: "fork")


def _killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _out_of_memory() -> None:
    raise MemoryError


def _really_out_of_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (1 << 20, 1 << 20))
    bytearray(1 << 30)


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("fails", [_killed, _out_of_memory, _really_out_of_memory], ids=lambda f: f.__name__)
def test_a_worker_that_fails_costs_time_alone(
    job: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], fails: Callable[[], None]
) -> None:
    expected, parent, scan = answer(job), os.getpid(), task._scan

    def failing(mine: Any, piece: plan.Piece, cancelled: Any) -> Any:
        if os.getpid() != parent and piece.file.name.endswith("0.out"):
            fails()
        return scan(mine, piece, cancelled)

    monkeypatch.setattr(task, "_scan", failing)
    assert cli.main([str(job), "--json", "--no-cache", "--jobs", "2"]) == 1
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert (report["verdict"], report["coverage"]) == (expected["verdict"], expected["coverage"])
    assert "a worker failed" in err


# -- Logs that change under our hands


def _truncated(path: Path) -> None:
    os.truncate(path, 100)


def _emptied(path: Path) -> None:
    os.truncate(path, 0)


def _rotated(path: Path) -> None:
    path.rename(path.with_suffix(".out.1"))
    path.write_text("step 1 loss 2.31\n")


def _grown(path: Path) -> None:
    with path.open("a") as out:
        out.write("step 901 loss 2.30\nhalf a li")


CHANGES = [_truncated, _emptied, _rotated, Path.unlink, _grown]


@pytest.mark.parametrize("change", CHANGES, ids=lambda c: c.__name__)
@pytest.mark.parametrize("at", [1, 2], ids="before read {}".format)
def test_a_log_that_changes_while_it_is_read(
    job: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], object], at: int
) -> None:
    """What was read is what was there at first, or the file is named as one of which not all was read."""
    expected, path, reads, preadv = answer(job), job / "error-4821-1.out", 0, os.preadv
    inode = path.stat().st_ino

    def counting(descriptor: int, *arguments: Any) -> int:
        nonlocal reads
        reads += os.fstat(descriptor).st_ino == inode
        if reads == at:
            reads += 1
            change(path)
        return preadv(descriptor, *arguments)

    monkeypatch.setattr(os, "preadv", counting)
    report = answer(job)
    assert reads > at, "it was changed"
    if unread(report):
        assert unread(report) == {path.name: "shrank while it was read"}
        assert report["verdict"]["confidence"] == "low"
    else:
        assert report["verdict"] == expected["verdict"]
        assert report["coverage"]["lines"] == expected["coverage"]["lines"]


@pytest.mark.parametrize("change", CHANGES, ids=lambda c: c.__name__)
def test_a_log_that_changes_while_its_case_is_open(job: Path, change: Callable[[Path], object]) -> None:
    analysis = analyse_whole([job], Options(no_cache=True))
    path = job / "error-4821-1.out"
    (file,) = [f.index for f in analysis.case.files if f.name == path.name]
    whole = "\n".join(analysis.case.lines(file, 1, 99))
    change(path)
    now = "\n".join(analysis.case.lines(file, 1, 99))
    assert whole.startswith(now) or now == whole + "\nstep 901 loss 2.30\nhalf a li"
    analysis.case.close()
    there = path.read_text().rstrip("\n") if path.exists() else ""
    assert "\n".join(analysis.case.lines(file, 1, 99)) == there
    analysis.case.close()


# -- Disks that are full, and folders that cannot be written


@pytest.mark.skipif(not DEVICE_FULL.exists(), reason="Linux has it")
@pytest.mark.parametrize("arguments", [["LOGS", "--json"], ["--version"], ["report", "LOGS"]])
def test_output_to_a_full_disk(job: Path, arguments: Sequence[str]) -> None:
    given = [str(job) if a == "LOGS" else a for a in arguments]
    with DEVICE_FULL.open("w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "logtui", *given], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert run.returncode == 2
    assert run.stderr == "logtui: the output could not be written: No space left on device\n"


@pytest.mark.skipif(not DEVICE_FULL.exists(), reason="Linux has it")
def test_a_report_or_a_case_for_a_full_disk(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([str(job), "--json", "-o", str(DEVICE_FULL)]) == 2
    assert cli.main([str(job), "--case", str(DEVICE_FULL)]) == 2
    assert capsys.readouterr().err.count("\n") == 2
    assert DEVICE_FULL.is_char_device(), "not replaced by a case file"


def _few_bytes() -> None:
    """A disk with room for a kilobyte per file."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))


SMALL = """
import sys
from logtui.diagnosis.report.kept import store
from logtui.parsers.scan import sweep
from logtui.tui import cli
sweep.LEAST_INDEXED_BYTES = store.LEAST_BYTES = 0
store.SETTLED_NS = -10**15
sys.exit(cli.main(sys.argv[1:]))
"""


def test_a_full_disk_costs_the_cache_alone(job: Path, kept: Path, tmp_path: Path) -> None:
    expected = json_report.dumps(analyse_whole([job], Options(no_cache=True)).report) + "\n"
    run = subprocess.run(
        [sys.executable, "-c", SMALL, str(job), "--json"], capture_output=True, text=True, check=False, preexec_fn=_few_bytes
    )  # fmt: skip
    assert (run.returncode, run.stdout, run.stderr) == (1, expected, "")
    assert list(kept_directory().iterdir()) == []
    case = tmp_path / "job.tar.zst"
    run = command(job, "--case", case, before=_few_bytes)
    assert (run.returncode, run.stderr) == (2, f"logtui: {case}: File too large\n")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cache", "logs"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own with room for 8 KB; without the right to mount one, what limits sizes of files must do."""
    path = tmp_path / "disk"
    path.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", path], capture_output=True, check=False
    ).returncode:
        pytest.skip("no right to mount a small disk here")
    yield path
    subprocess.run(["umount", "--lazy", path], check=True)


@pytest.mark.skipif(not shutil.which("mount"), reason="no mount here")
def test_a_small_disk_costs_what_was_to_lie_on_it(job: Path, small_disk: Path) -> None:
    """Cache and temporary files: nothing. A report, a case file: status 2, one sentence, and no half of a file."""
    (small_disk / "full").write_bytes(b"x" * 6000)
    kept = {f"XDG_{what}_HOME": str(small_disk / what) for what in ("CACHE", "STATE")} | {"TMPDIR": str(small_disk)}
    expected = json_report.dumps(analyse_whole([job], Options(no_cache=True)).report) + "\n"
    variables = os.environ | kept
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", SMALL, str(job), "--json"], capture_output=True, text=True, check=False, env=variables
        )  # fmt: skip
        assert (run.returncode, run.stdout, run.stderr) == (1, expected, "")
    for arguments in (["--json", "-o"], ["--case"]):
        run = command(job, *arguments, small_disk / "report", environment=kept)
        assert (run.returncode, run.stderr) == (2, f"logtui: {small_disk / 'report'}: No space left on device\n")
    assert [path.name for path in small_disk.rglob("*") if path.is_file()] == ["full"]


@pytest.mark.skipif(not shutil.which("mount"), reason="no mount here")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.words)
def test_nothing_stays_of_what_the_screen_could_not_write(job: Path, small_disk: Path, kind: Kind) -> None:
    analysis = analyse_whole([job], Options(no_cache=True))
    (small_disk / "full").write_bytes(b"x" * 8192)
    with pytest.raises(OSError, match="No space left"):
        write_kind(small_disk, kind, CaseView(analysis.report, analysis.case), ())
    save(small_disk / "session.json", Session(search="loss" * 4000))
    analysis.case.close()
    assert [path.name for path in small_disk.iterdir()] == ["full"]


NOWHERE = "/proc/no/such/folder"


@pytest.mark.parametrize(
    "environment",
    [{"HOME": "", "TERM": "dumb"}, {"HOME": "/dev/null", "LANG": "C", "LC_ALL": "C"},
     {"HOME": NOWHERE, "TMPDIR": NOWHERE, "TERM": "", "PATH": "", "LC_ALL": "POSIX"}],
    ids=lambda e: " ".join(f"{k}={v}" for k, v in e.items()),
)  # fmt: skip
def test_an_environment_that_lacks_something(job: Path, environment: dict[str, str]) -> None:
    own = dict.fromkeys(("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "PYTHONUTF8"), "")
    (job / "größe.log").write_text("größe → 2.31\n")
    run = command(job, "--json", environment=own | environment)
    assert (run.returncode, run.stderr) == (1, "")
    assert json.loads(run.stdout) == answer(job)


@pytest.mark.parametrize("closed", [(1,), (2,), (0, 1, 2)], ids=str)
def test_standard_streams_that_are_closed(job: Path, closed: tuple[int, ...], tmp_path: Path) -> None:
    """No message goes into a file that was opened in their place; a report that nobody can get is a failure."""
    out = tmp_path / "out"
    redirections = " ".join(f"{n}{'<' if n == 0 else '>'}&-" for n in closed)
    run = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" -m logtui "$1" --json > "$2" {redirections}', sys.executable, job, out],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if 1 in closed:
        assert (run.returncode, out.read_text()) == (2, "")
        assert 2 in closed or "could not be written" in run.stderr
    else:
        assert (run.returncode, run.stderr) == (1, "")
        assert json.loads(out.read_text())["verdict"]["first_evidence"]["line"] == 6


def test_few_descriptors(tmp_path: Path) -> None:
    """A job of more files than may be open, with workers."""
    job = write_tiny_job(tmp_path / "logs")
    for n in range(300):
        (job / f"rank{n}.log").write_text(f"step {n} loss 2.31\n")
    limit = (256, 256)
    run = command(job, "--json", "--jobs", "2", before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limit))
    report = json.loads(run.stdout)
    assert (run.stderr, unread(report), report["coverage"]["files"]) == ("", {}, 302)


# -- Others on the same cache, and clocks that are wrong


def _starts(job: Path, results: Any) -> None:
    try:
        results.put([json_report.dumps(analyse_whole([job], Options(jobs=1)).report) for _ in range(2)])
    except BaseException as error:
        results.put([repr(error)])


@pytest.mark.usefixtures("kept")
def test_many_starts_at_once_on_one_cache(job: Path) -> None:
    expected = json_report.dumps(analyse_whole([job], Options(no_cache=True)).report)
    context, count = multiprocessing.get_context("fork"), times(16, 50)
    results = context.SimpleQueue()
    started = [context.Process(target=_starts, args=(job, results)) for _ in range(count)]
    for process in started:
        process.start()
    found = [results.get() for _ in started]
    for process in started:
        process.join()
    assert found == [[expected, expected]] * count
    assert sorted(p.suffix for p in kept_directory().iterdir()) == [".index", ".report"]


@pytest.fixture(params=[-(10**9), 10**9], ids=["set back", "set forward"])
def other_clock(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The system's clock, thirty years off."""
    now, now_ns, by = time.time, time.time_ns, request.param
    monkeypatch.setattr(time, "time", lambda: now() + by)
    monkeypatch.setattr(time, "time_ns", lambda: now_ns() + by * 10**9)
    yield


@pytest.mark.usefixtures("kept", "other_clock")
def test_a_clock_that_is_set_back_changes_no_answer(job: Path) -> None:
    expected = answer(job)
    assert [answer(job, no_cache=False) for _ in range(2)] == [expected] * 2
    with (job / "error-4821-1.out").open("a") as out:
        out.write("[rank5]: torch.OutOfMemoryError: CUDA out of memory.\n")
    assert answer(job, no_cache=False) == answer(job) != expected


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("at", [0, 10**10], ids=["1970", "2286"])
def test_logs_from_another_time(job: Path, at: int) -> None:
    expected = answer(job)
    for path in job.iterdir():
        os.utime(path, (at, at))
    found = [answer(job, no_cache=False) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0]["verdict"]["title"] == expected["verdict"]["title"]
