"""Values in columns, block by block; narrow columns give back what went in."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from scanning import SMALL, counted, log_file, scan, scanner, shown

from logtui.parsers.records import columns
from logtui.parsers.records.columns import NarrowRows, by_value, distinct, joined, narrowed, run_starts, wide
from logtui.parsers.records.record import ROW, RecordTable
from logtui.parsers.scan import table as table_module
from logtui.parsers.scan.scanner import RangeScan
from logtui.parsers.scan.table import TableBuilder


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "BLOCK", 7)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("count", [0, 1, 6, 7, 8, 100])
def test_rows_by_value(count: int) -> None:
    values = np.random.default_rng(count).integers(0, 5, count).astype(np.uint16)
    order, begins = by_value(values, 6)
    assert order.tolist() == np.argsort(values, kind="stable").tolist()
    assert [values[order[a:b]].tolist() for a, b in pairwise(begins)] == [
        [v] * int((values == v).sum()) for v in range(6)
    ]


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("count", [0, 1, 7, 50])
def test_pairs_that_are_known_each_once(count: int) -> None:
    rng = np.random.default_rng(count)
    first, second = rng.integers(-1, 4, count).astype(np.int32), rng.integers(-1, 3, count).astype(np.int32)
    pairs = {(a, b) for a, b in zip(first.tolist(), second.tolist(), strict=True) if a >= 0 and b >= 0}
    assert distinct(first, second) == sorted(pairs)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(("values", "starts"), [([], []), ([3], [0]), ([3, 3, 1, 1, 3], [0, 2, 4])])
def test_where_runs_begin(values: list[int], starts: list[int]) -> None:
    assert run_starts(np.array(values, np.int64)).tolist() == starts


NAN = float("nan")


@pytest.mark.parametrize(
    ("name", "values", "size"),
    [
        pytest.param("line", [7, 7, 7], 8, id="one value"),
        pytest.param("line", [1, 255, 0], 3, id="a byte"),
        pytest.param("line", [1, 256, 0], 6, id="two bytes"),
        pytest.param("line", [1, 1 << 32, 0], 24, id="eight bytes"),
        pytest.param("line", [1, (1 << 62) + 17, 3], 24, id="uncounted lines"),
        pytest.param("rank", [-1, 127, 0], 3, id="a signed byte"),
        pytest.param("rank", [-1, 128, 0], 6, id="two signed bytes"),
        pytest.param("a", [0.0, 1.0, 4e9], 12, id="whole numbers"),
        pytest.param("a", [-0.0, 1.0, 2.0], 24, id="a zero with a sign"),
        pytest.param("a", [-1.0, 1.0, 2.0], 24, id="a negative number"),
        pytest.param("a", [0.5, 1.0, 2.0], 24, id="a fraction"),
        pytest.param("a", [NAN, 1.0, 2.0], 24, id="an unknown number"),
        pytest.param("a", [float("inf"), 1.0, 2.0], 24, id="no number"),
        pytest.param("a", [NAN, NAN, NAN], 8, id="unknown numbers"),
        pytest.param("time", [1763700000.0, 1763700001.0, 1763700001.0], 12, id="seconds"),
        pytest.param("time", [1763700000.25, 1763700001.0, 1763700001.0], 24, id="parts of a second"),
    ],
)
def test_a_column_is_as_narrow_as_its_values(name: str, values: list[float], size: int) -> None:
    rows = np.zeros(3, ROW)
    rows[name] = values
    held = narrowed(rows)
    assert held[name].dtype == ROW[name]
    assert held[name].tobytes() == np.ascontiguousarray(rows[name]).tobytes()
    assert held.wide().tobytes() == rows.tobytes()
    assert held.nbytes == size + sum(ROW[other].itemsize for other in ROW.names or () if other != name)


def some_rows(count: int) -> npt.NDArray[np.void]:
    random = np.random.default_rng(7)
    rows = np.zeros(count, ROW)
    rows["line"], rows["rank"] = np.arange(count), random.integers(-1, 300, count)
    rows["time"], rows["a"], rows["b"] = random.random(count), random.integers(0, 9, count), NAN
    return rows


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param(slice(3, 9), id="slice"),
        pytest.param(slice(0, 0), id="nothing"),
        pytest.param(np.array([4, 4, 0]), id="indices"),
        pytest.param(np.arange(20) % 3 == 0, id="mask"),
        pytest.param(np.zeros(20, np.bool_), id="empty mask"),
    ],
)
def test_a_choice_of_rows_is_that_of_an_array(chosen: slice | npt.NDArray[np.intp]) -> None:
    rows = some_rows(20)
    some = narrowed(rows)[chosen]
    assert some.wide().tobytes() == rows[chosen].tobytes() and len(some) == len(rows[chosen])
    assert some[["rank", "line"]].tolist() == rows[chosen][["rank", "line"]].tolist()
    assert [row["line"] for row in some] == rows[chosen]["line"].tolist()


def test_one_row_is_that_of_an_array() -> None:
    rows = some_rows(20)
    held, plain = RecordTable(narrowed(rows), b"", [], SMALL.patterns), RecordTable(rows, b"", [], SMALL.patterns)
    assert [repr(held.values(n)) for n in range(-1, 20)] == [repr(plain.values(n)) for n in [19, *range(20)]]


@pytest.mark.parametrize("cuts", [(), (0,), (5, 5), (1, 19), (20,)], ids=str)
def test_pieces_are_joined_to_what_they_were_cut_from(cuts: tuple[int, ...]) -> None:
    rows = some_rows(20)
    whole = joined([narrowed(part) for part in np.split(rows, cuts)], ROW)
    assert whole.wide().tobytes() == rows.tobytes()
    assert len(joined([], ROW)["line"]) == 0


def test_values_can_be_overwritten_with_wider_ones() -> None:
    rows = some_rows(20)
    held = narrowed(rows)
    held.put("a", np.array([3, 5]), np.array([0.5, -7.0]))
    rows["a"][[3, 5]] = 0.5, -7.0
    assert held.wide().tobytes() == rows.tobytes()


LOG = b"".join(
    b"[rank%d]: 2025-11-21 04:%02d:%02d training step %d took 0.%d\n[rank%d]: retrying request %d/5\n%s"
    % (n % 3, n // 60, n % 60, n, n % 10, n % 3, n % 5, b"FatalError: cuda\n" if n % 2 else b"")
    for n in range(600)
)
"""Lines that are all kept, that are folded at sight, and that are folded over the whole file; with times and without."""


@pytest.mark.parametrize("cuts", [(), (9000,), (3000, 3001, 20000)], ids=str)
@pytest.mark.parametrize("from_start", [True, False], ids=["all", "end only"])
@pytest.mark.parametrize("release", [True, False], ids=["used up", "kept"])
def test_a_case_held_narrowly_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cuts: tuple[int, ...], from_start: bool, release: bool
) -> None:
    file = log_file(tmp_path / "a.log", LOG)

    def parts() -> list[RangeScan]:
        return scan(file, cuts) if from_start else scanner().scan(file, 12000, 30000) + scanner().scan(file, 30000)

    def table() -> tuple[RecordTable, object]:
        builder = TableBuilder(SMALL, 1 << 12)
        builder.add(file, parts(), complete=True, release=release)
        return builder.table(), [(i.end, i.newlines, i.lines, i.matched, i.loose) for i in builder.indexes.values()]

    usual, layout = table()
    for name in ("NARROW_FROM", "MANY"):
        monkeypatch.setattr(table_module, name, 2)
    monkeypatch.setattr(columns, "MANY", 2)
    held, narrow_layout = table()
    assert isinstance(held.rows, NarrowRows) and not isinstance(usual.rows, NarrowRows)
    assert len(held) > 900 and shown(held) == shown(usual)
    assert counted(held) == counted(usual) and narrow_layout == layout
    assert held.rows_of_file(0) == usual.rows_of_file(0) == slice(0, len(wide(held.rows)))


def test_some_values_of_a_column_are_the_same_however_it_is_held() -> None:
    rows = np.zeros(5, ROW)
    rows["line"], rows["a"], rows["rank"] = [7, 7, 9, 400, 7], [1, 2, np.nan, 4, 5], -1
    some = np.array([4, 2, 2])
    for name in ("line", "a", "rank"):
        found = [columns.cells(held, name, some) for held in (rows, narrowed(rows))]
        np.testing.assert_array_equal(found[0], rows[some][name])
        np.testing.assert_array_equal(found[1], rows[some][name])
        assert found[1].dtype == rows.dtype[name]


def test_columns_are_held_with_their_types_where_rows_are_not_too_many() -> None:
    rows = some_rows(20)
    held = narrowed(rows)
    values = [held.values(row) for row in range(20)]
    held.widen()
    assert held.wide().tobytes() == rows.tobytes() and repr([held.values(row) for row in range(20)]) == repr(values)
    assert held.nbytes == narrowed(rows).nbytes + 20 * (7 + 2 + 4)  # lines, ranks, steps
