"""A job that writes on while it is looked at."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from logtui.parsers.files.discover import LogChanges
from logtui.tui import read_again
from logtui.tui.app import LogtuiApp
from logtui.tui.read_again import growth_words, short_words
from logtui.tui.widgets.frame import HeadLine

Settled = Callable[[Pilot[int]], Awaitable[None]]

STEPS = "".join(f"2026-11-21 04:{n:02d}:00,000 INFO train: step {n} loss 2.31 step_time 60.0s\n" for n in range(9))
KILLED = "[rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "logs" / "rank0.log"
    path.parent.mkdir()
    path.write_text(STEPS)
    return path


def said(app: LogtuiApp) -> list[str]:
    return [note.message for note in app._notifications]


async def settle(pilot: Pilot[int], settled: Settled) -> None:
    await settled(pilot)  # the look
    await settled(pilot)  # the reading that follows from it


async def test_what_was_written_since_is_read_on_demand(log: Path, settled: Settled) -> None:
    app = LogtuiApp([log.parent])
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert app.case_screen.view is not None and app.case_screen.view.report.verdict.cls != "gpu-oom"
        await pilot.press("5", "up", "up")
        await settled(pilot)
        place = app.case_screen.selection.place
        with log.open("a") as file:
            file.write(KILLED)
        await pilot.press("ctrl+r")
        await settle(pilot, settled)
        report = app.case_screen.view.report
        assert report.verdict.cls == "gpu-oom"
        assert report.revisions[-1].because is not None and report.revisions[-1].because.line == 10
        assert app.case_screen.selection.place == place
        assert said(app)[0].startswith("reading again: 1 file grew by")
        assert said(app)[1].startswith("the verdict is another now: it was:")


async def test_nothing_new_and_nothing_else(log: Path, settled: Settled) -> None:
    app = LogtuiApp([log.parent])
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+r")
        await settle(pilot, settled)
        assert said(app) == ["nothing was written since"]
        with log.open("a") as file:
            file.write("good night\n")
        await pilot.press("ctrl+r")
        await settle(pilot, settled)
        assert said(app)[1:] == ["reading again: 1 file grew by 11 B", "read again: the verdict stands"]


async def test_a_live_job_is_looked_at_by_itself(log: Path, settled: Settled, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_again, "LOOK_EVERY_S", 0.05)
    app = LogtuiApp([log.parent])
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        with log.open("a") as file:
            file.write(KILLED)
        head = app.case_screen.query_one(HeadLine)
        for _ in range(200):
            if head.growth:
                break
            await pilot.pause(0.02)
        assert "+81 B · ctrl+r reads" in head.render().plain
        monkeypatch.setattr(read_again, "LOOK_EVERY_S", 60.0)
        await pilot.press("ctrl+r")
        await settle(pilot, settled)
        assert "ctrl+r" not in head.render().plain


def test_growth_in_words() -> None:
    assert growth_words(LogChanges(3, 4_200_000, 1, 2, 1)) == "3 files grew by 4.2 MB, 1 new, 2 replaced, 1 gone"
    assert short_words(LogChanges(3, 4_200_000, 1)) == "+4.2 MB"
    assert short_words(LogChanges(new=1)) == "1 file changed"


async def test_a_job_that_is_followed_is_read_by_itself(
    log: Path, settled: Settled, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_again, "FOLLOW_EVERY_S", 0.05)
    app = LogtuiApp([log.parent], follow=True)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        with log.open("a") as file:
            file.write(KILLED)
        for _ in range(100):
            await pilot.pause(0.05)
            view = app.case_screen.view
            if view is not None and view.report.verdict.cls == "gpu-oom":
                break
        await pilot.pause(0.2)
        assert view is not None and view.report.verdict.cls == "gpu-oom"
        assert any(text.startswith("the verdict is another now") for text in said(app))
        assert not any("the verdict stands" in text for text in said(app))
        await pilot.press("ctrl+t")
        await settled(pilot)
        assert said(app)[-1].endswith("no longer following")


async def test_what_is_late_is_said_once_while_following(
    log: Path, settled: Settled, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_again, "FOLLOW_EVERY_S", 0.05)
    an_hour_ago = log.stat().st_mtime - 3600
    os.utime(log, (an_hour_ago, an_hour_ago))
    app = LogtuiApp([log.parent])
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert not any(text.startswith("late: ") for text in said(app))
        await pilot.press("ctrl+t")
        for _ in range(100):
            await pilot.pause(0.05)
            if any(text.startswith("late: ") for text in said(app)):
                break
        await pilot.pause(0.3)
        assert [text for text in said(app) if text.startswith("late: ")] == [
            "late: step 9 is 60 minutes late, usual is 60 s a step"
        ]
