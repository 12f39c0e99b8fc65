"""Reading in the background, and what reaches outside the terminal."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from logtui.diagnosis.session.opening import Options, Update
from logtui.parsers.errors import NothingToRead, PathMissing
from logtui.parsers.scan.plan import Progress
from logtui.tui.app import LogtuiApp, run_app
from logtui.tui.screens.commands import CaseCommands, bound
from logtui.tui.widgets.frame import HeadLine

Settled = Callable[[Pilot[int]], Awaitable[None]]


async def test_copy_puts_the_place_on_the_clipboard_and_shows_it(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("y")
        await settled(pilot)
        assert app.clipboard == "error-4821-7.out:402"
        assert [n.message for n in app._notifications] == ["copied: error-4821-7.out:402"]


async def test_the_editor_opens_at_the_line(
    app: LogtuiApp, settled: Settled, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ran: list[list[str]] = []

    @contextmanager
    def suspended() -> Iterator[None]:
        yield

    monkeypatch.setenv("EDITOR", sys.executable)
    monkeypatch.setattr(subprocess, "run", lambda command, check: ran.append(command))
    monkeypatch.setattr(app, "suspend", suspended)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("o")
        await settled(pilot)
    assert ran == [[sys.executable, str(tmp_path / "logs" / "error-4821-7.out")]]


async def test_an_editor_that_is_not_there_is_named(
    app: LogtuiApp, settled: Settled, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "no-such-editor")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("o")
        await settled(pilot)
        assert [n.message for n in app._notifications] == ["no-such-editor is not installed; set $EDITOR"]


async def test_the_report_is_written_to_the_current_directory(
    app: LogtuiApp, settled: Settled, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("E", "w")
        await settled(pilot)
        await pilot.press("E", "w")
        await settled(pilot)
    assert sorted(path.name for path in work.iterdir()) == ["logtui-report-4821-2.md", "logtui-report-4821.md"]
    assert "rank 57" in (work / "logtui-report-4821.md").read_text()


async def test_a_report_that_cannot_be_written_says_why(
    app: LogtuiApp, settled: Settled, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> Path:
        raise PermissionError("no space here")

    monkeypatch.setattr("logtui.tui.screens.export.new_path", refuse)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("E", "w")
        await pilot.pause()
        while any(not worker.is_finished for worker in app.workers):
            await pilot.pause()
        await pilot.pause()
        assert [n.message for n in app._notifications] == ["PermissionError: no space here"]


async def test_progress_is_shown_and_escape_keeps_what_was_read(job: Any, settled: Settled) -> None:
    stopped, told = Event(), Event()

    def read(paths: Sequence[Path], options: Options | None, cancelled: Callable[[], bool]) -> Iterator[Update]:
        yield Update(Progress(6, 16, 41_000_000, 100_000_000))
        told.set()
        while not cancelled():
            stopped.wait(0.005)
        yield job.update(provisional=True)

    app = LogtuiApp([job.path], title="demo", reader=read)
    async with app.run_test(size=(120, 40)) as pilot:
        while not told.is_set():
            await pilot.pause()
        await pilot.pause()
        head = app.case_screen.query_one(HeadLine)
        assert "reading 41% · 6/16 files · 41.0 MB of 100 MB · esc stops" in head.render().plain
        await pilot.press("escape")
        while app.case_screen.view is None:
            await pilot.pause()
        assert "so far: ●●● high" in str(app.case_screen.query_one("#verdict-sure", Static).content)


async def test_rate_and_time_left_where_there_is_room_and_trouble_once(job: Any) -> None:
    told, go = Event(), Event()
    some = Progress(
        6, 16, 4_000_000_000, 10_000_000_000, elapsed_s=2.0, bytes_before=1_000_000_000, trouble="\x1b]0;no"
    )

    def read(paths: Sequence[Path], options: Options | None, cancelled: Callable[[], bool]) -> Iterator[Update]:
        yield Update(some)
        yield Update(replace(some, files_done=7), job.update().analysis)
        told.set()
        go.wait(10)

    app = LogtuiApp([job.path], title="demo", reader=read)
    async with app.run_test(size=(140, 40)) as pilot:
        while not told.is_set():
            await pilot.pause()
        await pilot.pause()
        said = "reading 40% · 7/16 files · 4.0 GB of 10.0 GB · 1.5 GB/s · 4 s left · esc stops"
        assert said in app.case_screen.query_one(HeadLine).render().plain
        messages = [n.message for n in app._notifications]
        go.set()
    assert messages == ["A worker failed; what it was to read is read here. ·]0;no"]


async def test_a_failure_after_the_first_report_is_shown(job: Any) -> None:
    def read(paths: Sequence[Path], options: Options | None, cancelled: Callable[[], bool]) -> Iterator[Update]:
        yield job.update()
        raise RuntimeError("the disk went away")

    app = LogtuiApp([job.path], reader=read)
    async with app.run_test(size=(80, 24)) as pilot:
        title = app.case_screen.query_one("#verdict-title", Static)
        while "went away" not in str(title.content):
            await pilot.pause()
        assert app.failure is None
        assert app.case_screen.view is not None


async def test_without_a_log_the_app_leaves_and_tells_why(job: Any) -> None:
    def read(paths: Sequence[Path], options: Options | None, cancelled: Callable[[], bool]) -> Iterator[Update]:
        raise NothingToRead(paths[0], "no files there")
        yield

    app = LogtuiApp([job.path], reader=read)
    async with app.run_test(size=(80, 24)) as pilot:
        while app.failure is None:
            await pilot.pause()
    assert isinstance(app.failure, NothingToRead)
    assert app.return_code == 2


def test_a_missing_path_is_told_before_the_app_starts(tmp_path: Path) -> None:
    with pytest.raises(PathMissing):
        run_app([tmp_path / "nowhere"])


async def test_everything_a_key_does_is_in_the_palette(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        provider = CaseCommands(app.screen)
        titles = [hit.display async for hit in provider.discover()]  # type: ignore[union-attr]
        assert len(titles) == len(set(titles))
        for title in ("go: Cause", "line: Copy", "raw: Next match", "ranks: Next odd rank", "timeline: Zoom in"):
            assert title in titles
        found = [hit async for hit in provider.search("next match")]
        assert found


async def test_a_command_acts_on_its_pane_wherever_the_focus_is(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        hits = [hit async for hit in CaseCommands(app.screen).discover()]
        last = next(hit for hit in hits if hit.display == "raw: Last line")  # type: ignore[union-attr]
        await last.command()
        await settled(pilot)
        assert app.case_screen.selection.line == 409


async def test_every_binding_has_an_id_of_its_own_and_words(app: LogtuiApp) -> None:
    async with app.run_test(size=(80, 24)):
        ids = [binding.id for _, binding in bound(app.screen)]
        assert len(ids) == len(set(ids))
        assert all(binding.description for _, binding in bound(app.screen))


def test_the_first_frame_waits_for_no_numpy() -> None:
    code = "import sys, logtui.tui.app; print([m for m in ('numpy', 'hyperscan', 'rapidfuzz') if m in sys.modules])"
    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert seen.stdout.strip() == "[]"
