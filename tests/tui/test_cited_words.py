"""The words that decide are on the screen, however far right they stand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from logtui.diagnosis.model.report import TimelineEvent
from logtui.diagnosis.session.opening import Options
from logtui.tui.app import LogtuiApp
from logtui.tui.panes.raw.viewer import RawViewer
from logtui.tui.panes.timeline.pane import EventList
from logtui.tui.shared.shortening import load_formats

LONG = "=" * 63_000 + " slurmstepd: error: *** JOB 77 ON node003 CANCELLED AT 2026-02-24T15:00:00 DUE TO TIME LIMIT ***"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_end_of_a_long_cited_line_is_shown(
    tmp_path: Path, settled: Callable[[Pilot[int]], Awaitable[None]], size: tuple[int, int]
) -> None:
    load_formats()
    (tmp_path / "job.log").write_text("first\n" + LONG + "\nlast\n")
    app = LogtuiApp([tmp_path], options=Options(jobs=1, no_cache=True))
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        viewer = app.screen.query_one(RawViewer)
        viewer.decoration.cited = {2: LONG}
        viewer.move_to(2)
        viewer.redraw()
        await settled(pilot)
        rows = [viewer.render_line(y).text[viewer._digits + 3 : -1] for y in range(viewer.size.height)]
        assert "DUE TO TIME LIMIT" in "".join(rows)
        assert any("…" in viewer.render_line(y).text[:6] for y in range(viewer.size.height))


WATCHDOG = (
    "[rank3]:[E224 15:39:41.073545455 ProcessGroupNCCL.cpp:632] [Rank 3] Watchdog caught collective operation "
    "timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE, NumelIn=4, NumelOut=4, Timeout(ms)=600000) ran for 600011 ms"
)
Settled = Callable[[Pilot[int]], Awaitable[None]]


@asynccontextmanager
async def reading(folder: Path, settled: Settled) -> AsyncIterator[tuple[Pilot[int], RawViewer]]:
    """The app on a job whose second line is a watchdog's, and its raw lines."""
    (folder / "job.log").write_text(f"first\n{WATCHDOG}\nlast\n")
    app = LogtuiApp([folder], options=Options(jobs=1, no_cache=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        yield pilot, app.screen.query_one(RawViewer)


def drawn(viewer: RawViewer, line: int) -> str:
    """The first row of a line, without the scroll bar."""
    return viewer.render_line(viewer.window.rows_of(line)[0]).text[:-1].rstrip()


async def test_prefixes_fold_where_room_is_short(tmp_path: Path, settled: Settled) -> None:
    """And are there to the left of what the line says; a line that goes on says so."""
    async with reading(tmp_path, settled) as (pilot, viewer):
        viewer.decoration.cited = {}
        viewer.focus()
        viewer.move_to(1)
        await settled(pilot)
        assert drawn(viewer, 2).startswith("2   r3 15:39:41 Watchdog caught collective")
        assert drawn(viewer, 2).endswith("…")
        await pilot.press("left")
        assert drawn(viewer, 2).startswith("2   [rank3]:[E224")
        await pilot.press("right", "right")
        assert drawn(viewer, 2).startswith("2   r3 15:39:41…collective operation")
        await pilot.press("0")
        assert drawn(viewer, 2).startswith("2   [rank3]:[E224")


async def test_the_line_under_the_cursor_scrolls_too(tmp_path: Path, settled: Settled) -> None:
    async with reading(tmp_path, settled) as (pilot, viewer):
        viewer.decoration.cited = {2: WATCHDOG}
        viewer.focus()
        viewer.move_to(2)
        await pilot.press("0")
        assert "[rank3]:[E224" in drawn(viewer, 2)
        await pilot.press("right")
        assert "39:41.073545455 Proc" in drawn(viewer, 2)
        assert "[rank3]" not in drawn(viewer, 2)


async def test_a_match_in_a_folded_prefix_is_shown(tmp_path: Path, settled: Settled) -> None:
    async with reading(tmp_path, settled) as (_, viewer):
        viewer.decoration.cited = {}
        viewer.move_to(2)
        viewer.reveal(0, 6)
        assert "[rank3]:" in drawn(viewer, 2)


def test_an_event_shows_the_piece_that_matters() -> None:
    load_formats()
    events = EventList()
    what = (
        "x" * 300 + " slurmstepd: error: *** JOB 77 ON node003 CANCELLED AT 2026-02-24T15:00:00 DUE TO TIME LIMIT ***"
    )
    events.show_events((TimelineEvent(0.0, "exact", "scheduler", None, what, "a.log", 1),))
    shown = "".join(text for text, _ in events.cells(0, 80))
    assert "JOB 77 ON node003 CANCELLED" in shown
    assert "…" in shown
