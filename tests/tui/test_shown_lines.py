"""Rows of a filtered file, and the window that scrolls over them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logtui.tui.panes.raw.judging import CHUNK, ChosenLines
from logtui.tui.panes.raw.window import AllLines, LineWindow


def chosen(*lines: int) -> ChosenLines:
    found = ChosenLines()
    for line in lines:
        found.choose(line, np.ones(1, np.bool_))
    return found


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(1, 3 * CHUNK), max_size=40), st.integers(1, 3 * CHUNK), st.integers(0, 45))
def test_rows_and_lines_agree_with_a_plain_list(lines: set[int], line: int, row: int) -> None:
    found, ordered = chosen(*lines), sorted(lines)
    assert found.count == found.chosen == len(ordered)
    assert found.lines(row, 7) == ordered[row : row + 7]
    assert found.row(line) == sum(other < line for other in ordered)
    assert found.shows(line) == (line in lines)


def test_a_stretch_may_be_judged_again() -> None:
    found = ChosenLines()
    found.choose(CHUNK - 1, np.array([True, False, True, True]))
    assert found.lines(0, 9) == [CHUNK - 1, CHUNK + 1, CHUNK + 2]
    found.choose(CHUNK - 1, np.array([False, True, False, True]))
    assert found.lines(0, 9) == [CHUNK, CHUNK + 2]


def test_memory_is_a_bit_per_line_and_none_where_nothing_is_shown() -> None:
    found = ChosenLines()
    found.choose(1, np.ones(4 * CHUNK, np.bool_))
    assert found.kept_bytes == 4 * CHUNK // 8
    found.choose(1, np.zeros(4 * CHUNK, np.bool_))
    assert (found.kept_bytes, found.count) == (0, 0)


def test_a_pinned_line_is_shown_until_another_is() -> None:
    found = chosen(5, 9)
    found.pin(7)
    assert (found.lines(0, 9), found.chosen) == ([5, 7, 9], 2)
    found.choose(1, np.zeros(8, np.bool_))
    assert (found.lines(0, 9), found.chosen) == ([7, 9], 1)
    found.pin(9)
    assert (found.lines(0, 9), found.chosen) == ([9], 1)


def window(pieces: int = 1, height: int = 4, lines: int = 20) -> LineWindow:
    made = LineWindow(lambda line: pieces if line % 2 else 1)
    made.height, made.shown, made.wrapped = height, AllLines(lines), pieces > 1
    return made


def test_a_window_scrolls_to_the_nearer_edge() -> None:
    made = window()
    assert [line for line, _ in made.rows()] == [1, 2, 3, 4]
    made.show(6, centre=False)
    assert [line for line, _ in made.rows()] == [3, 4, 5, 6]
    made.show(12, centre=True)
    assert [line for line, _ in made.rows()] == [10, 11, 12, 13]
    made.show(11, centre=True)
    assert made.top == 10, "it was in sight"
    made.scroll_to(99)
    assert [line for line, _ in made.rows()] == [17, 18, 19, 20]


def test_a_wrapped_line_takes_its_rows() -> None:
    made = window(pieces=2)
    assert made.rows() == [(1, 0), (1, 1), (2, 0), (3, 0)]
    assert not made.holds(3)
    made.show(3, centre=False)
    assert made.rows() == [(2, 0), (3, 0), (3, 1), (4, 0)]
    made.scroll(99)
    assert made.rows()[-1] == (20, 0)


@pytest.mark.parametrize(("line", "rows", "expected"), [(5, 1, 9), (5, -1, 5), (7, 1, 9), (7, -1, 5), (9, 5, 12)])
def test_steps_pass_over_hidden_lines(line: int, rows: int, expected: int) -> None:
    made = window()
    made.shown = chosen(5, 9, 12)
    assert made.step(line, rows) == expected
