"""`M` on two lines sets the storage daemons' clock, and takes it back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from logtui.diagnosis.session.opening import Options
from logtui.parsers.generator.aistore.daemons import client_log, write_daemons
from logtui.parsers.generator.aistore.spec import AisFault, AisSpec, AisTruth
from logtui.tui.app import LogtuiApp
from logtui.tui.panes.raw.pane import RawPane
from logtui.tui.screens.clock_link import ClockLink
from logtui.tui.shared.messages import LineChosen
from logtui.tui.shared.wording import offset_text
from logtui.tui.widgets.frame import HeadLine

Settled = Callable[[Pilot[int]], Awaitable[None]]
SPEC = AisSpec(fault=AisFault.CLIENT_GONE)
AHEAD_S = 9 * 3600


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, AisTruth]:
    path = tmp_path_factory.mktemp("job")
    truth = write_daemons(SPEC, path / "ais")
    (path / "w.log").write_text(client_log(truth, AHEAD_S, SPEC.failure - 3000, SPEC.failure + 460))
    return path, truth


@pytest.fixture
def app(written: tuple[Path, AisTruth]) -> LogtuiApp:
    return LogtuiApp([written[0]], Options(jobs=1, no_cache=True))


@pytest.fixture
def places(written: tuple[Path, AisTruth]) -> tuple[tuple[str, int], tuple[str, int]]:
    """The same event on either side."""
    path, truth = written
    lines = (path / "w.log").read_text().splitlines()
    gone = next(place for name, place in truth.places.items() if name.startswith("gone."))
    return ("w.log", next(n for n, line in enumerate(lines, 1) if "illegal memory" in line)), (
        f"ais/{gone.file}",
        gone.line,
    )


async def press_on(app: LogtuiApp, pilot: Pilot[int], settled: Settled, place: tuple[str, int]) -> None:
    app.case_screen.post_message(LineChosen(*place, opened=True))
    await settled(pilot)
    await pilot.press("M")
    await settled(pilot)
    await settled(pilot)  # the second worker begins with the first one's message


def offset(app: LogtuiApp) -> float | None:
    view = app.case_screen.view
    assert view is not None
    assert view.daemons is not None
    return view.daemons.offset_s


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["worker first", "daemon first"])
async def test_two_marks_set_the_clock_and_a_third_takes_it_back(
    app: LogtuiApp, settled: Settled, places: tuple[tuple[str, int], tuple[str, int]], order: tuple[int, int]
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert offset(app) is None
        head = app.case_screen.query_one(HeadLine)
        await press_on(app, pilot, settled, places[order[0]])
        assert head.clock.endswith("= ?")
        await press_on(app, pilot, settled, places[order[1]])
        assert offset(app) == AHEAD_S
        assert head.clock == "AIS +9 h = workers (M)"
        view = app.case_screen.view
        assert view is not None
        assert view.report.clocks[0].offset_s == AHEAD_S
        await press_on(app, pilot, settled, places[order[1]])
        assert offset(app) is None
        assert head.clock == ""


async def test_the_selected_lines_time_moves_with_the_clock(
    app: LogtuiApp, settled: Settled, places: tuple[tuple[str, int], tuple[str, int]]
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press_on(app, pilot, settled, places[0])
        app.case_screen.post_message(LineChosen(*places[1], moment=SPEC.failure, opened=True))
        await settled(pilot)
        await press_on(app, pilot, settled, places[1])
        assert app.case_screen.selection.time == SPEC.failure + AHEAD_S
        assert "AIS 00:17:02 = 09:17:02 workers" in app.case_screen.query_one(RawPane).heading.note


async def test_a_mark_is_taken_back_and_one_of_the_same_side_replaces_it(
    app: LogtuiApp, settled: Settled, places: tuple[tuple[str, int], tuple[str, int]]
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        link = app.case_screen.query_one(ClockLink)
        await press_on(app, pilot, settled, places[0])
        await press_on(app, pilot, settled, ("w.log", 1))
        assert link.pending is not None
        assert link.pending.line == 1
        await press_on(app, pilot, settled, ("w.log", 1))
        assert link.pending is None
        await press_on(app, pilot, settled, (places[1][0], 1))
        assert link.pending is None, "a header has no time of its own"


async def test_the_palette_takes_marks_back(
    app: LogtuiApp, settled: Settled, places: tuple[tuple[str, int], tuple[str, int]]
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press_on(app, pilot, settled, places[0])
        await press_on(app, pilot, settled, places[1])
        assert offset(app) == AHEAD_S
        await pilot.press("ctrl+p", *"clocks as derived")
        await settled(pilot)
        await pilot.press("enter", "enter")
        await settled(pilot)
        await settled(pilot)
        assert offset(app) is None


async def test_without_daemons_nothing_is_marked(tmp_path: Path, settled: Settled) -> None:
    (tmp_path / "w.log").write_text("2026-03-12 00:00:00,000 INFO: step 1\n")
    app = LogtuiApp([tmp_path], Options(jobs=1, no_cache=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press_on(app, pilot, settled, ("w.log", 1))
        assert app.case_screen.query_one(ClockLink).pending is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "±0"), (32400, "+9 h"), (-19800, "-5:30 h"), (900, "+15 min"), (12.5, "+12.5 s"), (-100.25, "-100.25 s")],
)
def test_offsets_in_words(seconds: float, text: str) -> None:
    assert offset_text(seconds) == text
