"""`logtui -`: logs from a pipe."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from logtui.tui.standard_input import Spool

STEPS = "".join(f"2026-03-05 10:{n:02}:00 INFO rank 0 step {n}/50 loss 2.5\n" for n in range(30))


def run(text: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "logtui", *words], input=text, capture_output=True, text=True, check=False, timeout=120
    )


def test_a_report_on_what_a_pipe_brings() -> None:
    done = run(STEPS + "2026-03-05 10:31:00 INFO training finished\n", "-", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["verdict"]["class"]) == (0, "healthy")
    assert report["verdict"]["first_evidence"] is None and report["timeline"][0]["file"] == "stdin.log"


def test_an_empty_pipe_is_nothing_to_read() -> None:
    done = run("", "-", "--json")
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr


def test_a_pipe_that_fails_is_told(tmp_path: Path) -> None:
    import os

    reading, writing = os.pipe()
    os.write(writing, b"loading\n")
    os.close(writing)
    spool = Spool(reading, tmp_path / "stdin.log")
    spool.wait_for_all()
    assert (tmp_path / "stdin.log").read_bytes() == b"loading\n"
    assert (spool.goes_on, spool.trouble) == (False, "")
    broken = Spool(os.open(tmp_path, os.O_RDONLY), tmp_path / "other.log")
    broken.wait_for_all()
    assert broken.trouble == "Is a directory"
