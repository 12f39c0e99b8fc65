"""What CONTRIBUTING shows for a pane and a grid mode, each put where it says and run in the real app."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from logtui.parsers.generator import demo_directory

ROOT = Path(__file__).resolve().parents[2]

SHOW = """
import asyncio, sys
from pathlib import Path
from logtui.tui.app import LogtuiApp
from logtui.diagnosis.options import Options

async def show(job, keys):
    app = LogtuiApp([Path(job)], Options(jobs=1, no_cache=True))
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(2):
            await pilot.pause()
            await app.workers.wait_for_complete()
        await pilot.press(*keys)
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        print(*(strip.text for strip in app.screen._compositor.render_strips()), sep="\\n")

asyncio.run(show(sys.argv[1], sys.argv[2:]))
"""


def _recipe(heading: str) -> tuple[str, int, str]:
    """(where its file goes, how many lines CONTRIBUTING says that it has, the file) of a section."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = re.split(r"^## ", text.partition(f"## {heading}\n")[2], maxsplit=1, flags=re.M)[0]
    said = re.search(r"`(tui/[\w/]+\.py)` of (\d+) lines", section)
    assert said is not None
    (source,) = re.findall(r"```python\n(.*?)```", section, re.S)
    return said[1], int(said[2]), source


def _checkout(folder: Path) -> Path:
    """A copy of the package, to which a file may be added."""
    package = folder / "logtui"
    package.mkdir()
    for name in ("__init__.py", "__main__.py"):
        shutil.copy(ROOT / ".src/logtui" / name, package)
    for name in ("parsers", "diagnosis"):
        (package / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "tui", package / "tui", ignore=shutil.ignore_patterns("__pycache__"))
    return package


@pytest.mark.parametrize(
    ("heading", "keys", "wanted"),
    [
        ("Add a pane", ["7"], [r"━ .*4 files │ 7 counts", r"\d  \w+\.\w+"]),
        ("Add a grid mode", ["V"], [r" files ", r"1.one.file.\d+", r"files it wrote: 1"]),
    ],
    ids=["pane", "mode"],
)
def test_one_new_file_is_all_it_takes(tmp_path: Path, heading: str, keys: list[str], wanted: list[str]) -> None:
    path, lines, source = _recipe(heading)
    assert source.count("\n") == lines
    (_checkout(tmp_path) / path).write_text(source, encoding="utf-8")
    job = demo_directory("classic", tmp_path / "demo")
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-W", "error", "-c", SHOW, str(job), *keys]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    assert [words for words in wanted if not re.search(words, run.stdout)] == [], run.stdout
