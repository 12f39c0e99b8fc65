"""Where the cells stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.diagnosis.model.report import RankState
from logtui.tui.panes.ranks.arrangement import arrange, nodes_of
from logtui.tui.panes.ranks.modes.reading import Reading
from logtui.tui.shared.looks import look_of


@given(world=st.integers(1, 3000), local=st.integers(1, 16), width=st.integers(20, 220), height=st.integers(1, 60))
def test_every_rank_has_one_place_and_is_found_there(world: int, local: int, width: int, height: int) -> None:
    laid = arrange(range(world), nodes_of(range(world), {}, local), width, height)
    for rank in range(world):
        x, y = laid.x_of(rank), laid.row_of(rank)
        assert x is not None
        assert y is not None
        found = laid.rank_at(x, y)
        assert found is not None
        assert 0 <= rank - found < laid.per_cell
        assert (laid.x_of(found), laid.row_of(found)) == (x, y)
    assert laid.width <= max(width, 8 + len(f"r{world}") + 1, laid.pitch)


def test_nodes_run_down_the_columns() -> None:
    laid = arrange(range(32), nodes_of(range(32), {}, 8), 40, 10)
    assert [[b.label for b in laid.row(y)] for y in range(laid.rows)] == [["node 0", "node 2"], ["node 1", "node 3"]]


def test_ranks_stand_with_their_host_whatever_their_number() -> None:
    states = {r: RankState(r, host="node1" if r in (0, 1, 6, 7) else "node0") for r in range(8)}
    laid = arrange(range(8), nodes_of(range(8), states, 4), 30, 10)
    assert [(b.label, b.ranks) for b in laid.blocks] == [("node1", (0, 1, 6, 7)), ("node0", (2, 3, 4, 5))]


def test_a_silent_rank_stands_with_its_neighbours() -> None:
    states = {r: RankState(r, host="node0") for r in (0, 1, 3)}
    assert len(arrange(range(4), nodes_of(range(4), states, 4), 30, 10).blocks) == 1


def test_too_many_nodes_become_dense_rows() -> None:
    laid = arrange(range(256), nodes_of(range(256), {}, 8), 46, 7)
    assert (laid.columns, laid.per_cell, laid.rows) == (1, 1, 7)
    assert laid.blocks[1].label == "r40"


@pytest.mark.parametrize(
    ("world", "width", "height", "per_cell", "rows"),
    [(1024, 46, 7, 4, 7), (1024, 78, 4, 4, 4), (1024, 198, 17, 1, 13), (16384, 46, 10, 64, 8), (16384, 46, 4, 64, 8)],
)
def test_cells_are_shared_where_there_is_no_room(world: int, width: int, height: int, per_cell: int, rows: int) -> None:
    """All ranks are in sight, in any pane but the smallest."""
    laid = arrange(range(world), nodes_of(range(world), {}, 8), width, height)
    assert (laid.per_cell, laid.rows) == (per_cell, rows)


def test_a_shared_cell_looks_as_its_oddest_rank_does() -> None:
    laid = arrange(range(1024), nodes_of(range(1024), {}, 8), 46, 7)
    waiting, gone = look_of("waiting"), look_of("never_entered")
    reading = Reading({r: gone if r in (6, 301) else waiting for r in range(1024)}, (gone, waiting))
    cells = list(laid.drawn(laid.blocks[0], 9, reading))
    assert [(n, rank, here) for n, (rank, here) in enumerate(cells) if rank % 4 or here] == [
        (1, 6, False),
        (2, 8, True),
    ]
    assert (laid.moved(6, 1, 0), laid.moved(7, 1, 0), laid.moved(6, 0, 1)) == (7, 8, 6 + len(laid.blocks[0].ranks))
    assert laid.moved(1020, 0, 1) == 1020


@given(world=st.integers(1, 3000), local=st.integers(1, 16), width=st.integers(20, 220), height=st.integers(1, 60))
def test_a_larger_pane_shows_no_fewer_ranks(world: int, local: int, width: int, height: int) -> None:
    """Zoomed, nothing that was in sight is out of it."""
    ranks, nodes = range(world), nodes_of(range(world), {}, local)
    small, large = (arrange(ranks, nodes, width * n, height * n) for n in (1, 2))
    seen = [sum(len(b.ranks) for y in range(height * n) for b in laid.row(y)) for n, laid in ((1, small), (2, large))]
    assert seen[0] <= seen[1]


def test_names_give_way_where_all_nodes_fit_without_them() -> None:
    states = {r: RankState(r, host=f"node{r // 8:03d}") for r in range(128)}
    laid = arrange(range(128), nodes_of(range(128), states, 8), 46, 6)
    assert (laid.rows, laid.columns) == (6, 3)
    assert [b.label for b in laid.row(0)] == ["00", "06", "12"]


def test_arrows_move_across_nodes_and_stop_at_edges() -> None:
    laid = arrange(range(32), nodes_of(range(32), {}, 8), 40, 10)
    assert laid.moved(7, 1, 0) == 16
    assert laid.moved(16, -1, 0) == 7
    assert laid.moved(0, -1, 0) == 0
    assert laid.moved(3, 0, 1) == 11
    assert laid.moved(31, 0, 1) == 31


def test_no_ranks_no_rows() -> None:
    laid = arrange((), nodes_of((), {}, None), 40, 10)
    assert (laid.rows, laid.width, laid.row_of(0)) == (0, 0, None)
    assert laid.moved(0, 1, 1) == 0
