"""Jump mode: letters lead to panes and rows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual.pilot import Pilot

from logtui.tui.app import LogtuiApp
from logtui.tui.panes.raw.viewer import RawViewer
from logtui.tui.screens.jump import JumpScreen, jump_targets
from logtui.tui.widgets.pane import Pane
from logtui.tui.widgets.row_list import RowList

Settled = Callable[[Pilot[int]], Awaitable[None]]


async def test_a_letter_leads_to_a_pane(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+o", "s")
        await settled(pilot)
        assert isinstance(app.focused, RawViewer)


async def test_a_letter_leads_to_a_row(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("2", "home")
        await settled(pilot)
        before = app.case_screen.selection
        panes = sum(pane.display for pane in app.case_screen.query(Pane))
        await pilot.press("ctrl+o", "asdfghjkl"[panes + 1])
        await settled(pilot)
        assert isinstance(app.focused, RowList)
        assert app.focused.cursor == 1
        assert app.case_screen.selection != before


async def test_other_keys_leave_everything_as_it_was(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        before, focused = app.case_screen.selection, app.focused
        for key in ("escape", "ctrl+o", "9"):
            await pilot.press("ctrl+o")
            await settled(pilot)
            assert isinstance(app.screen, JumpScreen)
            await pilot.press(key)
            await settled(pilot)
            assert (app.screen, app.focused) == (app.case_screen, focused)
        assert app.case_screen.selection == before


async def test_only_what_is_shown_gets_a_letter(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert len(list(jump_targets(app.case_screen))) == 2
