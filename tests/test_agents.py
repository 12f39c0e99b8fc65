"""docs/agents.md stays true: its commands run, on the job that it speaks of."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from logtui.parsers.generator import demo_directory

PAGE = Path(__file__).resolve().parents[1] / "docs" / "agents.md"
STATUS = {"logtui logs/ --json -o report.json": 1, "logtui report logs/ report.json --json-lines": 1}
"""Of commands that name a failure; the others end with 0."""
TOLD = {
    "select(.rank == 57)": "never_entered",
    "group_by(.status)": "waiting 127",
    "first_evidence | ": "error-4821-7.out:153",
    "sed -n": "rank 57 opening shard",
    "{class, title": "data-loading-stall",
    "logtui verify": "still stand",
    "--json-lines": '"recurring"',
}
"""By what a command is known, and what it must say."""


def _commands() -> list[str]:
    blocks = re.findall(r"```\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    return [line.strip() for block in blocks for line in block.splitlines() if line.strip()]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's logs, and `logtui` on the path as this interpreter has it."""
    folder = tmp_path_factory.mktemp("desk")
    demo_directory("classic", folder).rename(folder / "logs")
    command = folder / "bin" / "logtui"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m logtui "$@"\n')
    command.chmod(0o755)
    return folder


def test_the_procedure_runs(desk: Path) -> None:
    has_jq = shutil.which("jq") is not None
    environment = os.environ | {"PATH": f"{desk / 'bin'}:{os.environ['PATH']}"}
    said: dict[str, str] = {}
    for command in _commands():
        if command.startswith("jq") and not has_jq:
            continue
        run = subprocess.run(
            command, shell=True, cwd=desk, env=environment, capture_output=True, text=True, check=False
        )
        assert run.returncode == STATUS.get(command, 0), (command, run.stderr)
        said[command] = run.stdout
    for part, word in TOLD.items():
        found = [text for command, text in said.items() if part in command]
        assert len(found) == 1 or (not has_jq and not found), part
        assert all(word in text for text in found), (part, found)


def test_every_key_that_is_named_is_in_the_schema() -> None:
    schema = (PAGE.parent / "report.schema.json").read_text(encoding="utf-8")
    for command in _commands():
        if command.startswith("jq"):
            keys = set(re.findall(r"(?<![\w\"'])\.([a-z_]+)", command)) - {"json"}
            assert [key for key in keys if f'"{key}"' not in schema] == []
