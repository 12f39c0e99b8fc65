"""The short form of `make torture`: hostile inputs of every kind, none of which ends, stalls or speaks through it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import hostile
import mutations
import pytest
import torture

from logtui.tui import cli


def _in_a_process_of_one_thread(*arguments: str) -> subprocess.CompletedProcess[str]:
    """It forks."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize("seed", [99, 304])
def test_hostile_inputs(seed: int) -> None:
    """Ten cases, some of each kind."""
    run = _in_a_process_of_one_thread(torture.__file__, "--cases", "10", "--seed", str(seed))
    assert (run.returncode, run.stderr) == (0, "")
    assert all(name in run.stdout for name, kind in hostile.KINDS.items() if kind.share), run.stdout


@pytest.mark.parametrize("kind", [name for name, kind in hostile.KINDS.items() if not kind.share])
def test_hostile_inputs_that_are_asked_for(kind: str) -> None:
    run = _in_a_process_of_one_thread(torture.__file__, "--cases", "6", "--only", kind)
    assert (run.returncode, run.stderr) == (0, "")
    assert f"6 {kind}" in run.stdout


ENDINGS = """
import json, os, torture
endings = (lambda: [], lambda: ["odd"], lambda: 1 / 0, lambda: os.kill(os.getpid(), 9), lambda: bytearray(8 << 30))
print(json.dumps([torture.apart(ending).wrong for ending in endings]))
"""


def test_how_a_case_ends_is_noticed() -> None:
    run = _in_a_process_of_one_thread("-c", ENDINGS)
    well, odd, raised, killed, too_large = json.loads(run.stdout)
    assert (well, odd, killed) == ([], ["odd"], ["ended with status -9"])
    assert raised[0].startswith("ZeroDivisionError: division by zero at ")
    assert too_large[0].startswith("MemoryError")


def test_what_must_not_be_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("x")
    unread = '{"coverage": {"files": 0, "files_unread": [], "bytes": 0}}'
    assert list(torture._wrong(1, unread, "", tmp_path)) == [
        "1 files, of which 0 are read and 0 are not",
        "1 bytes, of which 0 are read",
    ]
    assert list(torture._wrong(0, "", "", tmp_path)) == ["exit status 0 with 0 characters"]
    assert any("\\x1b" in what for what in torture._wrong(2, "", "\x1b[31m", tmp_path))
    assert list(torture._wrong(2, "", f"logtui: {cli.PLEASE_REPORT}: x", tmp_path))


@pytest.mark.parametrize("mutation", mutations.MUTATIONS, ids=lambda m: m.__name__)
def test_a_case_is_told_by_its_number(mutation: mutations.Bytes) -> None:
    data = b"".join(b"2026-01-02 03:04:05 step %d loss 2.31\n" % step for step in range(50))
    once, again = (mutation(Random(7), data) for _ in range(2))
    assert once == again != data
