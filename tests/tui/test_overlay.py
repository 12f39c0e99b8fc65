"""What lies below a menu: dimmed, and drawn again when it changed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from logtui.parsers.scan.plan import Progress
from logtui.tui.app import LogtuiApp
from logtui.tui.screens.jump import JumpScreen
from logtui.tui.screens.overlay import Overlay
from logtui.tui.screens.report_screen import ExportMenu, ReportScreen
from logtui.tui.widgets.row_list import ChoiceList

Settled = Callable[[Pilot[int]], Awaitable[None]]


async def test_what_lies_below_is_drawn_once_and_again_after_a_change(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("E")
        await settled(pilot)
        menu = app.screen
        assert isinstance(menu, ExportMenu)
        assert "job 4821" in menu.render_line(0).text
        before = menu.render_line(0)
        await pilot.press("down", "up")
        await settled(pilot)
        assert menu.render_line(0) is before
        app.case_screen.show_progress(Progress(4, 16, 1 << 18, 1 << 20))
        await settled(pilot)
        assert "reading 25%" in menu.render_line(0).text


async def test_an_overlay_that_hides_everything_draws_nothing_below(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("r")
        await settled(pilot)
        report = app.screen
        assert isinstance(report, ReportScreen)
        assert report.render_line(0).text.strip() == ""
        assert "never entered ALLREDUCE" in report.text


async def test_letters_lie_on_what_can_be_gone_to(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+o")
        await settled(pilot)
        jump = app.screen
        assert isinstance(jump, JumpScreen)
        assert jump.render_line(app.case_screen.query_one("#ranks").region.y).text.startswith(" a ")


async def test_a_click_in_a_menu_chooses_a_second_one_goes(
    app: LogtuiApp, settled: Settled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("E")
        await settled(pilot)
        listed = app.screen.query_one(ChoiceList)
        await pilot.click(listed, offset=(3, 1))
        assert listed.chosen == 1
        await pilot.click(listed, offset=(3, 1))
        await settled(pilot)
        assert not isinstance(app.screen, Overlay)
        assert [path.suffix for path in (tmp_path / "here").iterdir()] == [".json"]
