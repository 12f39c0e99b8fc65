"""The recipes of CONTRIBUTING, followed in a copy of the program: each is one new file of as many lines as it says, and the
real app shows what comes of it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PACKAGES = ("parsers", "diagnosis", "tui")
DRAINED = "2026-02-24 15:09:37 jobwrap: node007 drained for maintenance M-4821"
TRIPPED = "2026-02-24 09:10:11 powerwatch: breaker 4 of node007 tripped"

REFUSED = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/train.py", line 57, in main\n'
    "    batch = store.fetch(57)\n"
    "featstore.errors.BatchRefused: batch 57 of shard 7 is not served"
)

SCREEN = """
import asyncio, sys
from pathlib import Path
from logtui.diagnosis.options import Options
from logtui.tui.app import LogtuiApp

async def show(path, keys):
    app = LogtuiApp([Path(path)], Options(no_cache=True, jobs=1))
    async with app.run_test(size=(160, 40)) as pilot:
        for key in ("", *keys):
            await pilot.press(*[key] if key else [])
            await pilot.pause()
            await app.workers.wait_for_complete()
            await pilot.pause()
        for strip in app.screen._compositor.render_strips():
            print("".join(segment.text for segment in strip))

asyncio.run(show(sys.argv[1], sys.argv[2:]))
"""


VERDICT = """
import sys
from pathlib import Path
from logtui.diagnosis.options import Options
from logtui.diagnosis.session.opening import analyse_whole
from logtui.parsers.pattern_checks import complaints
from logtui.parsers.registry import registry

verdict = analyse_whole([Path(sys.argv[1])], Options(no_cache=True)).report.verdict
print(verdict.rule, verdict.cls, verdict.first_evidence.line)
print([word for declared in registry().formats for word in complaints(declared)])
"""

KINDS = """
from logtui.parsers.exceptions.table import KINDS, kind_of, words_of_line

for kind in KINDS:
    if kind.name == "exception.feature_store":
        (text,) = [sample.text for sample in kind.samples]
        print(kind_of(*words_of_line(*text.split(": ", 1))).name)
"""


class House:
    """A copy of the program that recipes are followed in."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.config = root / "config"
        for package in PACKAGES:
            shutil.copytree(ROOT / package, root / "logtui" / package, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("__init__.py", "__main__.py"):
            shutil.copy(ROOT / ".src/logtui" / name, root / "logtui" / name)

    def follow(self, *headings: str) -> None:
        """Write the one file that each section shows, where it says, and nothing else."""
        for heading in headings:
            path, lines, code = _recipe(heading)
            assert code.count("\n") == lines
            assert not (self.root / path).exists()
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(code, encoding="utf-8")
        assert self._new_files() == sorted(_recipe(heading)[0] for heading in headings)

    def _new_files(self) -> list[str]:
        """Files that the program does not have, or has with another text."""
        found = [path for path in self.root.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        return sorted(str(path.relative_to(self.root)) for path in found if not self._is_ours(path))

    def _is_ours(self, path: Path) -> bool:
        own = ROOT / ".src" / path.relative_to(self.root)
        return own.is_file() and own.read_bytes() == path.read_bytes()

    def run(self, *arguments: str) -> str:
        """Python in this copy; what it prints."""
        places = {"PYTHONPATH": str(self.root), "XDG_CONFIG_HOME": str(self.config)}
        command = [sys.executable, "-W", "ignore", *arguments]
        env = {**os.environ, **places}
        run = subprocess.run(command, capture_output=True, text=True, cwd=self.root, env=env, check=False)
        assert run.returncode in (0, 1), run.stderr[-2000:]
        return run.stdout

    def screen(self, logs: Path, *keys: str) -> str:
        """What the app shows of some logs after some keys."""
        return self.run("-c", SCREEN, str(logs), *keys)


def _recipe(heading: str) -> tuple[str, int, str]:
    """(path in the copy, number of lines as it is told, text) of a section's new file."""
    section = CONTRIBUTING.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    said = re.search(r"One new file,\s`(\S+)`\sof\s(\d+)\slines", section)
    assert said is not None, heading
    (code,) = re.findall(r"```(?:python|toml)\n(.*?)```", section, re.S)
    path = said[1].replace("~/.config", "config") if said[1].startswith("~") else f"logtui/{said[1]}"
    return path, int(said[2]), code


def test_each_recipe_is_one_new_file() -> None:
    headings = re.findall(r"^## (.*)$", CONTRIBUTING, re.M)
    assert {"Add a format", "Add an exception", "Add a rule"} < set(headings)
    for heading in headings:
        if heading.startswith("Add ") or heading == "Formats of your site":
            path, lines, code = _recipe(heading)
            assert (Path(path).suffix, code.count("\n")) in {(".py", lines), (".toml", lines)}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    yield House(tmp_path / "house")
    shutil.rmtree(tmp_path / "house")


def _log(tmp_path: Path, line: str) -> Path:
    path = tmp_path / "train.log"
    path.write_text(f"2026-02-24 09:00:00 step 900 loss 2.31\n{line}\n")
    return path


def test_a_format_and_a_rule(tmp_path: Path, house: House) -> None:
    house.follow("Add a format", "Add a rule")
    log = _log(tmp_path, DRAINED)
    assert house.run("-c", VERDICT, str(log)) == "node-drained infrastructure 2\n[]\n"
    assert "node007 was drained for maintenance M-4821" in house.screen(log)


def test_an_exception(tmp_path: Path, house: House) -> None:
    log = _log(tmp_path, REFUSED)
    assert house.run("-c", VERDICT, str(log)).startswith("first-exception data ")  # it names a shard
    house.follow("Add an exception")
    assert house.run("-c", KINDS) == "exception.feature_store\n"
    assert house.run("-c", VERDICT, str(log)) == "first-exception storage-io 5\n[]\n"
    assert "BatchRefused" in house.screen(log)


def test_a_format_of_a_site(tmp_path: Path, house: House) -> None:
    log = _log(tmp_path, TRIPPED)
    assert "infrastructure" not in house.run("-m", "logtui", "--markdown", "--no-cache", str(log)).split("## Job")[0]
    house.follow("Formats of your site")
    assert "powerwatch of this site" in house.run("-m", "logtui", "--version")
    report = house.run("-m", "logtui", "--markdown", "--no-cache", str(log))
    assert "- formats of this site: powerwatch" in report
    printed = json.loads(house.run("-m", "logtui", "--json", "--no-cache", str(log)))
    assert printed["coverage"]["site_formats"] == ["powerwatch"]
    assert "infrastructure" in report.split("## Job")[0]
    assert "breaker 4 of node007 tripped" in house.screen(log)


def test_a_demo_fault(tmp_path: Path, house: House) -> None:
    house.follow("Add a demo fault")
    assert "quota" in house.run("-m", "logtui", "--demo", "list")
    house.run("-m", "logtui.parsers.generator", str(tmp_path / "job"), "--demo", "quota")
    shown = house.screen(tmp_path / "job")
    assert "Disk quota exceeded" in shown
    assert "rank 5" in shown


@pytest.mark.parametrize(
    ("heading", "key", "wanted"),
    [
        ("Add a pane", "7", ["━ .*4 files │ 7 counts", r"\d  \w+\.\w+"]),
        ("Add a grid mode", "V", [" files ", r"1.one.file.\d+", "files it wrote: 1"]),
    ],
    ids=["pane", "mode"],
)
def test_a_pane_and_a_grid_mode(tmp_path: Path, house: House, heading: str, key: str, wanted: list[str]) -> None:
    house.follow(heading)
    house.run("-m", "logtui.parsers.generator", str(tmp_path / "job"), "--demo", "classic")
    shown = house.screen(tmp_path / "job", key)
    assert [words for words in wanted if not re.search(words, shown)] == [], shown
