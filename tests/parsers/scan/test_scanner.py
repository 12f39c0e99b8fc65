"""Ranges may be cut anywhere, and nothing that a log holds changes what is found."""

from __future__ import annotations

import re
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scanning import SMALL, case_of, counted, described, log_file, scan, scanner, shown, table

from logtui.parsers.errors import PathUnreadable
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.scan import blocks
from logtui.parsers.scan.rows import BULK_FIRST, BULK_LAST, KEEP_FIRST, KEEP_LAST

STAMP = b"2025-11-21 04:12:09,123 "


def lines_of(found: Any) -> list[tuple[str, int]]:
    """(pattern, line) of every record."""
    return [(r.name, r.line) for r in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(b"", [], id="empty"),
        pytest.param(b"nothing here\n", [], id="nothing"),
        pytest.param(b"\n\n\nFatalError: x\n", [("t.error", 4), ("t.other", 4)], id="empty lines count"),
        pytest.param(b"a\nFatalError: x", [("t.error", 2), ("t.other", 2)], id="no final newline"),
        pytest.param(b"FatalError: \nx\n", [], id="a match does not cross lines"),
        pytest.param(b"FatalErr\nor: x\n", [], id="an anchor does not cross lines"),
        pytest.param(b"OtherError: x\n", [("t.other", 1)], id="anchor of one pattern only"),
        pytest.param(
            b"FatalError: a FatalError: b\n",
            [("t.error", 1), ("t.error", 1), ("t.other", 1), ("t.other", 1)],
            id="glued",
        ),
        pytest.param(b" 10%\r 20%\rFatalError: x\r 30%\n", [("t.error", 1), ("t.other", 1)], id="after a progress bar"),
        pytest.param(
            b"FatalError: x\r 10%\rOtherError: y\n",
            [("t.error", 1), ("t.other", 1), ("t.other", 1)],
            id="one record in each segment",
        ),
        pytest.param(b"\x00\x00FatalError: \x00x\n", [("t.error", 1), ("t.other", 1)], id="NUL bytes"),
        pytest.param(b"\xff\xfe FatalError: x \xc3\n", [("t.error", 1), ("t.other", 1)], id="broken UTF-8"),
        pytest.param(b"\x1b[31mFatalError: x\x1b[0m\n", [("t.error", 1), ("t.other", 1)], id="colours"),
        pytest.param(b"a\r\nFatalError: x\r\n", [("t.error", 2), ("t.other", 2)], id="Windows line ends"),
        pytest.param(
            b"a\x0b\x0c\x1c\xc2\x85FatalError: x\n", [("t.error", 1), ("t.other", 1)], id="only \\n ends a line"
        ),
        pytest.param(b"retrying request x\n", [], id="bulk that its regex refuses"),
        pytest.param(
            b"retrying request 1/5\nConnection reset by peer: Connection reset by peer\n",
            [("t.retry", 1), ("t.reset", 2)],
            id="bulk is one record per line",
        ),
    ],
)
def test_records_and_their_lines(tmp_path: Path, text: bytes, expected: list[tuple[str, int]]) -> None:
    assert lines_of(table(log_file(tmp_path / "a.log", text))) == expected


def test_offset_and_length_are_those_of_the_line(tmp_path: Path) -> None:
    text = b"first\n[rank3]: FatalError: x and more\nlast\n"
    record = table(log_file(tmp_path / "a.log", text))[0]
    assert text[record.offset : record.offset + record.length] == b"[rank3]: FatalError: x and more"
    assert (record.rank, record.text) == (3, "[rank3]: FatalError: x and more")


WORDS = st.sampled_from(
    [b"FatalError: x", b"OtherError: y", b"training step 3 took 0.5", b"Connection reset by peer", b"retrying request 1/5",
     b"retrying request", b"[rank3]: ", b"[rank12]: ", STAMP, b"node007:4242:4542 [3] NCCL INFO ", b"\r", b"\n", b"\n",
     b"\x00", b"\xff", b"x" * 40]
)  # fmt: skip
TEXTS = st.lists(WORDS, max_size=60).map(b"".join)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scan")


@given(text=TEXTS, cuts=st.lists(st.integers(0, 1200), max_size=4), engine=st.sampled_from(["auto", "numpy"]))
def test_any_ranges_give_the_table_of_one(folder: Path, text: bytes, cuts: list[int], engine: str) -> None:
    file = log_file(folder / "a.log", text)
    cuts = [c for c in cuts if c <= len(text)]
    whole, cut = case_of(file, scan(file)), case_of(file, scan(file, cuts, engine))
    assert shown(cut.records) == shown(whole.records)
    assert counted(cut.records) == counted(whole.records)
    index = cut.indexes[0]
    assert index.lines == text.count(b"\n") + (text != b"" and not text.endswith(b"\n"))
    assert index.end == len(text)


def test_every_split_point_gives_the_table_of_one(tmp_path: Path) -> None:
    text = (
        STAMP + b"FatalError: a\n[rank3]: FatalError: b\n\nretrying request 1/2\r\nConnection reset by peer\n"
        b"training step 7 took 1.5\nFatalError: c"
    )
    file = log_file(tmp_path / "a.log", text)
    whole = shown(table(file))
    for cut in range(len(text) + 1):
        assert shown(table(file, [cut])) == whole, cut


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 256 bytes, so that lines are long and ranges have many blocks."""
    for name, value in {"LONG_LINE": 256, "CONTEXT": 64, "FULL": 320, "STRADDLE": 16}.items():
        monkeypatch.setattr(blocks, name, value)
    scanner.cache_clear()


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("size", [255, 256, 257, 511, 512, 513, 900])
def test_lines_of_about_a_block(tmp_path: Path, size: int) -> None:
    lines = [b"y" * (size - 20) + b" FatalError: x", b"OtherError: z", b"q" * size, b"FatalError: end"]
    file = log_file(tmp_path / "a.log", b"\n".join(lines) + b"\n")
    whole = shown(table(file))
    assert [(name, line) for name, _, line, *_ in whole if name == "t.other"] == [
        ("t.other", 1), ("t.other", 2), ("t.other", 4)
    ]  # fmt: skip
    for cut in range(0, file.size, 7):
        assert shown(table(file, [cut])) == whole, cut
    scanner.cache_clear()


@pytest.mark.parametrize("engine", ["auto", "numpy"])
def test_a_line_of_100_mb_costs_neither_memory_nor_time(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "a.log"
    with path.open("wb") as out:
        out.write(b"before\nFatalError: first ")
        for _ in range(100):
            out.write(b"x" * (1 << 20))
        out.write(b" FatalError: last\nFatalError: after\n")
    file = described(path)
    scanner(engine)
    tracemalloc.start()
    begun = time.process_time()
    parts = scan(file, engine=engine)
    spent, (_, peak) = time.process_time() - begun, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    found = [r for r in case_of(file, parts).records if r.name == "t.error"]
    assert [(r.line, r.fields["what"]) for r in found] == [(2, "first"), (2, "last"), (3, "after")]
    assert peak < 16 << 20
    assert spent < 10


def test_evidence_in_a_line_of_many_mb_can_be_read_again(tmp_path: Path) -> None:
    text = b"x" * (5 << 20) + b" FatalError: deep " + b"y" * (1 << 20) + b"\n"
    file = log_file(tmp_path / "a.log", text)
    case = case_of(file, scan(file))
    (record,) = [r for r in case.records if r.name == "t.error"]
    assert "FatalError: deep" in record.text
    assert "FatalError: deep" in case.following(record, 0)[0]
    case.close()


def test_a_file_that_shrinks_gives_what_is_left(tmp_path: Path) -> None:
    file = log_file(tmp_path / "a.log", b"FatalError: x\n" * 1000)
    file.path.write_bytes(b"FatalError: x\n" * 10 + b"Fatal")
    (whole, unfinished) = scanner().scan(file, 0, file.size)
    assert (whole.lines, unfinished.unfinished, whole.damage) == (10, True, None)
    assert unfinished.damage == "shrank while it was read"


def test_a_file_cut_to_nothing_says_so(tmp_path: Path) -> None:
    file = log_file(tmp_path / "a.log", b"FatalError: x\n" * 1000)
    file.path.write_bytes(b"")
    (part,) = scanner().scan(file, 0, file.size)
    assert (len(part.rows), part.damage) == (0, "shrank while it was read")


def test_a_file_that_grows_is_read_to_where_it_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = log_file(tmp_path / "a.log", b"FatalError: x\n" * 10)
    fill = blocks.PlainFiller.fill

    def grow(filler: blocks.PlainFiller, room: memoryview, offset: int) -> int:
        with file.path.open("ab") as out:
            out.write(b"FatalError: late\n" * 100)
        return fill(filler, room, offset)

    monkeypatch.setattr(blocks.PlainFiller, "fill", grow)
    (part,) = scanner().scan(file)
    assert (part.end, part.lines) == (140, 10)


def test_a_line_being_written_is_a_part_of_its_own(tmp_path: Path) -> None:
    whole, unfinished = scan(log_file(tmp_path / "a.log", b"FatalError: a\nFatalError: b"))
    assert (whole.start, whole.end, whole.unfinished) == (0, 14, False)
    assert (unfinished.start, unfinished.end, unfinished.unfinished) == (14, 27, True)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    file = log_file(tmp_path / "a.log", b"x\n")
    file.path.unlink()
    with pytest.raises(PathUnreadable, match=re.escape(str(file.path))):
        scan(file)


def test_cancelling_stops_after_a_block(tmp_path: Path) -> None:
    file = log_file(tmp_path / "a.log", b"nothing to see\n" * 500_000)
    (part,) = scanner().scan(file, cancelled=lambda: True)
    assert 0 < part.end < file.size


def interleaved(line: Callable[[int, int], bytes], ranks: int, count: int) -> bytes:
    return b"".join(line(rank, n) for n in range(count) for rank in range(ranks))


@pytest.mark.parametrize("cuts", [[], [1000], [20_000, 40_000, 60_000]], ids=["whole", "early", "many"])
def test_a_crowd_keeps_its_first_and_last_and_its_number(tmp_path: Path, cuts: list[int]) -> None:
    text = interleaved(lambda rank, n: b"[rank%d]: FatalError: e%d\n" % (rank, n), 3, 1000)
    found = table(log_file(tmp_path / "a.log", text), cuts)
    mine = [r for r in found.of("t.error") if r.rank == 1]
    numbers = [int(r.fields["what"][1:]) for r in mine]
    assert numbers == [*range(KEEP_FIRST), *range(1000 - KEEP_LAST, 1000)]
    assert [r.line for r in mine] == [n * 3 + 2 for n in numbers]
    assert counted(found)["t.error", 1] == 1000
    assert found.total("t.error") == 3000


@pytest.mark.parametrize("text", [b"Connection reset by peer", b"retrying request 1/5"], ids=["proven", "confirmed"])
@pytest.mark.parametrize("cuts", [[], [30_000, 90_000]], ids=["whole", "cut"])
def test_a_storm_is_counted_by_rank_and_kept_at_its_ends(tmp_path: Path, text: bytes, cuts: list[int]) -> None:
    content = interleaved(lambda rank, n: STAMP + b"[rank%d]: n%d %s\n" % (rank, n, text), 4, 700)
    found = table(log_file(tmp_path / "a.log", content), cuts)
    name = "t.reset" if b"reset" in text else "t.retry"
    assert counted(found) == {(name, rank): 700 for rank in range(4)}
    mine = [r for r in found if r.rank == 2]
    kept = [*range(BULK_FIRST), *range(700 - BULK_LAST, 700)]
    assert [(r.line, r.time_from) for r in mine] == [(n * 4 + 3, TimeFrom.DATED) for n in kept]
    assert all(f"n{n} " in r.text for n, r in zip(kept, mine, strict=True))


def test_a_storm_of_processes_without_ranks_keeps_those_of_each(tmp_path: Path) -> None:
    text = interleaved(lambda p, n: b"node007:%d:9 [0] NCCL INFO Connection reset by peer\n" % (100 + p), 5, 50)
    found = table(log_file(tmp_path / "a.log", text))
    assert counted(found) == {("t.reset", -1): 250}
    assert [sum(r.pid == 100 + p for r in found) for p in range(5)] == [BULK_FIRST + BULK_LAST] * 5


def test_numbers_are_kept_from_every_line(tmp_path: Path) -> None:
    text = b"".join(b"training step %d took %d.5\n" % (n, n) for n in range(2000))
    found = table(log_file(tmp_path / "a.log", text), [777, 11_111])
    assert found.rows["a"].tolist() == list(range(2000))
    assert found.rows["b"].tolist() == [n + 0.5 for n in range(2000)]
    assert found[0].text == ""


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        pytest.param(b"", TimeFrom.NONE, id="nothing"),
        pytest.param(STAMP + b"boring\n", TimeFrom.NEIGHBOUR, id="the line before"),
        pytest.param(STAMP + b"boring\n" + b"no time\n" * 20, TimeFrom.NEIGHBOUR, id="a few lines before"),
        pytest.param(STAMP + b"boring\n" + b"no time\n" * 600, TimeFrom.NONE, id="too far"),
        pytest.param(STAMP + b"FatalError: x\n" + b"no time\n" * 600, TimeFrom.NEIGHBOUR, id="a record far before"),
    ],
)
def test_a_line_without_a_time_takes_a_neighbours(tmp_path: Path, before: bytes, expected: TimeFrom) -> None:
    last = list(table(log_file(tmp_path / "a.log", before + b"FatalError: y\n")).of("t.error"))[-1]
    assert last.time_from is expected
    assert last.time == (None if expected is TimeFrom.NONE else 1763698329.123)


def test_more_glued_records_than_are_kept_are_counted(tmp_path: Path) -> None:
    found = table(log_file(tmp_path / "a.log", b"FatalError: x " * 100 + b"\n"))
    assert found.total("t.error") == 100
    assert sum(r.name == "t.error" for r in found) == 16


@settings(max_examples=25)
@given(gap=st.integers(0, 20_000), count=st.integers(1, 40))
def test_records_far_apart_in_one_line_are_all_found(folder: Path, gap: int, count: int) -> None:
    text = (b"x" * gap + b" FatalError: a ") * count + b"\n"
    assert table(log_file(folder / "b.log", text)).total("t.error") == count


def test_matched_lines_are_counted_once(tmp_path: Path) -> None:
    text = b"FatalError: Connection reset by peer\nConnection reset by peer\nretrying request 1/2 training step 3 took 1\n-\n"
    assert case_of(file := log_file(tmp_path / "a.log", text), scan(file)).indexes[0].matched == 3
    assert SMALL.patterns[3].bulk
