"""A case file opened in the app: daemons, dumps and odd lines are there without the logs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from logtui.diagnosis.report.case_file.beside import Beside
from logtui.diagnosis.report.case_file.writing import write_case
from logtui.diagnosis.session.opening import analyse_whole
from logtui.parsers.generator import demo_directory
from logtui.tui.app import LogtuiApp
from logtui.tui.panes.daemons.pane import DaemonPane
from logtui.tui.panes.raw.viewer import RawViewer
from logtui.tui.panes.timeline.pane import TimelinePane
from logtui.tui.screens.dump_screen import DumpScreen
from logtui.tui.screens.odd_lines import OddScreen

Settled = Callable[[Pilot[int]], Awaitable[None]]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    folder = tmp_path_factory.mktemp("demo")

    def save(name: str) -> Path:
        path = folder / f"{name}.tar.zst"
        if not path.exists():
            found = analyse_whole([demo_directory(name, folder)])
            odd = found.compare() if found.compare else None
            write_case(path, found.case, found.report, beside=Beside(odd, found.daemons, found.dumps))
            found.case.close()
        return path

    return save


async def press(pilot: Pilot[int], settled: Settled, *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


def raw_text(app: LogtuiApp) -> str:
    viewer = app.case_screen.query_one(RawViewer)
    return viewer.text_of(viewer.cursor)


async def test_daemons_and_counters(saved: Callable[[str], Path], settled: Settled) -> None:
    app = LogtuiApp([saved("storage")])
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "6", "down", "enter")
        assert raw_text(app)
        assert app.case_screen.selection.file in app.case_screen.view.daemon_files  # type: ignore[union-attr]
        await press(pilot, settled, "6", "s")
        counters = app.case_screen.query_one(DaemonPane).counters
        assert counters.panel is not None
        assert counters.panel.gauges
        await press(pilot, settled, "down", "down", "enter")
        assert raw_text(app)


async def test_dumps_and_odd_lines(saved: Callable[[str], Path], settled: Settled) -> None:
    app = LogtuiApp([saved("mismatch")])
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "d")
        assert isinstance(app.screen, DumpScreen)
        assert app.screen.grid.matrix is not None
        await press(pilot, settled, "escape", "b")
        assert isinstance(app.screen, OddScreen)
        await press(pilot, settled, "enter")
        assert raw_text(app)


async def test_the_clock_of_a_case_file_stays(saved: Callable[[str], Path], settled: Settled) -> None:
    app = LogtuiApp([saved("storage")])
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "M")
        assert [n.message for n in app._notifications] == [
            "the clocks of a case file are as they were when it was written"
        ]


async def test_the_timeline_says_that_it_shows_events_only(saved: Callable[[str], Path], settled: Settled) -> None:
    app = LogtuiApp([saved("mismatch")])
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert app.case_screen.query_one(TimelinePane).heading.note.endswith("all other lines not in the case file")
