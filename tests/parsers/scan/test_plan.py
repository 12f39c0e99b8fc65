"""Every byte of every file is planned for once, in the order of use."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.parsers.scan.plan import (
    ASIDE_BYTES,
    CHUNK_BYTES,
    HEAD_BYTES,
    TAIL_BYTES,
    TASK_PIECES,
    WHOLE_BYTES,
    Piece,
    Stage,
    aside,
    plan,
)
from logtui.parsers.source import Compression, LogFile

SIZES = st.lists(st.integers(1, 300 << 20) | st.integers(1, 2 * WHOLE_BYTES), min_size=1, max_size=8)


def file(index: int, size: int, **other: object) -> LogFile:
    return LogFile(index, Path(f"{index}.log"), f"{index}.log", size, 0.0, **other)  # type: ignore[arg-type]


def ranges(pieces: list[Piece], index: int) -> list[tuple[int, int]]:
    mine = [p for p in pieces if p.file.index == index]
    return sorted((p.start, p.file.size if p.stop is None else p.stop) for p in mine)


@given(sizes=SIZES, jobs=st.integers(1, 16), since=st.integers(0, 1 << 20))
def test_ranges_cover_each_file_once(sizes: list[int], jobs: int, since: int) -> None:
    files = [file(i, size) for i, size in enumerate(sizes)]
    known = {0: min(since, sizes[0])}
    pieces = [p for t in plan(files, jobs, known) for p in t.pieces]
    for f in files:
        found = ranges(pieces, f.index)
        assert found[0][0] == known.get(f.index, 0)
        assert found[-1][1] == f.size
        assert all(a[1] == b[0] for a, b in pairwise(found))
        assert all(0 < b - a <= CHUNK_BYTES or len(found) == 1 for a, b in found)


@given(sizes=SIZES, jobs=st.integers(1, 16))
def test_stages_come_in_order_and_tails_hold_the_ends(sizes: list[int], jobs: int) -> None:
    tasks = plan([file(i, size) for i, size in enumerate(sizes)], jobs, {})
    assert [t.stage for t in tasks] == sorted(t.stage for t in tasks)
    tails = [p for t in tasks if t.stage is Stage.TAILS for p in t.pieces]
    assert sorted(p.file.index for p in tails) == list(range(len(sizes)))
    assert all(p.stop is None and p.bytes <= max(WHOLE_BYTES, TAIL_BYTES) for p in tails)
    heads = [p for t in tasks if t.stage is Stage.HEADS for p in t.pieces]
    assert all(p.start == 0 for p in heads)


def test_many_small_files_travel_together_but_to_all_workers() -> None:
    tasks = plan([file(i, 1000) for i in range(400)], 4, {})
    assert max(len(t.pieces) for t in tasks) <= TASK_PIECES
    assert 16 <= len(tasks) <= 32


def test_a_big_file_gives_work_to_all() -> None:
    rest = [t for t in plan([file(0, 1 << 30)], 8, {}) if t.stage is Stage.REST]
    assert len(rest) >= 16
    starts = [p.start for t in rest for p in t.pieces]
    assert starts == sorted(starts, reverse=True), "what is nearest to the end comes first"
    assert min(starts) == HEAD_BYTES


@pytest.mark.parametrize(
    "other", [{"compression": Compression.GZIP}, {"member": ("a.log",)}], ids=["packed", "member of an archive"]
)
def test_what_cannot_be_cut_is_read_whole(other: dict[str, object]) -> None:
    (task,) = plan([file(0, 1 << 30, **other)], 8, {})
    assert (task.stage, [(p.start, p.stop) for p in task.pieces]) == (Stage.REST, [(0, None)])


def test_members_of_one_archive_go_together() -> None:
    files = [LogFile(i, Path("a.tar.gz"), f"a.tar.gz!{i}", 1 << 20, 0.0, member=(str(i),)) for i in range(5)]
    (task,) = plan(files, 8, {})
    assert [p.file.index for p in task.pieces] == list(range(5))


@given(sizes=SIZES, jobs=st.integers(2, 16))
def test_one_worker_is_left_idle_after_the_tails_and_nothing_is_lost(sizes: list[int], jobs: int) -> None:
    tasks = plan([file(i, size) for i, size in enumerate(sizes)], jobs, {})
    first, later = aside(tasks, jobs)
    pieces = [p for t in (*first, *later) for p in t.pieces]
    assert sorted(pieces, key=repr) == sorted((p for t in tasks for p in t.pieces), key=repr)
    assert [t for t in first if t.stage is Stage.TAILS] == [t for t in tasks if t.stage is Stage.TAILS]
    long = [t for t in first if t.stage is not Stage.TAILS]
    assert len(long) < jobs
    assert all(sum(p.bytes for p in t.pieces) < ASIDE_BYTES + CHUNK_BYTES for t in long)
    assert [t.stage for t in later] == sorted(t.stage for t in later)
