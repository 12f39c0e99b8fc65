"""How the screen looks, at the sizes people have."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from logtui.diagnosis.session.opening import Options
from logtui.parsers.generator import demo_directory
from logtui.tui.app import LogtuiApp
from logtui.tui.shared.shortening import load_formats

Settled = Callable[[Pilot[int]], Awaitable[None]]
SIZES = [(80, 24), (120, 40), (200, 50)]

SITUATIONS: dict[str, Sequence[str]] = {
    "start": (),
    "proof": ("enter",),
    "effect": ("e",),
    "pending": ("v",),
    "folded": ("F",),
    "exits": ("v", "v", "v", "v", "v"),
    "timeline": ("2", "down"),
    "time": ("t", *"15:30", "enter"),
    "findings": ("3", "down"),
    "search": ("slash", *"watchdog", "enter"),
}


@pytest.fixture(autouse=True, scope="module")
def formats() -> None:
    """There from the first picture on: what they know in a line is coloured late otherwise."""
    load_formats()


def pressing(settled: Settled, keys: Sequence[str]) -> Callable[[Pilot[int]], Awaitable[None]]:
    """Wait for the report, then press keys one by one."""

    async def run(pilot: Pilot[int]) -> None:
        await settled(pilot)
        for key in keys:
            await pilot.press(key)
            await settled(pilot)

    return run


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x40", "200x50"])
@pytest.mark.parametrize("situation", SITUATIONS)
def test_classic(app: LogtuiApp, settled: Settled, snap_compare: Any, situation: str, size: tuple[int, int]) -> None:
    assert snap_compare(app, terminal_size=size, run_before=pressing(settled, SITUATIONS[situation]))


@pytest.mark.parametrize(
    "keys", [("f", *"node012"), ("question_mark",), ("right", "enter", "enter")], ids=["finder", "help", "line"]
)
def test_screens_above(app: LogtuiApp, settled: Settled, snap_compare: Any, keys: Sequence[str]) -> None:
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing(settled, keys))


def test_without_colour(job: Any, settled: Settled, snap_compare: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = LogtuiApp([job.path], title="demo", reader=job.read)
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing(settled, ()))


def test_many_ranks(job_of: Callable[[int], Any], settled: Settled, snap_compare: Any) -> None:
    job = job_of(128)
    app = LogtuiApp([job.path], title="demo", reader=job.read)
    assert snap_compare(app, terminal_size=(120, 40), run_before=pressing(settled, ("1",)))


def test_too_small(app: LogtuiApp, settled: Settled, snap_compare: Any) -> None:
    assert snap_compare(app, terminal_size=(50, 12), run_before=pressing(settled, ()))


def test_nothing_found(job: Any, settled: Settled, snap_compare: Any, tmp_path: Path) -> None:
    job.updates = []
    app = LogtuiApp([job.path], title="demo", reader=job.read)
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing(settled, ()))


@pytest.mark.parametrize("keys", [("d",), ("d", "enter"), ("d", "s")], ids=["dumps", "entry", "odd-first"])
@pytest.mark.parametrize("size", [(80, 24), (200, 50)], ids=["80x24", "200x50"])
def test_flight_recorder(
    tmp_path: Path, settled: Settled, snap_compare: Any, keys: Sequence[str], size: tuple[int, int]
) -> None:
    app = LogtuiApp([demo_directory("mismatch", tmp_path)], Options(jobs=1, no_cache=True), title="mismatch")
    assert snap_compare(app, terminal_size=size, run_before=pressing(settled, keys))
