"""From the start to the proving line, in keys."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from logtui.diagnosis.session.opening import Options
from logtui.parsers.generator import demo_directory
from logtui.tui.app import LogtuiApp
from logtui.tui.panes.raw.viewer import RawViewer

Settled = Callable[[Pilot[int]], Awaitable[None]]


@pytest.mark.parametrize("demo", ["classic", "sigkill", "oom", "mismatch", "rendezvous"])
async def test_the_proof_is_on_the_first_screen_and_one_key_enters_it(
    demo: str, settled: Settled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    app = LogtuiApp([demo_directory(demo, tmp_path)], Options(jobs=1, no_cache=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        screen = app.case_screen
        assert screen.view is not None
        first = screen.view.report.verdict.first_evidence
        assert first is not None
        viewer = screen.query_one(RawViewer)
        assert screen.selection.place == first.place
        assert first.text[:40] in viewer.text_of(viewer.cursor)
        assert len(viewer.window.rows_of(viewer.cursor)) > 0, "in sight"
        await pilot.press("enter")
        await settled(pilot)
        assert viewer.has_focus
        assert screen.selection.place == first.place
