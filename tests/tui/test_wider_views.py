"""Looking beyond the file shown: all files for an expression, two ranks side by side."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from textual.pilot import Pilot

from logtui.tui.app import LogtuiApp
from logtui.tui.panes.raw.pane import RawPane
from logtui.tui.screens.compare import CompareScreen, Pair, TimedLine, aligned, companion, lines_of_rank
from logtui.tui.screens.search_screen import SearchScreen
from logtui.tui.shared.case_view import CaseView

Settled = Callable[[Pilot[int]], Awaitable[None]]


async def press(pilot: Pilot[int], settled: Settled, *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


def line(time: float, text: str) -> TimedLine:
    return TimedLine("a", 1, text, time, True)


@pytest.mark.parametrize(
    ("left", "right", "rows"),
    [
        ([(1, "a"), (3, "b")], [(2, "x")], ["a|-", "-|x", "b|-"]),
        ([(1.2, "a"), (1.4, "b")], [(1.9, "x")], ["a|x", "b|-"]),
        ([], [(2, "x"), (5, "y")], ["-|x", "-|y"]),
        ([], [], []),
    ],
    ids=["in turn", "the same second", "one silent", "both silent"],
)
def test_rows_are_aligned_by_time(
    left: list[tuple[float, str]], right: list[tuple[float, str]], rows: list[str]
) -> None:
    pairs = aligned([line(*one) for one in left], [line(*one) for one in right])

    def shown(pair: Pair) -> str:
        return "|".join(side.text if side else "-" for side in (pair.left, pair.right))

    assert [shown(pair) for pair in pairs] == rows


def test_only_a_ranks_own_lines_are_taken(view: CaseView) -> None:
    mine = lines_of_rank(view, 57, 1_772_723_521.0)
    assert {found.file for found in mine} == {"error-4821-7.out"}
    assert all("[rank57]" in found.text for found in mine)
    assert mine[-1].text.endswith("opening shard /data/shard-00012.tar")
    assert [found.time for found in mine] == sorted(found.time for found in mine)
    assert lines_of_rank(view, 9999, 0.0) == []


def test_an_odd_rank_is_compared_with_a_usual_one(view: CaseView) -> None:
    assert companion(view, 57) == 0
    assert companion(view, 3) == 57


async def test_two_ranks_side_by_side(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "enter", "vertical_line")
        assert isinstance(app.screen, CompareScreen)
        pairs, cursor = app.screen.listed.pairs, app.screen.listed.cursor
        chosen = pairs[cursor].left
        assert chosen is not None
        assert "opening shard" in chosen.text
        assert any(pair.right and "[rank0]" in pair.right.text for pair in pairs)
        await press(pilot, settled, "n")
        assert app.screen.other == 1
        await press(pilot, settled, "enter")
        assert app.case_screen.selection.place == "error-4821-7.out:402"


async def test_all_files_are_searched(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "asterisk", *"srun: error", "enter")
        assert isinstance(app.screen, SearchScreen)
        assert len(app.screen.hits) == 16
        assert {hits.lines for hits in app.screen.hits} == {1}
        await press(pilot, settled, "down", "enter")
        assert app.case_screen.selection.place == "error-4821-1.out:409"
        matches = app.case_screen.query_one(RawPane).matches
        assert matches is not None
        assert matches.total == 1
