"""How many keys it takes, from the start at 80x24, until the cursor stands in the proving line: demos, or given jobs.

`python benchmarks/keys_to_proof.py [JOB...]`. The proving line of a job is the one that `truth.json` beside it names
(`{"first_bad_line": {"file", "line"}}`), else the first line that the verdict rests on.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from textual.pilot import Pilot

from logtui.diagnosis.session.opening import Options
from logtui.parsers.generator import DEMOS, demo_directory
from logtui.tui.app import LogtuiApp
from logtui.tui.panes.raw.viewer import RawViewer

ATTEMPTS: Sequence[Sequence[str]] = ((), ("enter",), ("c",), ("e",), ("3", "enter"), ("n",), ("n", "enter"), ("e", "e"))
"""What a user would try, the shortest first; the last word is that it was not reached."""


@dataclass(frozen=True)
class Way:
    """How a job's proving line is reached."""

    job: str
    line: str
    to_see: str
    """Keys until it is under the cursor of the raw lines."""
    to_enter: str
    """Keys until that cursor has the focus too."""


async def settle(pilot: Pilot[int]) -> None:
    """Until nothing runs and nothing waits to be drawn."""
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def places(path: Path, keys: Sequence[str]) -> tuple[str | None, str | None, bool]:
    """The verdict's first line, the selected one, and whether the raw lines have the focus, after some keys."""
    app = LogtuiApp([path], Options(jobs=1, no_cache=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for key in keys:
            await pilot.press(key)
            await settle(pilot)
        view = app.case_screen.view
        verdict = view.report.verdict if view else None
        first = next((e for e in (verdict.first_evidence, *verdict.supporting) if e), None) if verdict else None
        viewer = app.case_screen.query_one(RawViewer)
        return first.place if first else None, app.case_screen.selection.place, viewer.has_focus


def known_line(path: Path) -> str | None:
    """The line that `truth.json` names."""
    try:
        named = json.loads((path / "truth.json").read_text())["first_bad_line"]
        return f"{named['file']}:{named['line']}"
    except (OSError, ValueError, KeyError, TypeError):
        return None


def without_truth(path: Path, folder: Path) -> Path:
    """The job without the answer; links, not copies."""
    if not (path / "truth.json").exists():
        return path
    for file in path.rglob("*"):
        if file.is_file() and file.name != "truth.json":
            link = folder / path.name / file.relative_to(path)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(file.resolve())
    return folder / path.name


async def way(name: str, path: Path, folder: Path) -> Way:
    """Try what a user would, until the line is reached."""
    truth, job = known_line(path), without_truth(path, folder)
    wanted = truth
    seen, entered = "not reached", "not reached"
    for keys in ATTEMPTS:
        first, place, inside = await places(job, keys)
        wanted = wanted or first
        if wanted is None or place is None or not place.endswith(wanted):
            continue
        words = f"{len(keys)} ({' '.join(keys)})" if keys else "0"
        seen = words if seen == "not reached" else seen
        if inside:
            entered = words
            break
    return Way(name, f"{wanted}{'' if truth else ' (the verdict)'}", seen, entered)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jobs", nargs="*", type=Path)
    jobs = parser.parse_args().jobs
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        found = [(path.name, path) for path in jobs]
        found = found or [(name, demo_directory(name, folder)) for name in DEMOS]
        print("| job | proving line | keys until it is under the cursor | and the cursor in it |\n|---|---|---|---|")
        for name, path in found:
            row = asyncio.run(way(name, path, folder / "links"))
            print(f"| {row.job} | {row.line} | {row.to_see} | {row.to_enter} |", flush=True)


if __name__ == "__main__":
    main()
