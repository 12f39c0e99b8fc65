"""What the app says, where it says it, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from logtui.diagnosis.model.report import PatternCount
from logtui.tui import clipboard
from logtui.tui.app import LogtuiApp
from logtui.tui.panes.ranks.pane import RankPane
from logtui.tui.panes.raw.pane import RawPane
from logtui.tui.panes.timeline.pane import TimelinePane, at_words
from logtui.tui.shared.selection import Selection
from logtui.tui.widgets.frame import Trail
from logtui.tui.widgets.pane import PaneTitle

from .conftest import DIED, Job

Settled = Callable[[Pilot[int]], Awaitable[None]]


async def press(pilot: Pilot[int], settled: Settled, *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


def said(app: LogtuiApp) -> list[str]:
    return [note.message for note in app._notifications]


async def test_a_rank_that_is_not_there_is_not_searched_for(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "slash", *"999", "enter")
        assert said(app) == ["no rank is 999: 0–127"]
        assert app.case_screen.query_one(RawPane).matches is None
        await press(pilot, settled, "1", "slash", *"watchdog", "enter")
        assert app.case_screen.query_one(RawPane).matches is not None


async def test_folding_survives_a_layout_that_is_refused(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "F", "L")
        assert app.case_screen.query_one(RankPane).wanted.folded


async def test_what_may_come_is_not_called_absent(job: Job, settled: Settled) -> None:
    job.updates = [job.update(provisional=True)]
    app = LogtuiApp([job.path], title="demo", reader=job.read)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "6")
        assert [words.startswith("still reading: daemons") for words in said(app)] == [True]


async def test_names_of_panes_are_clicked(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        shown = app.case_screen.query_one("#ranks", RankPane).query_one(PaneTitle)
        at = 2 + shown.name_shown.plain.index("3 findings")
        await pilot.click(shown, offset=(at, 0))
        await settled(pilot)
        assert app.case_screen.query_one("#findings").display
        assert app.case_screen.query_one("#findings").has_focus_within


def test_a_line_of_another_time_says_so() -> None:
    assert at_words(DIED, DIED) == "at 15:42:03"
    assert at_words(DIED - 1200, DIED) == "at 15:22:03: the nearest line is of 15:42:03"


def test_a_time_that_a_neighbour_lent_looks_otherwise() -> None:
    assert Trail(Selection(time=DIED, file="a", line=1)).words(80) == "15:42:03 › a:1"
    assert Trail(Selection(time=DIED, file="a", line=1), inherited=True).words(80) == "~15:42:03 › a:1"
    assert Trail(Selection(3, file="a", line=1)).words(80) == "rank 3 › a:1"
    assert Trail(Selection(3, file="a", line=1), guessed=True).words(80) == "rank 3? › a:1"


async def test_the_timeline_says_of_how_many_events_it_shows_some(job: Job, settled: Settled) -> None:
    job.updates = [job.update(counts=(PatternCount("a", 5_000), PatternCount("b", 7)))]
    app = LogtuiApp([job.path], title="demo", reader=job.read)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert app.case_screen.query_one("#timeline", TimelinePane).heading.note == "144 of 5,007 events"


@pytest.mark.parametrize(("exit_code", "words"), [(0, "in tmux's buffer"), (1, "tmux took no copy")])
async def test_a_copy_inside_tmux_says_whether_it_was_taken(
    app: LogtuiApp, settled: Settled, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, exit_code: int, words: str
) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "tmux").write_text(f"#!/bin/sh\n/bin/cat > {folder}/taken\nexit {exit_code}\n")
    (folder / "tmux").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("TMUX", "/a/socket,1,0")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "y")
        assert said(app) == [f"{words}: error-4821-7.out:402"]
    assert (folder / "taken").read_text() == "error-4821-7.out:402"


def test_without_tmux_nothing_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not clipboard.to_tmux("a")


async def test_the_name_of_a_member_gives_way_to_its_line(job: Job, settled: Settled) -> None:
    """In a title, at every width."""
    name = "deep/er/" * 12 + "error.out"
    (job.path / name).parent.mkdir(parents=True)
    (job.path / name).write_text("one\ntwo\n")
    for width in (60, 80, 120, 200):
        app = LogtuiApp([job.path])
        async with app.run_test(size=(width, 24)) as pilot:
            await settled(pilot)
            file = next(f.name for f in app.case_screen.view.case.files if "error.out" in f.name)  # type: ignore[union-attr]
            await press(pilot, settled, "5")
            pane = app.case_screen.query_one(RawPane)
            pane.selection = type(pane.selection)(file=file, line=2)
            await settled(pilot)
            assert ":2 of 2" in pane.heading.render().plain[: width - 1]
