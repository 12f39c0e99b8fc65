"""What the grid shows of each rank."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from logtui.diagnosis.facts.parallel import Dimension
from logtui.diagnosis.facts.rank_activity import RankActivity
from logtui.diagnosis.model.report import Exit, GroupState, RankState, Report
from logtui.tui.app import LogtuiApp
from logtui.tui.panes.ranks.arrangement import Arrangement, Arranger
from logtui.tui.panes.ranks.grid import RankGrid
from logtui.tui.panes.ranks.modes.reading import Reading
from logtui.tui.panes.ranks.pane import MODES, RankPane
from logtui.tui.panes.ranks.words import legend, named_rank, rank_detail
from logtui.tui.panes.raw.viewer import RawViewer
from logtui.tui.shared.case_view import CaseView

Settled = Callable[[Pilot[int]], Awaitable[None]]


def read(view: CaseView, mode: str, group: str | None = None) -> Reading:
    return next(m for m in MODES if m.name == mode).read(view, group)


def with_states(view: CaseView, **changes: RankState) -> CaseView:
    """The case with some ranks' states changed, by `r57=...`."""
    states = tuple(changes.get(f"r{s.rank}", s) for s in view.report.ranks)
    return CaseView(replace(view.report, ranks=states), view.case)


def test_the_status_mode_counts_and_finds_the_odd_one(view: CaseView) -> None:
    reading = read(view, "status")
    assert reading.outliers == (57,)
    assert {look.words: n for look, n in reading.counts.items()} == {"waiting": 127, "never entered": 1}


def test_healthy_ranks_are_usual_where_most_are(view: CaseView) -> None:
    states = {f"r{r}": replace(view.states[r], status="healthy") for r in view.ranks if r not in (3, 57)}
    changed = with_states(view, **states, r3=replace(view.states[3], status="crashed"))
    assert read(changed, "status").outliers == (57, 3)


def test_pending_operations_are_digits_and_who_is_behind_has_an_arrow(view: CaseView) -> None:
    ahead = replace(view.states[4].groups[0], enqueued=1240)
    reading = read(with_states(view, r4=replace(view.states[4], groups=(ahead,))), "enqueued − completed", "0")
    assert [reading.looks[r].glyph for r in (3, 4, 57)] == ["1", "▲", "▼"]
    assert reading.outliers == (57, 4)


def test_a_rank_outside_the_group_has_no_cell(view: CaseView) -> None:
    outside = replace(view.states[2], groups=(GroupState("7", "tp", 5, 5, 5),))
    reading = read(with_states(view, r2=outside), "enqueued − completed", "0")
    assert reading.looks[2].glyph == " "
    assert 2 not in reading.outliers


def looked_at(view: CaseView, **known: object) -> CaseView:
    found = CaseView(view.report, view.case)
    found.__dict__["activity"] = RankActivity(**{"last_line": {}, "step_ms": {}, "dumps": {}, **known})  # type: ignore[arg-type]
    return found


def test_last_words_are_taller_the_longer_a_rank_is_silent(view: CaseView) -> None:
    end = view.report.job.ended or 0.0
    times = {0: end - 2, 1: end - 30, 2: end - 90, 3: end - 900, 4: end - 4000}
    reading = read(looked_at(view, last_line=times), "last words")
    assert "".join(reading.looks[r].glyph for r in range(6)) == "▁▂▄▆█·"
    assert reading.says(3).endswith("15 min before the end")


def test_step_times_are_compared_with_the_median(view: CaseView) -> None:
    ms = dict.fromkeys(view.ranks, 400.0) | {5: 1000.0, 6: 520.0, 7: 300.0}
    reading = read(looked_at(view, step_ms=ms), "step time")
    assert [reading.looks[r].glyph for r in (0, 5, 6, 7)] == ["▃", "█", "▆", "▁"]
    assert reading.outliers == (5, 6, 7)
    assert reading.says(5) == "step time 1,000 ms (median of ranks 400 ms)"


def test_one_rank_that_prints_step_times_is_not_odd_for_it(view: CaseView) -> None:
    assert read(looked_at(view, step_ms={0: 400.0}), "step time").outliers == ()


def test_errors_are_counted(view: CaseView) -> None:
    reading = read(
        with_states(view, r9=replace(view.states[9], errors=12), r8=replace(view.states[8], errors=2)), "errors"
    )
    assert [reading.looks[r].glyph for r in (7, 8, 9)] == ["·", "2", "+"]
    assert reading.outliers == (9, 8)


@pytest.mark.parametrize(
    ("ended", "glyph", "words"),
    [
        (Exit(None, "SIGSEGV"), "S", "ended by SIGSEGV"),
        (Exit(3, None), "!", "exit code 3"),
        (Exit(0, None), "0", "exit code 0"),
        (Exit(None, "SIGUSR1"), "?", "ended by SIGUSR1"),
        (None, "·", "its end was not seen"),
    ],
    ids=["crash", "code", "clean", "rare signal", "unseen"],
)
def test_exits(view: CaseView, ended: Exit | None, glyph: str, words: str) -> None:
    reading = read(with_states(view, r9=replace(view.states[9], exit=ended)), "exit")
    assert (reading.looks[9].glyph, reading.says(9)) == (glyph, words)


def test_missing_dumps_are_loud(view: CaseView) -> None:
    dumps = dict.fromkeys(view.ranks, "read") | {57: "missing"}
    assert read(looked_at(view, dumps=dumps), "dump").outliers == (57,)


def test_folded_rows_name_identical_ranks(view: CaseView) -> None:
    laid = Arranger(view).lay_out(read(view, "status"), Arrangement(folded=True), 46, 10)
    assert [(b.label, b.note) for b in laid.blocks] == [
        ("57", " ≡ 1 never entered"),
        ("0–56, 58–127", " ≡ 127 waiting"),
    ]
    assert laid.moved(57, 0, 1) == 0
    assert laid.moved(56, 1, 0) == 58
    assert laid.moved(0, -1, 0) == 0
    assert laid.rank_at(30, 1) == 0


def test_ranks_of_one_state_but_other_numbers_are_not_identical(view: CaseView) -> None:
    further = replace(view.states[4].groups[0], enqueued=1240)
    changed = with_states(view, r4=replace(view.states[4], groups=(further,)))
    laid = Arranger(changed).lay_out(read(changed, "status"), Arrangement(folded=True), 60, 10)
    assert [b.ranks[:1] for b in laid.blocks] == [(4,), (57,), (0,)]


def test_nodes_with_odd_ranks_come_first(view: CaseView) -> None:
    laid = Arranger(view).lay_out(read(view, "status"), Arrangement(odd_first=True), 46, 10)
    assert [b.label for b in laid.blocks[:2]] == ["node007", "node000"]


def test_a_layout_by_tensor_groups(view: CaseView) -> None:
    divided = CaseView(view.report, view.case)
    pairs = tuple((r, r + 1) for r in range(0, 126, 2))
    divided.__dict__["dimensions"] = (Dimension("TP", pairs, "dumps"),)
    laid = Arranger(divided).lay_out(read(view, "status"), Arrangement(by="TP"), 46, 10)
    assert [(b.label, b.ranks) for b in (laid.blocks[0], laid.blocks[-1])] == [("TP 0", (0, 1)), ("others", (126, 127))]


def test_a_group_wider_than_the_pane_goes_on_below(view: CaseView) -> None:
    divided = CaseView(view.report, view.case)
    divided.__dict__["dimensions"] = (Dimension("DP", (tuple(range(64)), tuple(range(64, 128))), "dumps"),)
    laid = Arranger(divided).lay_out(read(view, "status"), Arrangement(by="DP"), 46, 10)
    assert [b.label for b in laid.blocks] == ["DP 0", "", "DP 1", ""]
    assert laid.width <= 46


@pytest.mark.parametrize(
    ("typed", "rank"),
    [
        ("57", 57), ("r57", 57), ("rank 57", 57), ("/57", 57), ("999", None), ("node007", 57), ("node003", 24),
        ("007", 7), ("node003:2", 26), ("node003 gpu2", 26), ("nowhere", None), ("NODE003", 24), ("de00", 0),
    ],
)  # fmt: skip
def test_names(view: CaseView, typed: str, rank: int | None) -> None:
    assert named_rank(view, typed, (57,)) == rank


async def press(pilot: Pilot[int], settled: Settled, *keys: str) -> None:
    await settled(pilot)
    for key in keys:
        await pilot.press(key)
    await settled(pilot)


@pytest.mark.parametrize("size", [(80, 24), (200, 50)])
async def test_modes_are_walked_by_key_and_named_in_the_title(
    app: LogtuiApp, settled: Settled, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await press(pilot, settled, "v")
        pane = app.case_screen.query_one(RankPane)
        assert pane.heading.note.startswith("enqueued − completed · ")
        assert "127" in str(app.case_screen.query_one("#rank-legend", Static).content)
        await press(pilot, settled, "V", "V")
        assert pane.heading.note.startswith("dump")


async def test_folding_keeps_the_cursor_and_arrows_walk_the_kinds(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, settled, "F", "down")
        assert app.case_screen.selection.rank == 0
        await press(pilot, settled, "F")
        assert app.case_screen.query_one(RankGrid).cursor == 0


async def test_a_slash_in_the_grid_goes_to_a_rank_or_a_node(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, settled, "slash", *"101", "enter")
        assert app.case_screen.selection.rank == 101
        assert isinstance(app.focused, RankGrid)
        await press(pilot, settled, "slash", *"node002", "enter")
        assert app.case_screen.selection.rank == 16


async def test_what_names_no_rank_is_searched_for(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, settled, "slash", *"Aborted", "enter")
        assert isinstance(app.focused, RawViewer)
        assert app.case_screen.selection.line == 409


async def test_a_job_without_parallel_groups_says_so(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, settled, "L")
        assert [n.message for n in app._notifications] == [
            "no log or dump says how the ranks are divided for parallelism"
        ]


def test_reports_without_ranks_have_no_outliers(view: CaseView) -> None:
    empty = CaseView(
        Report("0", view.report.job, replace(view.report.coverage, ranks_expected=None), view.report.verdict)
    )
    bare = CaseView(replace(empty.report, job=replace(view.report.job, world_size=None)))
    for mode in MODES:
        reading = mode.read(bare, None)
        assert not reading.looks
        assert [rank for rank in reading.outliers if rank != 57] == []


def test_the_legend_names_a_look_once(view: CaseView) -> None:
    """Ranks that are blamed though others are in the same state share a look."""
    blamed = replace(view.report.verdict, culprit_ranks=(3, 4, 5))
    found = read(CaseView(replace(view.report, verdict=blamed), view.case), "status")
    assert str(legend(found)).count("blamed") == 1
    assert {look.words: n for look, n in found.counts.items()}["waiting, blamed"] == 3


def test_guessed_numbers_are_drawn_apart(view: CaseView) -> None:
    """One word in the legend, one where the rank is described."""
    ranks = tuple(replace(state, guessed=state.rank in (3, 4)) for state in view.report.ranks)
    doubtful = CaseView(replace(view.report, ranks=ranks), view.case)
    found = read(doubtful, "status")
    assert str(legend(found, len(doubtful.guessed))).endswith("guessed\xa02")
    assert "guessed" not in str(legend(found, len(view.guessed)))
    assert "number guessed" in str(rank_detail(doubtful, 3, None, found))
    assert "number guessed" not in str(rank_detail(doubtful, 5, None, found))
