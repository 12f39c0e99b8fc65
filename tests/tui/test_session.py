"""Marks, notes, sessions, the report before it is written."""

from __future__ import annotations

import json
import stat
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from logtui.diagnosis.model.evidence import MarkedLine
from logtui.diagnosis.session.opening import analyse_whole
from logtui.tui.app import LogtuiApp
from logtui.tui.panes.ranks.pane import RankPane
from logtui.tui.panes.raw.expressions import OtherRanks
from logtui.tui.panes.raw.filters import FilterBar
from logtui.tui.panes.raw.pane import RawPane
from logtui.tui.panes.raw.viewer import RawViewer
from logtui.tui.screens.overlay import NoteScreen
from logtui.tui.screens.report_screen import ReportScreen
from logtui.tui.screens.session_store import Session, load, save, session_path, still_fitting, with_fingerprints
from logtui.tui.shared.selection import MarkBook
from logtui.tui.widgets.frame import Breadcrumb

Settled = Callable[[Pilot[int]], Awaitable[None]]


@pytest.fixture(autouse=True)
def own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


async def press(pilot: Pilot[int], settled: Settled, *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


def mark(line: int = 7, note: str = "") -> MarkedLine:
    return MarkedLine("error-4821-7.out", line, "text", note)


def test_marks_are_walked_over_all_files() -> None:
    book = MarkBook([mark(7), mark(3), MarkedLine("a.log", 9, "x")])
    walk = [book.beyond("error-4821-7.out", line, 1) for line in (3, 5, 7)]
    assert [m.line for m in walk if m] == [7, 7, 9]
    assert book.beyond("a.log", 9, -1) == mark(7)
    book.remove("error-4821-7.out", 7)
    assert [m.line for m in book.marks] == [9, 3]
    assert MarkBook().beyond(None, None, 1) is None


async def test_a_marked_line_has_a_note_and_a_sign(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "enter", "m", *"odd", "enter")
        assert [(m.file, m.line, m.note, m.rank) for m in app.case_screen.book.marks] == [
            ("error-4821-7.out", 402, "odd", 57)
        ]
        viewer = app.case_screen.query_one(RawViewer)
        row = viewer.window.rows_of(402)[0]
        assert viewer.render_line(row).text.startswith("402*▶ ")
        await press(pilot, settled, "g", "u")
        assert viewer.cursor == 402
        await press(pilot, settled, "m")
        assert isinstance(app.screen, NoteScreen)
        await press(pilot, settled, "ctrl+a", "ctrl+k", "enter")
        assert app.case_screen.book.marks == ()


async def test_the_report_is_shown_with_marks_before_it_is_written(
    app: LogtuiApp, settled: Settled, tmp_path: Path
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "m", *"look", "enter", "r")
        assert isinstance(app.screen, ReportScreen)
        assert "look" in app.screen.text
        await press(pilot, settled, "J")
        await press(pilot, settled, "E", "C")
        written = sorted((tmp_path / "here").iterdir())
        assert [path.name for path in written] == ["logtui-report-4821.json", "logtui-report-4821.tar.zst"]
        assert json.loads(written[0].read_text())["marks"][0]["note"] == "look"
        assert analyse_whole([written[1]]).marks == app.case_screen.book.marks


async def test_what_was_kept_is_offered_and_restored(job: Any, app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(
            pilot, settled, "enter", "m", *"odd", "enter", "ampersand", *"rank5", "enter", "colon", "5", "enter"
        )
    path = session_path([job.path])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = LogtuiApp([job.path], title="demo", reader=job.read)
    async with again.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        hint = again.case_screen.query_one(Breadcrumb)
        assert "1 mark · 1 filter · at error-4821-7.out:5" in str(hint.hint)
        assert not again.case_screen.book.marks
        await press(pilot, settled, "S")
        assert [kept.note for kept in again.case_screen.book.marks] == ["odd"]
        assert [rule.typed for rule in again.case_screen.query_one(FilterBar).rules.rules] == ["rank5"]
        assert again.case_screen.selection.place == "error-4821-7.out:5"


async def test_a_session_keeps_how_the_panes_were_set(job: Any, app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "v", "F", "enter", "w", "R", "R", "slash", *"shard", "enter")
    again = LogtuiApp([job.path], title="demo", reader=job.read)
    async with again.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        ranks, raw = again.case_screen.query_one(RankPane), again.case_screen.query_one(RawPane)
        assert (ranks.mode, ranks.wanted.folded, raw.viewer.window.wrapped, raw.matches) == (0, False, False, None)
        await press(pilot, settled, "S")
        assert (ranks.mode, ranks.wanted.folded, raw.viewer.window.wrapped) == (1, True, True)
        assert (raw.filters.rules.rank, raw.filters.rules.others) == (57, OtherRanks.HIDDEN)
        assert raw.matches is not None
        assert (raw.matches.regex.pattern, raw.matches.total, raw.viewer.cursor) == ("shard", 1, 402)
        assert raw.viewer.has_focus


async def test_looking_leaves_nothing_behind(job: Any, app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "S")
        assert [n.message for n in app._notifications] == ["nothing was kept for these logs"]
    assert not session_path([job.path]).exists()


def test_files_that_were_replaced_lose_their_marks(job: Any) -> None:
    other = MarkedLine("error-4821-0.out", 3, "x")
    session = with_fingerprints(Session(marks=(mark(), other), file="error-4821-7.out", line=7), job.case)
    assert still_fitting(session, job.case) == session
    (job.path / "error-4821-7.out").write_text("another job\n")
    assert still_fitting(session, job.case) == replace(session, marks=(other,), file=None, line=None)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 99}', '{"marks": [{"file": 7}]}', "[" * 50_000])
def test_a_session_that_cannot_be_used_is_discarded(tmp_path: Path, text: str) -> None:
    path = tmp_path / "sessions" / "x.json"
    path.parent.mkdir()
    path.write_text(text)
    assert load(path) is None
    assert not path.exists()


def test_sessions_are_kept_for_the_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "state" / "sessions" / "x.json"
    save(path, Session(marks=(mark(note="n"),)))
    assert load(path) == Session(marks=(mark(note="n"),))
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [p.name for p in path.parent.iterdir()] == ["x.json"]
