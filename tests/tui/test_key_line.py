"""The line of keys: as the focus goes, by the mouse, and on a screen too narrow for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual import events
from textual.pilot import Pilot

from logtui.tui.app import LogtuiApp
from logtui.tui.screens.help import HelpScreen
from logtui.tui.widgets.key_line import KeyLine

Settled = Callable[[Pilot[int]], Awaitable[None]]


def drawn(line: KeyLine) -> str:
    return line.render_line(0).text.rstrip()


async def test_the_keys_are_those_of_the_focused_pane(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        line = app.screen.query_one(KeyLine)
        assert drawn(line) == "⏎ Proof / Go to f Find c Cause e Effect y Copy r Report ? Help q Quit"
        await pilot.press("5")
        await pilot.pause()
        assert drawn(line).startswith("⏎ Line f Find")


async def test_a_click_presses_the_key(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        line = app.screen.query_one(KeyLine)
        at = drawn(line).index("? Help")
        assert [item.words if (item := line.item_at(x)) else "" for x in (at - 1, at, at + 5, at + 6)] == [
            "", "Help", "Help", "",
        ]  # fmt: skip
        await pilot.click(line, offset=(at + 2, 0))
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)


async def test_the_mouse_is_told_what_a_key_does(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        line = app.screen.query_one(KeyLine)
        await pilot.hover(line, offset=(drawn(line).index("c Cause"), 0))
        assert line.tooltip == "To the line that caused this one"
        await pilot.hover("#head")
        assert line.tooltip is None


async def test_the_wheel_shows_keys_there_is_no_room_for(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(60, 24)) as pilot:
        await settled(pilot)
        line = app.screen.query_one(KeyLine)
        assert "q Quit" not in drawn(line)
        for _ in range(len(line.items)):
            line.post_message(events.MouseScrollDown(line, 0, 0, 0, 1, 0, False, False, False))
        await pilot.pause()
        assert drawn(line).endswith("q Quit")


async def test_a_pane_alone_keeps_the_keys_in_sight(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("z")
        await settled(pilot)
        line = app.screen.query_one(KeyLine)
        assert line.region.y == 39
        assert line in {widget for widget, _ in app.screen._compositor.layers}
