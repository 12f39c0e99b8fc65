"""The installed command from outside: what scripts and pipes see."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tiny_job import write_tiny_job


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """The logs of a job that failed."""
    return write_tiny_job(tmp_path / "logs")


def _logtui(*arguments: object, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "logtui", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", check=False, stdin=subprocess.DEVNULL, cwd=cwd,
        env=os.environ | environment,
    )  # fmt: skip


def test_version_names_what_it_runs_on() -> None:
    run = _logtui("--version")
    assert (run.returncode, run.stderr, run.stdout.count("\n")) == (0, "", 1)
    assert all(word in run.stdout for word in ("logtui", "Python", "scan engine", "formats"))


def test_the_demos_are_listed() -> None:
    run = _logtui("--demo", "list")
    assert run.returncode == 0
    assert run.stdout.startswith("classic ")


def test_a_demo_nobody_wrote() -> None:
    run = _logtui("--demo", "nosuch", "--json")
    assert (run.returncode, run.stdout, run.stderr.count("\n")) == (2, "", 1)
    assert "classic" in run.stderr


def test_a_demo_runs_headless() -> None:
    run = _logtui("--demo", "--json")
    verdict = json.loads(run.stdout)["verdict"]
    assert (run.returncode, run.stderr, verdict["culprit_ranks"]) == (1, "", [57])


def test_without_a_terminal_it_says_what_works(job: Path) -> None:
    run = _logtui(job)
    assert (run.returncode, run.stdout, run.stderr.count("\n")) == (2, "", 1)
    assert "--json" in run.stderr


@pytest.mark.parametrize("jobs", ["0", "-3", "many", "²"])
def test_a_number_of_processes_that_is_none(job: Path, jobs: str) -> None:
    run = _logtui(job, "--json", f"--jobs={jobs}")
    assert (run.returncode, run.stdout) == (2, "")
    assert "at least 1" in run.stderr


def test_a_span_of_time(job: Path) -> None:
    """A time that begins with a sign is no option."""
    run = _logtui(job, "--json", "--since", "-3.5s", "--until", "04:12:15")
    found = json.loads(run.stdout)["coverage"]
    assert (run.stderr, found["lines"], found["files"]) == ("", 4, 1)
    assert found["window"]["files_left_out"] == ["error-4821-0.out"]


@pytest.mark.parametrize(("since", "why"), [("teatime", "no time"), ("16:00", "no line was written since")])
def test_a_span_of_time_that_holds_nothing(job: Path, since: str, why: str) -> None:
    run = _logtui(job, "--json", f"--since={since}")
    assert (run.returncode, run.stdout) == (2, "")
    assert why in run.stderr


def test_json_and_markdown_exclude_each_other(job: Path) -> None:
    assert _logtui(job, "--json", "--markdown").returncode == 2


def test_relative_paths(job: Path) -> None:
    run = _logtui("logs", "--json", cwd=job.parent)
    files = {f for rank in json.loads(run.stdout)["ranks"] for f in rank["files"]}
    assert files == {"error-4821-0.out", "error-4821-1.out"}


def test_markdown_into_a_file(job: Path, tmp_path: Path) -> None:
    run = _logtui(job, "--markdown", "-o", tmp_path / "report.md")
    assert (run.returncode, run.stdout, run.stderr) == (1, "", "")
    assert (tmp_path / "report.md").read_text().startswith("# ")


@pytest.mark.parametrize("flag", ["--json", "--markdown"])
def test_a_saved_report_is_verified_against_its_logs(job: Path, tmp_path: Path, flag: str) -> None:
    saved = tmp_path / "report"
    _logtui(job, flag, "-o", saved)
    assert _logtui("verify", saved, job).returncode == 0
    for log in job.iterdir():
        log.write_text("something else\n")
    drifted = _logtui("verify", saved, job)
    assert (drifted.returncode, drifted.stderr) == (1, "")
    assert "error-4821-" in drifted.stdout


def test_a_reader_that_leaves(job: Path) -> None:
    """`logtui … | head -1` ends without a traceback."""
    code = "import sys; from logtui.tui.cli import main; sys.exit(main(sys.argv[1:]))"
    run = subprocess.Popen(
        [sys.executable, "-c", code, "--demo", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert run.stdout is not None
    assert run.stderr is not None
    run.stdout.close()
    said = run.stderr.read()
    run.stderr.close()
    assert (run.wait(), said) == (2, b"")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_what_is_printed_is_utf_8_wherever_it_runs(job: Path, encoding: str) -> None:
    for flag in ("--json", "--markdown"):
        run = _logtui(job, flag, PYTHONIOENCODING=encoding)
        assert (run.returncode, run.stderr) == (1, "")
    assert "●" in run.stdout or "◐" in run.stdout or "○" in run.stdout
