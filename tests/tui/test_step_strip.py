"""The strip of step times in the timeline."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from logtui.diagnosis.model.analyses import StepTime
from logtui.diagnosis.session.opening import Options
from logtui.parsers.generator import demo_directory
from logtui.tui.app import LogtuiApp
from logtui.tui.panes.timeline.lanes import EMPTY, FAST, SLOW, STEP_TIME, TimelineLanes, strip_columns
from logtui.tui.shared.timeline_scale import Scale

Settled = Callable[[Pilot[int]], Awaitable[None]]


def times(*ms: float, every: float = 10.0) -> list[StepTime]:
    return [StepTime(every * n, n, one, one > 180.0) for n, one in enumerate(ms)]


def test_height_is_the_time_and_slow_is_marked() -> None:
    columns = strip_columns(times(100.0, 100.0, 800.0), Scale(0.0, 20.0, 3))
    assert columns == [("▂", FAST), ("▂", FAST), ("█", SLOW)]


def test_long_stretches_fill_the_columns_up_to_their_end() -> None:
    columns = strip_columns(times(100.0, 400.0), Scale(0.0, 10.0, 6))
    assert [level for _, level in columns] == [FAST, SLOW, SLOW, SLOW, SLOW, SLOW]


def test_what_lies_outside_the_window_is_not_drawn() -> None:
    assert strip_columns(times(100.0, 100.0), Scale(500.0, 600.0, 4)) == [("·", EMPTY)] * 4
    assert strip_columns([], Scale(0.0, 1.0, 2)) == [("·", EMPTY)] * 2


def test_many_stretches_share_a_column_and_the_slow_one_shows() -> None:
    (column, _) = strip_columns(times(*[100.0] * 20, 900.0, *[100.0] * 20), Scale(0.0, 400.0, 2))
    assert column[1] in (FAST, SLOW)
    assert SLOW in {level for _, level in strip_columns(times(*[100.0] * 20, 900.0), Scale(0.0, 200.0, 2))}


@pytest.mark.parametrize("size", [(80, 24), (200, 50)], ids=["80x24", "200x50"])
async def test_a_slow_job_shows_it(tmp_path: Path, settled: Settled, size: tuple[int, int]) -> None:
    app = LogtuiApp([demo_directory("slow", tmp_path)], Options(jobs=1, no_cache=True), title="slow")
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await pilot.press("2", "0")
        await settled(pilot)
        lanes = app.case_screen.query_one(TimelineLanes)
        rows = [lanes.render_line(y).text for y in range(lanes.size.height)]
        (drawn,) = (row for row in rows if row.startswith(STEP_TIME))
        assert "█" in drawn and "▃" in drawn
        assert drawn.index("▃") < drawn.index("█")
