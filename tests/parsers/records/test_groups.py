"""Values in columns, block by block."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from logtui.parsers.records import columns
from logtui.parsers.records.columns import by_value, distinct, run_starts


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "BLOCK", 7)


@pytest.mark.parametrize("count", [0, 1, 6, 7, 8, 100])
def test_rows_by_value(count: int) -> None:
    values = np.random.default_rng(count).integers(0, 5, count).astype(np.uint16)
    order, begins = by_value(values, 6)
    assert order.tolist() == np.argsort(values, kind="stable").tolist()
    assert [values[order[a:b]].tolist() for a, b in pairwise(begins)] == [
        [v] * int((values == v).sum()) for v in range(6)
    ]


@pytest.mark.parametrize("count", [0, 1, 7, 50])
def test_pairs_that_are_known_each_once(count: int) -> None:
    rng = np.random.default_rng(count)
    first, second = rng.integers(-1, 4, count).astype(np.int32), rng.integers(-1, 3, count).astype(np.int32)
    pairs = {(a, b) for a, b in zip(first.tolist(), second.tolist(), strict=True) if a >= 0 and b >= 0}
    assert distinct(first, second) == sorted(pairs)


@pytest.mark.parametrize(("values", "starts"), [([], []), ([3], [0]), ([3, 3, 1, 1, 3], [0, 2, 4])])
def test_where_runs_begin(values: list[int], starts: list[int]) -> None:
    assert run_starts(np.array(values, np.int64)).tolist() == starts
