"""The words that decide are on the screen, however far right they stand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from logtui.diagnosis.session.opening import Options
from logtui.tui.app import LogtuiApp
from logtui.tui.panes.raw.painting import load_formats
from logtui.tui.panes.raw.viewer import RawViewer

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
