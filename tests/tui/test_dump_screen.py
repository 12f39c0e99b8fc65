"""The flight-recorder view, driven by keys."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import numpy as np
import pytest
from recorded_job import RecordedJob
from textual.pilot import Pilot
from textual.widgets import Static

from logtui.diagnosis.dumps.findings import FlightRecorderFindings, charts
from logtui.diagnosis.dumps.matrix import Cell, Matrix
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import Coverage, GroupState, JobFacts, RankState, Report, StuckOn, Verdict
from logtui.diagnosis.session.opening import Options
from logtui.parsers.generator import demo_directory
from logtui.tui.app import LogtuiApp
from logtui.tui.panes.raw.viewer import RawViewer
from logtui.tui.screens.dump_grid import GLYPHS, HEAD_ROWS, LOOKS, DumpGrid
from logtui.tui.screens.dump_screen import DumpEntryScreen, DumpScreen
from logtui.tui.screens.dump_words import matching_line, moment, own_frame
from logtui.tui.shared.case_view import CaseView

Settled = Callable[[Pilot[int]], Awaitable[None]]
SIZES = [(80, 24), (200, 50)]
IDS = ["80x24", "200x50"]
PENDING = "scheduled"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_directory("mismatch", tmp_path_factory.mktemp("demo"))


@pytest.fixture
def dump_app(demo: Path) -> LogtuiApp:
    return LogtuiApp([demo], Options(jobs=1, no_cache=True), title="mismatch")


async def press(pilot: Pilot[int], settled: Settled, *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


def screen_of(app: LogtuiApp) -> DumpScreen:
    assert isinstance(app.screen, DumpScreen)
    return app.screen


def text_of(app: LogtuiApp, selector: str) -> str:
    return str(app.screen.query_one(selector, Static).content)


def line_of(grid: DumpGrid, y: int) -> str:
    return grid.render_line(y).text


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_without_dumps_the_key_does_nothing(app: LogtuiApp, settled: Settled, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await press(pilot, settled, "d")
        assert app.screen is app.case_screen


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_the_odd_call_its_entry_and_its_log_line_are_three_keys(
    dump_app: LogtuiApp, settled: Settled, size: tuple[int, int]
) -> None:
    async with dump_app.run_test(size=size) as pilot:
        await settled(pilot)
        await press(pilot, settled, "d")
        grid = screen_of(dump_app).grid
        assert "rank 3 " in text_of(dump_app, "#dump-cell")
        assert "all_gather #1234" in text_of(dump_app, "#dump-cell")
        assert "≠" in line_of(grid, HEAD_ROWS + 3)
        assert "▼" in line_of(grid, 1)
        assert grid.scroll_offset.x + grid._across > grid.column, "the front is in sight"
        await press(pilot, settled, "enter")
        assert isinstance(dump_app.screen, DumpEntryScreen)
        page = text_of(dump_app, "#dump-entry-text")
        assert "all_gather #1234 of 0:default_pg" in page
        assert "stacks of all ranks at this operation: 2 different ones" in page
        assert "▸ 1 rank (3)" in page
        await press(pilot, settled, "enter")
        assert dump_app.screen is dump_app.case_screen
        viewer = dump_app.case_screen.query_one(RawViewer)
        assert dump_app.focused is viewer
        assert "1234" in viewer.text_of(viewer.cursor)
        assert dump_app.case_screen.selection.rank == 3


async def test_closing_leaves_the_user_where_he_was(dump_app: LogtuiApp, settled: Settled) -> None:
    async with dump_app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        before = dump_app.case_screen.selection
        await press(pilot, settled, "d", "j", "enter", "escape", "escape")
        assert dump_app.screen is dump_app.case_screen
        assert dump_app.case_screen.selection == before


async def test_arrows_letters_and_pages_move(dump_app: LogtuiApp, settled: Settled) -> None:
    async with dump_app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "d")
        grid = screen_of(dump_app).grid
        last = grid.column
        await press(pilot, settled, "k", "up", "left", "h")
        assert (grid.row, grid.column) == (1, last - 2)
        assert "#1232" in text_of(dump_app, "#dump-cell")
        await press(pilot, settled, "G", "l", "right", "right")
        assert (grid.row, grid.column) == (31, last)
        await press(pilot, settled, "g", "H")
        assert grid.row == 0
        assert grid.column < last - 20
        await press(pilot, settled, "0", "pagedown")
        assert grid.column == last
        assert 0 < grid.row < 31


async def test_odd_ranks_by_key_and_on_top(dump_app: LogtuiApp, settled: Settled) -> None:
    async with dump_app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "d", "G", "n")
        grid = screen_of(dump_app).grid
        assert grid.row == 3
        await press(pilot, settled, "s")
        assert grid.order[0] == 3
        assert sorted(grid.order) == list(range(32))
        assert line_of(grid, HEAD_ROWS).startswith("▸  3")
        await press(pilot, settled, "s")
        assert list(grid.order) == list(range(32))


def view_of(findings: FlightRecorderFindings, *ranks: RankState) -> CaseView:
    report = Report("0", JobFacts(), Coverage(), Verdict("unknown", "", "low"), ranks=ranks)
    return CaseView(report, dumps=findings)


async def shown(app: LogtuiApp, pilot: Pilot[int], settled: Settled, findings: FlightRecorderFindings) -> DumpScreen:
    screen = DumpScreen(view_of(findings), findings, None, None)
    app.push_screen(screen)
    await settled(pilot)
    return screen


async def test_groups_that_hang_come_first_and_p_walks_them(app: LogtuiApp, settled: Settled) -> None:
    job = RecordedJob(4, {"1": (0, 1), "2": (2, 3)}).launch("all_reduce")
    job.launch("barrier", group="1").launch("all_gather", (2,), "2", PENDING).transfer("send 0->1", 2, "2")
    async with app.run_test(size=(100, 30)) as pilot:
        await settled(pilot)
        screen = await shown(app, pilot, settled, job.findings())
        labels = [chart.label for chart in screen.charts]
        assert labels[0] == "2:group 2"
        assert labels.count("2:group 2 send/recv") == 1
        assert "2:group 2 (1/4)" in text_of(app, "#dump-title")
        assert "◆" in line_of(screen.grid, HEAD_ROWS + 1)
        await press(pilot, settled, "p")
        assert screen.number == 1
        await press(pilot, settled, "P", "P")
        assert screen.number == 3
        await press(pilot, settled, "d")
        assert app.screen is app.case_screen


async def test_a_rank_without_a_dump_and_one_that_launched_nothing(app: LogtuiApp, settled: Settled) -> None:
    job = RecordedJob(4).launch("all_reduce").launch("all_reduce", (0, 1), state=PENDING)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        screen = await shown(app, pilot, settled, job.findings((0, 1, 2)))
        assert "1 rank without" in text_of(app, "#dump-title")
        assert line_of(screen.grid, HEAD_ROWS + 3).rstrip().endswith("××")
        assert screen.grid.row == 2, "the one that launched nothing is odder than the one without a dump"
        assert "the last it finished is #1" in text_of(app, "#dump-cell")
        await press(pilot, settled, "enter")
        page = text_of(app, "#dump-entry-text")
        assert "not launched; launched last:" in page
        assert "no line of this rank was found" in page
        await press(pilot, settled, "enter")
        assert app.screen is screen


async def test_dumps_without_any_operation(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        screen = await shown(app, pilot, settled, RecordedJob(2).findings())
        assert "no operation recorded · 2 dumps" in text_of(app, "#dump-title")
        await press(pilot, settled, "enter", "n", "p", "s", "y", "j", "0")
        assert app.screen is screen


async def test_help_names_the_glyphs(dump_app: LogtuiApp, settled: Settled) -> None:
    async with dump_app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "d", "question_mark")
        assert not isinstance(dump_app.screen, DumpScreen)
        await press(pilot, settled, "escape")
        assert isinstance(dump_app.screen, DumpScreen)


def large(ranks: int, seqs: int) -> Matrix:
    cells = np.full((ranks, seqs), Cell.COMPLETED, np.int8)
    cells[:, -1] = Cell.SCHEDULED
    cells[ranks // 2, -1] = Cell.MISSING
    return Matrix(
        "0", tuple(range(ranks)), tuple(range(1, seqs + 1)), ("all_reduce",) * seqs, cells,
        np.full(cells.shape, -1, np.int64), np.zeros(cells.shape, np.bool_), (seqs,) * ranks,
    )  # fmt: skip


async def test_only_what_is_in_sight_is_drawn(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(200, 50)) as pilot:
        await settled(pilot)
        screen = await shown(app, pilot, settled, RecordedJob(2).launch("all_reduce").findings())
        grid, matrix = screen.grid, large(1024, 2000)
        grid.show(matrix, [str(rank) for rank in matrix.ranks], range(1024), 512)
        await settled(pilot)
        assert "▼" in line_of(grid, 1)
        assert line_of(grid, HEAD_ROWS + grid.place - int(grid.scroll_offset.y)).rstrip().endswith("◆")
        assert 0 < len(grid._strips) <= 100
        drawn = dict(grid._strips)
        await press(pilot, settled, "j")
        assert all(grid._strips[key] is strip for key, strip in drawn.items()), "moving the cursor draws no row anew"
        await press(pilot, settled, "home", "end", "H", "H")
        assert len(grid._strips) <= 1024


def test_every_state_has_a_glyph_of_its_own() -> None:
    assert set(LOOKS) == set(Cell)
    assert len(set(GLYPHS)) == len(GLYPHS) == len(Cell) + 1


def test_the_log_line_is_that_of_the_same_operation() -> None:
    findings = RecordedJob(2).launch("all_reduce", state=PENDING).findings()
    watchdog, other = Evidence("a.log", 7, "", 100.0), Evidence("a.log", 9, "", 200.0)
    state = RankState(
        0, groups=(GroupState("0", stuck_on=StuckOn(1, "ALLREDUCE"), evidence=watchdog),), last_words=other
    )
    view = view_of(findings, state)
    found = matching_line(view, 0, "0", 1, None)
    assert found is not None
    assert (found.line, found.how) == (7, "the log's own word of #1")
    later = matching_line(view, 0, "0", 2, None)
    assert later is not None
    assert "says most" in later.how
    assert matching_line(view, 1, "0", 1, None) is None


def test_transfers_are_drawn_by_launch_number() -> None:
    job = RecordedJob(3).transfer("send 0->1", 0).transfer("send 0->1", 0, state=PENDING).transfer("recv 1<-0", 1)
    (chart,) = charts(job.findings((0, 1)))
    matrix = chart.matrix()
    assert chart.transfers
    assert (matrix.seqs, matrix.front) == ((1, 2), (2, 3, None))
    assert matrix.cells.tolist() == [
        [Cell.COMPLETED, Cell.SCHEDULED],
        [Cell.COMPLETED, Cell.NOTHING],
        [Cell.NO_DUMP, Cell.NO_DUMP],
    ]


def test_moments_and_frames_in_words() -> None:
    findings = RecordedJob(1).launch("all_reduce").findings()
    assert own_frame(findings.entry(0, 0).stack) == "all_reduce at train.py:10"
    assert own_frame(()) == ""
    assert moment(1_772_725_323_000_000_500) == "2026-03-05 15:42:03.000000 UTC"
    assert moment(0) == moment(-5) == moment(1 << 80) == "–"
