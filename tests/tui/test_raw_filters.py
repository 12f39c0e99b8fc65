"""Filtering, wrapping and one rank's lines, by keys."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual.pilot import Pilot

from logtui.tui.app import LogtuiApp
from logtui.tui.panes.raw.filters import FilterBar
from logtui.tui.panes.raw.pane import RawPane
from logtui.tui.panes.raw.viewer import RawViewer

Settled = Callable[[Pilot[int]], Awaitable[None]]


async def press(pilot: Pilot[int], settled: Settled, *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


def viewer(app: LogtuiApp) -> RawViewer:
    return app.case_screen.query_one(RawViewer)


def words(app: LogtuiApp) -> str:
    return app.case_screen.query_one(FilterBar).words


def seen(app: LogtuiApp) -> list[int]:
    return [line for line, _ in viewer(app).window.rows()]


async def test_a_filter_hides_lines_and_says_how_many(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "enter", "ampersand", *"Watchdog", "enter")
        assert words(app) == "in /Watchdog/ 7 · shown 7 of 409"
        assert seen(app) == list(range(401, 409)), "the cursor's line stays, though no rule lets it through"
        await press(pilot, settled, "down")
        assert viewer(app).cursor == 403
        await press(pilot, settled, "ampersand", *"!rank58", "enter")
        assert "out /rank58/ 51 · shown 6 of 409" in words(app)
        await press(pilot, settled, "ampersand", "ctrl+a", "ctrl+k", "enter")
        assert words(app) == ""
        assert viewer(app).window.shown.count == 409


async def test_a_filter_is_previewed_while_it_is_typed(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "enter", "ampersand", *"!srun")
        assert words(app) == "out /srun/ 1 · would leave 408 of 409"
        assert viewer(app).window.shown.count == 409
        faded = viewer(app).decoration.faded
        assert faded is not None
        assert (faded("srun: error"), faded("step 3")) == (True, False)
        await press(pilot, settled, "escape")
        assert words(app) == ""
        assert viewer(app).decoration.faded is None


async def test_a_bad_expression_is_refused(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "enter", "ampersand", "(", "enter")
        assert words(app) == ""
        assert len(app._notifications) == 1


async def test_a_line_that_is_asked_for_is_shown_whatever_the_filters(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "enter", "ampersand", *"step 1 ", "enter", "colon", *"300", "enter")
        assert viewer(app).cursor == 300
        assert 300 in seen(app)


async def test_lines_of_other_ranks_fade_and_go(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "enter", "R")
        assert words(app) == "rank 57 only: 357 lines of other ranks dimmed, 1 name none"
        faded = viewer(app).decoration.faded
        assert faded is not None
        assert (faded("[rank1]: x"), faded("[rank57]: x"), faded("x")) == (True, False, False)
        await press(pilot, settled, "R")
        assert "357 lines of other ranks hidden" in words(app)
        assert seen(app)[-2:] == [402, 409]
        await press(pilot, settled, "R")
        assert words(app) == ""


async def test_filters_go_on_in_another_file(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "enter", "ampersand", *"srun", "enter", "e")
        assert app.case_screen.selection.file == "error-4821-0.out"
        assert words(app) == "in /srun/ 1 · shown 1 of 409"


async def test_long_lines_wrap(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "enter", "w", "down")
        rows = [piece for line, piece in viewer(app).window.rows() if line == 403]
        assert rows == [0, 1, 2, 3]
        text = "".join(viewer(app).render_line(y).text[7:-1].strip() for y in viewer(app).window.rows_of(403))
        assert "Timeout(ms)=1800000" in text.replace(" ", "")
        await press(pilot, settled, "w")
        assert [piece for _, piece in viewer(app).window.rows()] == [0] * len(seen(app))


async def test_the_pane_is_told_of_one_file_only(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "enter", "slash", *"watchdog", "enter")
        pane = app.case_screen.query_one(RawPane)
        assert pane.matches is not None
        assert (pane.matches.total, pane.matches.finished) == (7, True)
