"""Counters and disks of a daemon: glyphs by column, and the pane that shows them, driven by keys."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from logtui.diagnosis.session.opening import Options
from logtui.diagnosis.storage.panels import Panel, Step, UnreadKind
from logtui.parsers.daemons.reread import DiskLoad
from logtui.parsers.generator import demo_directory
from logtui.tui.app import LogtuiApp
from logtui.tui.panes.daemons.counters import (
    DaemonCounters,
    Unread,
    _lines,
    disk_words,
    heat,
    heat_pieces,
    pieces,
    spark,
)
from logtui.tui.panes.daemons.pane import DaemonPane
from logtui.tui.panes.raw.viewer import RawViewer
from logtui.tui.shared.timeline_scale import Scale

Settled = Callable[[Pilot[int]], Awaitable[None]]
SCALE = Scale(0.0, 90.0, 10)


def step(start: float, end: float, growth: int, idle: bool = False) -> Step:
    return Step(start, end, growth, idle, 0, int(end))


@pytest.mark.parametrize(
    ("steps", "drawn"),
    [
        pytest.param([], "··········", id="nothing"),
        pytest.param([step(20, 40, 0), step(40, 60, 0)], "··▁▁▁▁▁···", id="stands still"),
        pytest.param([step(0, 40, 4), step(40, 60, 20)], "▂▂▂▂███···", id="rises"),
        pytest.param([step(0, 40, 1), step(40, 60, 2000)], "▂▂▂▂███···", id="the least growth is above none"),
        pytest.param([step(0, 20, 0), step(20, 80, 5, idle=True)], "▁▁▁·····+·", id="grew while no line was printed"),
        pytest.param([step(0, 20, 0), step(20, 80, 0, idle=True)], "▁▁▁·······", id="idle"),
        pytest.param([step(-90, -10, 9), step(200, 300, 9)], "··········", id="out of sight"),
        pytest.param([step(-50, 300, 9)], "██████████", id="wider than the screen"),
    ],
)
def test_sparklines(steps: list[Step], drawn: str) -> None:
    assert spark(steps, SCALE) == drawn


def load(time: float, busy: int) -> DiskLoad:
    return DiskLoad(time, "nvme0n1", busy, 0, 0, 0, int(time))


def test_heat_strips_read_without_colour() -> None:
    strip = heat([load(11, 20), load(51, 45), load(52, 99), load(83, 80)], SCALE)
    assert strip == "░░··██·▓▓·"
    assert [name for _, name in heat_pieces(strip, None)] == ["file", "gap", "error", "gap", "warning", "gap"]


def test_the_cursor_and_the_failure_have_styles_of_their_own() -> None:
    assert list(pieces("▁▂█▂·", "", (1, 2), 3)) == [("▁", "gap"), ("▂█", "failing"), ("▂", "time"), ("·", "gap")]
    assert list(pieces("▂█", "error", None, None)) == [("▂█", "error")]


def test_a_disk_in_words() -> None:
    loads = [load(10, 20), load(20, 97), load(30, 99)]
    assert "97 % at the cursor" in disk_words("nvme0n1", loads, 15.0)
    assert "at its limit 00:00:20–00:00:30, 2 lines" in disk_words("nvme0n1", loads, 15.0)
    assert "never at its limit" in disk_words("nvme0n1", loads[:1], None)


def test_what_nothing_reads_is_a_row_also_of_an_idle_daemon() -> None:
    kinds = (UnreadKind("E", "fshc: no wheel on #", 3, 2, 4, 17), UnreadKind("W", "gear: wobbles", 9, 0, 4, 5))
    idle, *rows = _lines(Panel(0, 0.0, 90.0, (), (), (), (), 0, kinds))
    assert idle == "no stats line: an idle daemon prints none"
    errors, warnings = (row for row in rows if isinstance(row, Unread))
    assert errors.cells(80) == [("? E ×3 ", "error"), ("fshc: no wheel on #", "error")]
    assert warnings.cells(80) == [("? W ×9 ", "dim"), ("gear: wobbles", "dim")]
    assert errors.words.endswith("3 errors that logtui does not know, 2 in the failure")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_directory("storage", tmp_path_factory.mktemp("demo"))


@pytest.fixture
def storage_app(demo: Path) -> LogtuiApp:
    return LogtuiApp([demo], Options(jobs=1, no_cache=True), title="storage")


async def press(pilot: Pilot[int], settled: Settled, *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


def shown(app: LogtuiApp) -> DaemonCounters:
    return app.case_screen.query_one(DaemonCounters)


def rows(app: LogtuiApp) -> list[str]:
    counters = shown(app)
    return ["".join(text for text, _ in counters.cells(n, counters.size.width)) for n in range(counters.row_count)]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)], ids=["80x24", "120x40", "200x50"])
async def test_s_shows_the_counters_of_the_blamed_target_and_back(
    storage_app: LogtuiApp, settled: Settled, size: tuple[int, int]
) -> None:
    async with storage_app.run_test(size=size) as pilot:
        await settled(pilot)
        await press(pilot, settled, "6", "s")
        pane = storage_app.case_screen.query_one(DaemonPane)
        assert storage_app.focused is shown(storage_app)
        assert not pane.files.display
        drawn = rows(storage_app)
        assert drawn[0] == "state.flags: normal"
        assert "█" in next(row for row in drawn if row.startswith("nvme0n1"))
        assert all(len(row) <= shown(storage_app).size.width for row in drawn[1:3])
        await press(pilot, settled, "s")
        assert storage_app.focused is pane.rows
        assert pane.files.display


async def test_n_shows_the_target_that_waited_with_its_errors_first(storage_app: LogtuiApp, settled: Settled) -> None:
    async with storage_app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "6", "s", "n", "n", "n")
        drawn = rows(storage_app)
        assert [row.split()[0] for row in drawn[1:4]] == ["err.getbatch.n", "err.soft.getbatch.n", "getbatch.rxwait.ns"]
        assert drawn[3].endswith("/batch ×136")
        await press(pilot, settled, "down")
        assert "failed or rejected batches" in shown(storage_app).words
        await press(pilot, settled, "enter")
        assert isinstance(storage_app.focused, RawViewer)
        viewer = storage_app.case_screen.query_one(RawViewer)
        assert "getbatch.n:" in viewer.text_of(viewer.cursor)


async def test_left_moves_the_time_and_the_line_follows(storage_app: LogtuiApp, settled: Settled) -> None:
    async with storage_app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "6", "s", "down", "down")
        before = storage_app.case_screen.selection
        await press(pilot, settled, "right")
        after = storage_app.case_screen.selection
        assert before.time is not None
        assert after.time is not None
        assert after.time > before.time
        viewer = storage_app.case_screen.query_one(RawViewer)
        assert "nvme0n1" in viewer.text_of(viewer.cursor)


async def test_the_proxy_has_no_disks(storage_app: LogtuiApp, settled: Settled) -> None:
    async with storage_app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "6", "end", "s")
        panel = shown(storage_app).panel
        assert panel is not None
        assert panel.disks == ()
        assert any(row.startswith("get.n") for row in rows(storage_app))


@pytest.mark.parametrize("size", [(80, 24), (200, 50)], ids=["80x24", "200x50"])
def test_looks(storage_app: LogtuiApp, settled: Settled, snap_compare: Any, size: tuple[int, int]) -> None:
    async def run(pilot: Pilot[int]) -> None:
        await settled(pilot)
        await press(pilot, settled, "6", "s", "n", "n", "n")

    assert snap_compare(storage_app, terminal_size=size, run_before=run)
