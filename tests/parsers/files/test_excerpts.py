"""Which stretches of large files are looked at."""

from __future__ import annotations

from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from logtui.parsers.files.discover import discover
from logtui.parsers.files.excerpts import LEAST, MOST, Stretch, lines_of, share_of_each, stretches
from logtui.parsers.files.lines import LineReader

MIB = 1 << 20


@pytest.mark.parametrize(
    ("budget", "files", "each"),
    [(16 * MIB, 1, MOST), (16 * MIB, 64, 256 << 10), (16 * MIB, 16_384, LEAST), (16 * MIB, 0, MOST)],
)
def test_the_share_of_a_file_is_bounded(budget: int, files: int, each: int) -> None:
    assert share_of_each(budget, files) == each


def test_a_small_file_is_looked_at_whole() -> None:
    assert stretches(100, 100) == [Stretch(0, 100)]
    assert stretches(0, 100) == []


@pytest.mark.parametrize("trouble", [None, 0, 40_000_000, 99_999_999])
def test_of_a_large_file_no_more_than_its_share(trouble: int | None) -> None:
    found = stretches(100_000_000, MIB, trouble)
    assert sum(s.end - s.begin for s in found) <= MIB + 4
    assert found[0].begin == 0 and found[-1].end == 100_000_000
    assert all(a.end < b.begin for a, b in pairwise(found))
    if trouble is not None:
        assert any(s.begin <= trouble < s.end for s in found)


def test_what_is_left_out_before_the_first_byte_has_no_share() -> None:
    assert stretches(1000, 100, first=950) == [Stretch(950, 1000)]
    assert stretches(1000, 100, first=1000) == []
    found = stretches(100_000_000, MIB, 200, first=60_000_000)
    assert (found[0].begin, found[-1].end) == (60_000_000, 100_000_000)


def read(path: Path, begin: int, end: int) -> list[tuple[int, bytes]]:
    with closing(LineReader(discover([path]).files[0])) as reader:
        return list(lines_of(reader, Stretch(begin, end)))


def test_lines_that_begin_in_a_stretch(tmp_path: Path) -> None:
    path = tmp_path / "train.log"
    path.write_bytes(b"step one\nstep two\nstep three\nand no end")
    assert read(path, 0, 39) == [(0, b"step one"), (9, b"step two"), (18, b"step three"), (29, b"and no end")]
    assert read(path, 9, 18) == [(9, b"step two")]
    assert read(path, 10, 39) == [(18, b"step three"), (29, b"and no end")]
    assert read(path, 0, 12) == [(0, b"step one")]
    assert read(path, 60, 90) == []
