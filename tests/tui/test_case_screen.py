"""Driving the screen by keys."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from logtui.diagnosis.model.report import GroupState
from logtui.tui.app import LogtuiApp
from logtui.tui.panes.files import FileList
from logtui.tui.panes.findings import FindingList
from logtui.tui.panes.ranks.grid import RankGrid
from logtui.tui.panes.raw.pane import RawPane
from logtui.tui.panes.raw.viewer import RawViewer
from logtui.tui.panes.timeline.pane import EventList
from logtui.tui.screens.case_screen import CaseScreen
from logtui.tui.screens.help import HelpPage
from logtui.tui.shared.selection import Selection
from logtui.tui.widgets.frame import Breadcrumb
from logtui.tui.widgets.row_list import ChoiceList

Settled = Callable[[Pilot[int]], Awaitable[None]]
SIZES = [(80, 24), (120, 40), (200, 50)]


def screen(app: LogtuiApp) -> CaseScreen:
    return app.case_screen


def place(app: LogtuiApp) -> str | None:
    return app.case_screen.selection.place


def at(app: LogtuiApp) -> tuple[int | None, str | None]:
    return app.case_screen.selection.rank, app.case_screen.selection.place


@pytest.mark.parametrize("size", SIZES)
async def test_one_key_to_the_proving_line(app: LogtuiApp, settled: Settled, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        assert isinstance(app.focused, RankGrid)
        assert app.focused.cursor == 57
        await pilot.press("enter")
        await settled(pilot)
        viewer = screen(app).query_one(RawViewer)
        assert app.focused is viewer
        assert place(app) == "error-4821-7.out:402"
        assert "opening shard" in viewer.text_of(viewer.cursor)


@pytest.mark.parametrize("size", SIZES)
async def test_a_move_in_the_grid_moves_all_panes(app: LogtuiApp, settled: Settled, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await pilot.press("right")
        await settled(pilot)
        assert at(app) == (58, "error-4821-7.out:403")
        viewer, events = screen(app).query_one(RawViewer), screen(app).query_one(EventList)
        assert viewer.cursor == 403
        assert screen(app).view is not None
        assert screen(app).view.events[events.cursor].rank == 58  # type: ignore[union-attr]
        files = screen(app).query_one(FileList)
        assert files.files[files.cursor].name == "error-4821-7.out"
        assert "rank 58" in str(screen(app).query_one("#rank-detail", Static).content)


async def test_a_move_in_the_raw_lines_finds_rank_and_time(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("enter", "down", "down")
        await settled(pilot)
        assert at(app) == (59, "error-4821-7.out:404")
        assert screen(app).query_one(RankGrid).cursor == 59
        assert screen(app).selection.time == 1_772_725_323.0


async def test_a_move_in_the_timeline_moves_grid_and_lines(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("2", "down", "down")
        await settled(pilot)
        assert isinstance(app.focused, EventList)
        assert at(app) == (1, "error-4821-0.out:402")
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.focused, RawViewer)


async def test_events_step_from_any_pane(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("full_stop")
        await settled(pilot)
        assert at(app) == (0, "error-4821-0.out:401")
        await pilot.press("comma")
        await settled(pilot)
        assert at(app) == (57, "error-4821-7.out:402")


async def test_the_time_cursor_moves_between_events(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        before = screen(app).selection
        await pilot.press("2", "right", "right", "right")
        await settled(pilot)
        after = screen(app).selection
        assert after.time is not None
        assert before.time is not None
        assert after.time > before.time + 60
        assert after.place == before.place


async def test_cause_and_effect_step_along_the_chain(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("e")
        await settled(pilot)
        assert at(app) == (0, "error-4821-0.out:401")
        assert screen(app).selection.why.startswith("cause 2/3")
        await pilot.press("c")
        await settled(pilot)
        assert place(app) == "error-4821-7.out:402"
        await pilot.press("c")
        await settled(pilot)
        assert place(app) == "error-4821-7.out:402"


async def test_back_and_forward(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("e", "left_square_bracket")
        await settled(pilot)
        assert place(app) == "error-4821-7.out:402"
        await pilot.press("right_square_bracket")
        await settled(pilot)
        assert place(app) == "error-4821-0.out:401"


async def test_enter_on_a_finding_opens_its_line(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("3")
        await pilot.pause()
        listed = screen(app).query_one(FindingList)
        assert app.focused is listed
        await pilot.press("down", "enter")
        await settled(pilot)
        assert place(app) == "error-4821-0.out:401"
        assert screen(app).selection.why == "supports the verdict"
        assert isinstance(app.focused, RawViewer)


async def test_the_files_open(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("4", "home", "down", "enter")
        await settled(pilot)
        assert place(app) == "error-4821-1.out:1"
        assert isinstance(app.focused, RawViewer)


async def test_outliers_are_one_key_apart(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("home")
        await settled(pilot)
        assert screen(app).selection.rank == 0
        await pilot.press("n")
        await settled(pilot)
        assert screen(app).selection.rank == 57


async def test_a_newer_report_keeps_the_selection(app: LogtuiApp, job: Any, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("right", "right")
        await settled(pilot)
        newer = job.update(verdict=replace(job.report.verdict, culprit_ranks=(3,), title="rank 3 did it"))
        app.post_message(LogtuiApp.Read(newer))
        await settled(pilot)
        assert screen(app).selection.rank == 59
        assert "rank 3 did it" in str(screen(app).query_one("#verdict-title", Static).content)


async def test_a_newer_report_moves_those_who_have_not_moved(app: LogtuiApp, job: Any, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        app.post_message(LogtuiApp.Read(job.update(verdict=replace(job.report.verdict, culprit_ranks=(3,)))))
        await settled(pilot)
        assert screen(app).selection.rank == 3


async def test_process_groups_switch(app: LogtuiApp, job: Any, settled: Settled) -> None:
    first = replace(job.report.ranks[0], groups=(*job.report.ranks[0].groups, GroupState("9", "tp", status="behind")))
    job.updates = [job.update(ranks=(first, *job.report.ranks[1:]))]
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("p")
        await settled(pilot)
        assert screen(app).selection.group == "0"
        await pilot.press("p")
        await settled(pilot)
        assert screen(app).selection.group == "9"
        assert "behind" in str(screen(app).query_one("#rank-legend", Static).content)
        await pilot.press("p")
        await settled(pilot)
        assert screen(app).selection.group is None


async def test_search_counts_and_steps(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("slash", *"watchdog", "enter")
        await settled(pilot)
        pane = screen(app).query_one(RawPane)
        assert pane.matches is not None
        assert pane.matches.total == 7
        assert place(app) == "error-4821-7.out:403"
        await pilot.press("n", "n", "N")
        await settled(pilot)
        assert place(app) == "error-4821-7.out:404"
        assert "/watchdog/ 3 of 7" in pane.heading.note


async def test_a_bad_expression_is_refused_and_an_empty_one_ends_the_search(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("slash", "a", "enter")
        await settled(pilot)
        pane = screen(app).query_one(RawPane)
        assert pane.matches is not None
        await pilot.press("slash", *"(", "enter")
        await settled(pilot)
        assert pane.matches is None
        await pilot.press("slash")
        screen(app).query_one("#prompt-field", Input).value = ""
        await pilot.press("enter")
        await settled(pilot)
        assert pane.matches is None


async def test_the_prompt_closes_on_escape_and_does_not_stop_reading(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("5", "slash", "escape")
        await settled(pilot)
        assert isinstance(app.focused, RawViewer)


async def test_a_line_by_number(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("colon", *"17", "enter")
        await settled(pilot)
        assert place(app) == "error-4821-7.out:17"
        await pilot.press("G")
        await settled(pilot)
        assert place(app) == "error-4821-7.out:409"
        await pilot.press("g")
        await settled(pilot)
        assert place(app) == "error-4821-7.out:1"


async def test_the_finder_goes_to_a_rank(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("f", *"rank 101", "enter")
        await settled(pilot)
        assert at(app) == (101, "error-4821-12.out:406")


async def test_the_finder_walks_and_closes(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("f", *"node012", "down")
        await pilot.pause()
        assert app.screen.query_one(ChoiceList).chosen == 1
        await pilot.press("escape")
        await settled(pilot)
        assert app.screen is screen(app)
        assert screen(app).selection.rank == 57


async def test_the_finder_opens_a_file(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("f", *"4821-11", "enter")
        await settled(pilot)
        assert place(app) == "error-4821-11.out:1"


async def test_zoom_shows_one_pane_alone(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("5", "z")
        await settled(pilot)
        assert screen(app).maximized is screen(app).query_one(RawPane)
        await pilot.press("z")
        await settled(pilot)
        assert screen(app).maximized is None


async def test_panes_come_forward_where_they_share_a_place(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        for key, name in (("2", "timeline"), ("3", "findings"), ("4", "files"), ("1", "ranks")):
            await pilot.press(key)
            await settled(pilot)
            shown = [p for p in ("ranks", "timeline", "findings", "files") if screen(app).query_one(f"#{p}").display]
            assert shown == [name]
            assert screen(app).focused_pane() is screen(app).query_one(f"#{name}")


async def test_a_terminal_that_is_too_small_says_so_and_recovers(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(50, 12)) as pilot:
        await settled(pilot)
        assert screen(app).query_one("#too-small").display
        await pilot.resize_terminal(80, 24)
        await settled(pilot)
        assert not screen(app).query_one("#too-small").display
        assert screen(app).query_one("#panes").display


async def test_the_whole_line_opens_above(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("right", "enter", "enter")
        await settled(pilot)
        assert "before timing out." in str(app.screen.query_one("#whole-line-text", Static).content)
        await pilot.press("escape")
        await settled(pilot)
        assert app.screen is screen(app)


async def test_help_explains_the_focused_pane(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("5", "question_mark")
        await settled(pilot)
        assert app.screen.query_one(HelpPage).render_line(0).text.strip() == "Raw lines"
        lines = [line.text for line in app.screen.query_one(HelpPage).lay_out(60)]
        assert any(line.split() == "c To the line that caused this one".split() for line in lines)
        await pilot.press("escape")
        await settled(pilot)
        assert app.screen is screen(app)


async def test_nothing_is_selected_before_there_is_a_report(job: Any, settled: Settled) -> None:
    job.updates = []
    app = LogtuiApp([job.path], reader=job.read)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press(
            "enter", "c", "e", "comma", "full_stop", "slash", "f", "p", "n", "2", "down", "5", "down", "y", "o", "r"
        )
        await settled(pilot)
        assert screen(app).selection == Selection()


@pytest.mark.parametrize("size", [(80, 24), (200, 50)])
async def test_a_typed_time_moves_the_cursor_and_the_lines(
    app: LogtuiApp, settled: Settled, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await pilot.press("t")
        await settled(pilot)
        await pilot.press(*"15:06:23", "enter")
        await settled(pilot)
        here = screen(app).selection
        assert (here.time, here.place) == (1_772_725_323.0 - 2140, "error-4821-7.out:61")
        assert isinstance(app.focused, EventList)
        await pilot.press("t")
        await settled(pilot)
        await pilot.press(*"+1m", "enter")
        await settled(pilot)
        assert screen(app).selection.place == "error-4821-7.out:121"
        await pilot.press("left_square_bracket", "left_square_bracket")
        await settled(pilot)
        assert place(app) == "error-4821-7.out:402"


async def test_what_is_no_time_moves_nothing(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        before = screen(app).selection
        await pilot.press("t")
        await settled(pilot)
        await pilot.press(*"soon", "enter")
        await settled(pilot)
        assert screen(app).selection == before


async def test_the_breadcrumb_says_where_we_are_and_how_far_back(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        crumb = screen(app).query_one(Breadcrumb)
        assert str(crumb.render()).startswith("[   node007 › rank 57 › 15:12:01 › error-4821-7.out:402 › proves the")
        await pilot.press("e", "e")
        await settled(pilot)
        await pilot.press("left_square_bracket")
        await settled(pilot)
        assert (crumb.trail.back, crumb.trail.forward) == (0, 1)
        await pilot.press("right_square_bracket")
        await settled(pilot)
        assert "error-4821-0.out:401 › cause 2/3" in str(crumb.render())


async def test_back_and_forward_pass_jumps_not_steps(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("down", "down", "right", "c", "left_square_bracket")
        await settled(pilot)
        assert screen(app).selection.rank == 74
        await pilot.press("left_square_bracket")
        await settled(pilot)
        assert screen(app).selection.rank == 57
        await pilot.press("right_square_bracket", "right_square_bracket", "right_square_bracket")
        await settled(pilot)
        assert place(app) == "error-4821-7.out:402"


async def test_a_line_in_the_middle_stays_there_when_panes_take_room(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        viewer = screen(app).query_one(RawViewer)
        for size in ((120, 34), (120, 48), (200, 50)):
            await pilot.resize_terminal(*size)
            await settled(pilot)
            rows = viewer.window.rows_of(viewer.cursor)
            lines_left = viewer.line_count - viewer.cursor
            assert rows.start == max(viewer.size.height // 2, viewer.size.height - 1 - lines_left)


@pytest.mark.parametrize("height", [30, 36, 40])
async def test_the_odd_rank_is_in_sight_at_first(app: LogtuiApp, settled: Settled, height: int) -> None:
    async with app.run_test(size=(120, height)) as pilot:
        await settled(pilot)
        grid = screen(app).query_one(RankGrid)
        row = grid.layout_of_ranks.row_of(57)
        assert row is not None
        assert grid.scroll_offset.y <= row < grid.scroll_offset.y + grid.size.height


async def test_a_cited_line_under_the_cursor_is_shown_whole(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("e")
        await settled(pilot)
        viewer = screen(app).query_one(RawViewer)
        rows = viewer.window.rows_of(viewer.cursor)
        assert len(rows) > 1
        shown = "".join(viewer.render_line(y).text[6:-1].rstrip() for y in rows)
        assert shown.endswith("ran for 1800011 milliseconds before timing out.")
        await pilot.press("enter", "escape", "up")
        await settled(pilot)
        assert len(viewer.window.rows_of(viewer.cursor)) == 1


async def test_without_ranks_the_findings_are_in_front(job: Any, settled: Settled) -> None:
    facts = replace(job.report.job, world_size=None)
    verdict = replace(job.report.verdict, culprit_ranks=())
    coverage = replace(job.report.coverage, ranks_expected=None)
    job.updates = [job.update(ranks=(), job=facts, verdict=verdict, coverage=coverage)]
    app = LogtuiApp([job.path], title="demo", reader=job.read)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        pane = screen(app).focused_pane()
        assert pane is not None
        assert pane.id == "findings"
        assert screen(app).selection.place == "error-4821-7.out:402"
        await pilot.press("1")
        await settled(pilot)
        assert "No line of any file names a rank" in str(screen(app).query_one("#rank-detail", Static).content)


async def test_without_dumps_their_key_says_so(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("d")
        await settled(pilot)
        assert [n.message for n in app._notifications] == ["no flight-recorder dumps are among these files"]


@pytest.mark.parametrize("between", [(40, 10), (80, 24), (250, 70)], ids=["too-small", "80x24", "250x70"])
@pytest.mark.parametrize("pane", ["ranks", "timeline", "findings", "files", "raw"])
async def test_a_resize_leaves_the_user_in_the_same_pane(
    app: LogtuiApp, settled: Settled, pane: str, between: tuple[int, int]
) -> None:
    async with app.run_test(size=(200, 50)) as pilot:
        await settled(pilot)
        screen(app).action_pane(pane)
        await settled(pilot)
        for size in (between, (100, 30)):
            await pilot.resize_terminal(*size)
            await settled(pilot)
        now = screen(app).focused_pane()
        assert now is not None
        assert now.id == pane
        assert not now.has_class("-behind")
