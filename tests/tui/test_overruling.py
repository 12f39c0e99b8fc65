"""Where a verdict is open, the screen leads to what it did not weigh, and takes the user's word for the cause."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from logtui.diagnosis.model.analyses import Explained
from logtui.diagnosis.model.evidence import Evidence
from logtui.tui.app import LogtuiApp
from logtui.tui.panes.findings import FindingList
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.deciding import deciding_keys
from logtui.tui.shared.walks import Walk
from logtui.tui.shared.wording import cut_to_rows

from .conftest import Job

Settled = Callable[[Pilot[int]], Awaitable[None]]
OPEN = Explained("unexplained", "nothing says how it ended", "boom", Evidence("error-4821-3.out", 20, "boom"))


@pytest.fixture(autouse=True)
def own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def open_case(job: Job) -> CaseView:
    verdict = replace(job.report.verdict, confidence="medium")
    return CaseView(replace(job.report, verdict=verdict, explained=(OPEN,)), job.case)


def test_an_open_verdict_ends_with_the_keys_that_decide(job: Job, view: CaseView) -> None:
    assert [key for key, _ in deciding_keys(open_case(job))] == ["i", "b", "x", "R R", "|"]
    assert [key for key, _ in deciding_keys(view)] == ["R R", "|"]


def test_a_walk_goes_round_and_names_its_place() -> None:
    walk = Walk.of("error", [("b", 3), ("a", 9), ("a", 9), ("a", 2)])
    assert [walk.beyond(here, 1) for here in (("a", 1), ("a", 2), ("b", 3))] == [0, 1, 0]
    assert [walk.beyond(here, -1) for here in (("a", 1), ("b", 3))] == [2, 1]
    assert walk.words(1) == "error 2 of 3"
    assert Walk.of("error", ()).beyond(("a", 1), 1) is None


def test_a_sentence_is_cut_where_its_rows_end() -> None:
    assert cut_to_rows("one two three four", 9, 2) == "one two three fo…"
    assert cut_to_rows("one two", 9, 1) == "one two"


async def test_errors_and_what_is_not_explained_are_walked_from_any_pane(job: Job, settled: Settled) -> None:
    job.updates = [job.update(explained=(OPEN,))]
    app = LogtuiApp([job.path], title="demo", reader=job.read)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("i")
        assert app.case_screen.selection.place == "error-4821-3.out:20"
        assert app.case_screen.selection.why == "not explained 1 of 1"
        await pilot.press("x")
        assert app.case_screen.selection.place == "error-4821-3.out:401"
        assert app.case_screen.selection.rank == 24
        await pilot.press("X")
        assert app.case_screen.selection.place == "error-4821-3.out:20"


async def test_the_lines_of_a_finding_are_walked(job: Job, settled: Settled) -> None:
    lines = tuple(s.last_words for s in job.report.ranks[:3] if s.last_words)
    job.updates = [job.update(symptoms=(replace(job.report.symptoms[0], evidence=lines),))]
    app = LogtuiApp([job.path], title="demo", reader=job.read)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("3")
        await settled(pilot)
        listed = app.case_screen.query_one(FindingList)
        items = app.case_screen.query_one("#findings")._items  # type: ignore[attr-defined]
        listed.highlighted = at = next(n for n, item in enumerate(items) if len(item.lines) == 3)
        await settled(pilot)
        await pilot.press("right")
        await settled(pilot)
        assert app.case_screen.selection.place == lines[1].place
        assert app.case_screen.selection.why == "line 2 of 3"
        assert listed.highlighted == at
        await pilot.press("left")
        await settled(pilot)
        assert app.case_screen.selection.place == lines[0].place


async def test_the_user_declares_the_cause_and_takes_it_back(job: Job, settled: Settled) -> None:
    app = LogtuiApp([job.path], title="demo", reader=job.read)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        own = app.case_screen.view
        assert own is not None
        for key in ("5", "k", "C"):
            await pilot.press(key)
            await settled(pilot)
        view, place = app.case_screen.view, app.case_screen.selection.place
        assert view is not None
        verdict = view.report.verdict
        assert verdict.first_evidence is not None
        assert verdict.first_evidence.place == place
        assert verdict.title.endswith("(declared by the user)")
        assert verdict.culprit_ranks == (56,)  # the line's, not the one that was selected
        assert verdict.runners_up[0].title == own.report.verdict.title
        assert view.report.chain[0].evidence[0].place == place
        await pilot.press("C")
        await settled(pilot)
        assert app.case_screen.view is not None
        assert app.case_screen.view.report == own.report


async def test_a_declared_cause_is_kept_for_the_next_time(job: Job, settled: Settled) -> None:
    for keys in (("5", "k", "C"), ("S",)):
        app = LogtuiApp([job.path], title="demo", reader=job.read)
        async with app.run_test(size=(120, 40)) as pilot:
            await settled(pilot)
            for key in keys:
                await pilot.press(key)
                await settled(pilot)
            view = app.case_screen.view
            assert view is not None
            assert "declared by the user" in view.report.verdict.title
