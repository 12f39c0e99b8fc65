"""The odd-lines view, driven by keys."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from logtui.diagnosis.session.opening import Options
from logtui.tui.app import LogtuiApp
from logtui.tui.panes.raw.viewer import RawViewer
from logtui.tui.screens.odd_lines import OddScreen

Settled = Callable[[Pilot[int]], Awaitable[None]]
SIZES = [(80, 24), (200, 50)]
IDS = ["80x24", "200x50"]
COIL = "2026-11-21 04:15:00,000 warp coil 3 is out of phase: cannot go on\n"


def write_job(folder: Path, odd: str = COIL) -> Path:
    """Five ranks that read a batch a minute; rank 3 stops early and says something of its own."""
    folder.mkdir()
    for rank in range(5):
        minutes = range(12 if rank == 3 else 20)
        text = "".join(f"2026-11-21 04:{m:02d}:00,000 read batch {m} of rank {rank}\n" for m in minutes)
        (folder / f"rank{rank}.log").write_text(text + odd * (rank == 3))
    return folder


@pytest.fixture
def odd_app(tmp_path: Path) -> LogtuiApp:
    return LogtuiApp([write_job(tmp_path / "bad")], Options(jobs=1, no_cache=True), title="odd")


@pytest.fixture
def compared_app(tmp_path: Path) -> LogtuiApp:
    good = write_job(tmp_path / "good", "")
    options = Options(jobs=1, no_cache=True, baseline=(good,))
    return LogtuiApp([write_job(tmp_path / "bad")], options, title="odd")


async def press(pilot: Pilot[int], settled: Settled, *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


def screen_of(app: LogtuiApp) -> OddScreen:
    assert isinstance(app.screen, OddScreen)
    return app.screen


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_two_keys_lead_to_the_odd_line(odd_app: LogtuiApp, settled: Settled, size: tuple[int, int]) -> None:
    async with odd_app.run_test(size=size) as pilot:
        await settled(pilot)
        await press(pilot, settled, "b")
        assert "out of phase" in screen_of(odd_app).listed.render_line(0).text
        assert "rank 3" in screen_of(odd_app).listed.render_line(0).text
        await press(pilot, settled, "enter")
        assert odd_app.screen is odd_app.case_screen
        assert odd_app.case_screen.selection.place == "rank3.log:13"
        assert odd_app.case_screen.selection.why.startswith("odd: said by nobody else")
        assert isinstance(odd_app.focused, RawViewer)


async def test_sections_go_round(odd_app: LogtuiApp, settled: Settled) -> None:
    async with odd_app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "b", "tab")
        screen = screen_of(odd_app)
        assert screen.sections[screen.number].name == "fell silent"
        assert screen.row is not None and (screen.row.who, screen.row.number) == ("rank 3", "4 min")
        await press(pilot, settled, "down", "tab", "tab")
        assert (screen.number, screen.listed.cursor) == (0, 0)
        await press(pilot, settled, "shift+tab")
        assert screen.sections[screen.number].name == "stopped saying"
        await press(pilot, settled, "b")
        assert odd_app.screen is odd_app.case_screen


async def test_a_healthy_run_comes_first(compared_app: LogtuiApp, settled: Settled) -> None:
    async with compared_app.run_test(size=(200, 50)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "b")
        screen = screen_of(compared_app)
        assert screen.sections[0].name.startswith("not in ") and len(screen.sections[0].rows) == 1
        assert "all of their text" in str(screen.query_one("#odd-looked", Static).content)


async def test_lines_are_compared_once_all_is_read(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "b")
        assert app.screen is app.case_screen


async def test_help_and_copy(odd_app: LogtuiApp, settled: Settled, monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[str] = []
    monkeypatch.setattr(odd_app, "copy_to_clipboard", copied.append)
    async with odd_app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "b", "y", "question_mark")
        assert copied == ["rank3.log:13"]
        assert odd_app.screen is not screen_of_stack(odd_app)
        await press(pilot, settled, "escape")
        assert isinstance(odd_app.screen, OddScreen)


def screen_of_stack(app: LogtuiApp) -> OddScreen:
    return next(s for s in app.screen_stack if isinstance(s, OddScreen))


@pytest.mark.parametrize("keys", [("b",), ("b", "tab")], ids=["said-by-few", "fell-silent"])
def test_looks(odd_app: LogtuiApp, settled: Settled, snap_compare: Any, keys: Sequence[str]) -> None:
    async def run(pilot: Pilot[int]) -> None:
        await settled(pilot)
        await press(pilot, settled, *keys)
        pilot.app.clear_notifications()  # that it compares: gone by the time that anybody reads
        await settled(pilot)

    assert snap_compare(odd_app, terminal_size=(80, 24), run_before=run)


async def test_a_sure_verdict_is_compared_on_request(tmp_path: Path, settled: Settled) -> None:
    fatal = "2026-11-21 04:15:01,000 torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n"
    app = LogtuiApp([write_job(tmp_path / "bad", COIL + fatal)], Options(jobs=1, no_cache=True), title="odd")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        view = app.case_screen.view
        assert view is not None and view.report.verdict.cls == "gpu-oom" and view.report.odd_lines is None
        await press(pilot, settled, "b")
        assert any("out of phase" in row.evidence.text for row in screen_of(app).listed.rows)
