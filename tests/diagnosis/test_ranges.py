"""Sets of ranks as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.diagnosis.ranges import named_ranks, ranges, runs


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        pytest.param([], "", id="none"),
        pytest.param([7], "7", id="one"),
        pytest.param([0, 1, 2, 4, 5, 9], "0–2, 4–5, 9", id="runs"),
        pytest.param([3, 1, 2, 2], "1–3", id="unsorted, repeated"),
    ],
)
def test_ranges(numbers: list[int], text: str) -> None:
    assert ranges(numbers) == text


def test_a_ragged_set_is_counted() -> None:
    assert ranges(range(0, 60, 2), most=2) == "0, 2 and 28 more ranges"


def test_named() -> None:
    assert (named_ranks([57]), named_ranks([1, 2])) == ("rank 57", "ranks 1–2")


@given(st.sets(st.integers(0, 2000)))
def test_runs_cover_exactly_the_set(numbers: set[int]) -> None:
    assert {n for a, b in runs(numbers) for n in range(a, b + 1)} == numbers
