"""Any line by number, whatever the index covers and whatever happens to the file."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scanning import case_of, described, log_file, scan

from logtui.parsers.files import lines
from logtui.parsers.files.lines import _IN_ALL, _SCANT, BRIEF, LINE_CAP, UNCOUNTED, LineReader
from logtui.parsers.source import Compression

TEXTS = st.lists(st.sampled_from([b"", b"a", b"bc", b"\n", b"\n", b"x" * 30, b"\r", b"\x00", b"\xff"])).map(b"".join)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lines")


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a few bytes, so that small files have many."""
    monkeypatch.setattr(lines, "BLOCK", 16)
    monkeypatch.setattr(lines, "_STEP", 4)


def lines_of(text: bytes) -> list[bytes]:
    found = text.split(b"\n")
    return found[:-1] if found[-1] == b"" else found


def offsets_of(text: bytes) -> list[int]:
    starts = [0, *(i + 1 for i, c in enumerate(text) if c == 10)]
    return [s for s in starts if s < len(text)]


def reader(path: Path, indexed: bool) -> LineReader:
    """A reader with the index of a scan, or without any."""
    file = described(path)
    if not indexed:
        return LineReader(file)
    index = case_of(file, scan(file)).indexes[0]
    return LineReader(file, index.offsets, index.before, (index.end, index.newlines))


@given(text=TEXTS, indexed=st.booleans(), order=st.randoms())
def test_lines_are_those_of_split(folder: Path, text: bytes, indexed: bool, order: object) -> None:
    (folder / "a.log").write_bytes(text)
    found, expected = reader(folder / "a.log", indexed), lines_of(text)
    numbers = list(range(1, len(expected) + 3))
    order.shuffle(numbers)  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    for n in numbers:
        assert found.line(n) == (expected[n - 1] if n <= len(expected) else None)
    assert found.count() == len(expected)
    found.close()


@given(text=TEXTS, number=st.integers(1, 20))
def test_a_line_is_found_by_halves(folder: Path, text: bytes, number: int) -> None:
    (folder / "a.log").write_bytes(text)
    with pytest.MonkeyPatch.context() as patched:
        for name, size in (("BLOCK", 1 << 10), ("_SHORT", 2)):
            patched.setattr(lines, name, size)
        found = reader(folder / "a.log", indexed=False)
        assert found.lines(number, 1) == lines_of(text)[number - 1 : number]
        found.close()


@given(text=TEXTS, indexed=st.booleans(), first=st.integers(0, 12), count=st.integers(0, 12))
def test_some_lines_in_a_row(folder: Path, text: bytes, indexed: bool, first: int, count: int) -> None:
    (folder / "a.log").write_bytes(text)
    found, begin = reader(folder / "a.log", indexed), max(first, 1) - 1
    assert found.lines(first, count) == lines_of(text)[begin : begin + count]
    found.close()


@given(text=TEXTS.filter(bool), indexed=st.booleans(), at=st.integers(0, 10_000))
def test_numbers_and_offsets_agree(folder: Path, text: bytes, indexed: bool, at: int) -> None:
    (folder / "a.log").write_bytes(text)
    found, starts = reader(folder / "a.log", indexed), offsets_of(text)
    at %= len(text)
    number = text.count(b"\n", 0, at) + 1
    assert found.line_at(at) == number
    assert found.offset_of(number) == starts[number - 1]
    found.close()


@given(text=TEXTS.filter(bool), count=st.integers(0, 9), at=st.integers(0, 10_000))
def test_lines_before(folder: Path, text: bytes, count: int, at: int) -> None:
    (folder / "a.log").write_bytes(text)
    found, starts = reader(folder / "a.log", indexed=False), offsets_of(text)
    n = at % len(starts)
    assert found.lines_before(starts[n], count) == lines_of(text)[max(0, n - count) : n]
    found.close()


@pytest.mark.parametrize("text", [b"", b"\n", b"\n\n", b"a", b"a\n", b"a\n\n"], ids=repr)
def test_how_many_lines(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "a.log").write_bytes(text)
    found = reader(tmp_path / "a.log", indexed=False)
    assert found.count() == len(lines_of(text))
    found.close()


def test_a_file_that_grew_has_more_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(b"one\ntwo")
    found = reader(path, indexed=True)
    assert found.count() == 2
    with path.open("ab") as out:
        out.write(b" and a half\nthree\n")
    assert [found.line(n) for n in (2, 3, 4)] == [b"two and a half", b"three", None]
    assert found.count() == 3
    found.close()


def test_a_file_that_was_cut_has_fewer(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(b"".join(b"line %d\n" % n for n in range(100)))
    found = reader(path, indexed=True)
    path.write_bytes(b"new\nlines\n")
    assert found.line(90) is None
    assert found.count() == 2
    assert found.lines(1, 9) == [b"new", b"lines"]
    found.close()


def test_a_line_of_many_mb_is_capped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    (tmp_path / "a.log").write_bytes(b"first\n" + b"x" * (5 << 20) + b"\nlast\n")
    found = reader(tmp_path / "a.log", indexed=False)
    assert [len(x) for x in found.lines(1, 3)] == [5, LINE_CAP, 4]
    found.close()


def test_long_lines_have_a_head_an_end_and_a_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every length round those at which something is left out, also where a block ends within the line."""
    monkeypatch.undo()
    sizes = [BRIEF, BRIEF + 1, LINE_CAP - 3, LINE_CAP, (2 << 20) + 7, (5 << 20) - 1]
    (tmp_path / "a.log").write_bytes(b"".join(b"first " + b"x" * (size - 10) + b"last\n" for size in sizes) + b"end\n")
    found = reader(tmp_path / "a.log", indexed=False)
    placed = found.placed_from(0, 99, BRIEF)
    assert [line.length for line in placed] == [*sizes, 3]
    assert [line.offset for line in placed] == [0, *accumulate(size + 1 for size in sizes)]
    assert [len(line.raw) for line in placed] == [*[BRIEF] * len(sizes), 3]
    assert all(line.raw.startswith(b"first x") and line.raw.endswith(b"xlast") for line in placed[:-1])
    assert all(b" \xe2\x80\xa6 " in line.raw for line in placed[1:-1])
    assert [len(raw) for raw in found.lines_before(placed[-1].offset, 1)] == [BRIEF]
    found.close()


def test_of_thousands_of_long_lines_less_is_returned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole lines at first, and of each at least what a report cites."""
    monkeypatch.undo()
    many = 400
    (tmp_path / "a.log").write_bytes((b"x" * 100_000 + b"\n") * many)
    found = reader(tmp_path / "a.log", indexed=False)
    lengths = [len(raw) for raw in found.lines(1, many)]
    assert (lengths[0], lengths[-1], len(lengths)) == (100_000, _SCANT, many)
    assert sum(lengths) < _IN_ALL + 100_000 + many * _SCANT
    found.close()


def test_packed_files_have_lines_too(tmp_path: Path) -> None:
    import gzip

    file = log_file(tmp_path / "a.log.gz", gzip.compress(b"one\ntwo\nthree\n"), compression=Compression.GZIP)
    found = LineReader(file)
    assert [found.line(n) for n in (3, 1, 4)] == [b"three", b"one", None]
    found.close()


@given(text=TEXTS.filter(bool), at=st.integers(0, 10_000), ahead=st.integers(0, 5))
def test_lines_of_a_stretch_that_is_not_counted_yet(folder: Path, text: bytes, at: int, ahead: int) -> None:
    (folder / "a.log").write_bytes(text)
    starts = offsets_of(text)
    n = at % len(starts)
    found = LineReader(described(folder / "a.log"), loose=sorted({0, starts[n], len(text)}))
    expected = [*lines_of(text)[n:], None]
    for k in range(min(ahead + 1, len(expected) - 1)):
        assert found.line(UNCOUNTED + starts[n] + 1 + k) == expected[k]
    found.close()


def test_a_partial_index_is_gone_on_from(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(b"a\nb\nc\nd\ne\n")
    known = np.array([0], np.int64)
    found = LineReader(described(tmp_path / "a.log"), known, known, (4, 2))
    assert [found.line(n) for n in (5, 2, 6)] == [b"e", b"b", None]
    found.close()
