"""Lines that differ in digits alone are understood once, and that changes nothing."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scanning import counted, log_file, shown

from logtui.parsers.files.case import Case
from logtui.parsers.pattern import LineFormat, Pattern, Role
from logtui.parsers.prefix import origin, stamp
from logtui.parsers.prefix.grammar import HEADS
from logtui.parsers.prefix.origin import find_origin, read_origin
from logtui.parsers.prefix.stamp import find_places, find_stamp, stamp_at
from logtui.parsers.records.shapes import LONGEST, MOST, Shapes, Uses, telling
from logtui.parsers.registry import build, registry
from logtui.parsers.scan import rows
from logtui.parsers.scan.proof import make_engine
from logtui.parsers.scan.scanner import RangeScanner
from logtui.parsers.scan.table import TableBuilder

NOT_AT_ALL = Uses(frozenset(), ())


def other_digits(text: str, random: Random) -> str:
    return "".join(random.choice("0123456789") if c.isdecimal() else c for c in text)


BLIND = [p for p in registry().patterns if telling(p.regex) == NOT_AT_ALL]


@given(st.sampled_from(BLIND), st.randoms(use_true_random=False))
def test_a_regex_that_is_blind_matches_any_digits_at_the_same_places(pattern: Pattern, random: Random) -> None:
    for text in (sample.text for sample in pattern.samples):
        a, b = pattern.compiled.search(text), pattern.compiled.search(other_digits(text, random))
        assert a and b and a.regs == b.regs


def test_prefixes_are_found_by_regexes_that_are_blind() -> None:
    regexes = [value for value in vars(origin).values() if isinstance(value, re.Pattern)]
    regexes += [head.compiled for head in HEADS]
    assert len(regexes) > len(HEADS)
    assert all(telling(regex.pattern) == NOT_AT_ALL for regex in regexes)


def test_places_of_stamps_are_found_by_regexes_that_are_blind() -> None:
    assert all(telling(stamp._relaxed(regex).pattern) == NOT_AT_ALL for _, regex in stamp._STYLES)


PREFIXES = st.sampled_from(
    ["[rank3]: ", "12: ", "[default3]:", "node007: ", "node007:44:45 [0] NCCL INFO ", "(Worker pid=17, ip=10.0.0.7) ",
     "[1,3]<stdout>:", "x: rank12[44][Main]", "2026-02-24 14:16:00,123 ", "[E224 14:16:00.112358132 x.cpp:1] ",
     "Feb 24 14:16:00 ", "02-24 14:16:00 ", "02/24/2026, 14:16:00", "Tue Feb 24 14:16:00 UTC 2026 ", "[   17.123456] ",
     "14:16:00.123 ", "E0224 14:16:00.123456 ", "at 1999-13-45 99:99:99 ", "failed", " x 17 "]
)  # fmt: skip
TEXTS = st.lists(PREFIXES, max_size=5).map("".join)


@given(text=TEXTS, hit=st.integers(0, 60), random=st.randoms(use_true_random=False))
def test_places_hold_for_any_digits(text: str, hit: int, random: Random) -> None:
    other = other_digits(text, random)
    assert find_origin(text, hit).read(other) == read_origin(other, hit)
    found = stamp_at(find_places(text), other, hit, 2026, 1_771_891_200.0)
    assert found == find_stamp(other, hit, 2026, 1_771_891_200.0)


KINDS = build((LineFormat("test", "", "", (
    Pattern("t.alike", ("try again",), r"try again in \d{1,2} s", (), Role.NOISE, bulk=True),
    Pattern("t.last", ("attempt ",), r"attempt (?P<n>\d+)/(?P=n)\b", (), Role.CAUSE, bulk=True),
    Pattern("t.other", ("code 110",), r"code 110\b", (), Role.NOISE, bulk=True),
    Pattern("t.proven", ("broken pipe",), r"broken pipe", (), Role.NOISE, bulk=True),
    Pattern("t.record", ("failure ",), r"failure (?P<n>\d+)", (), Role.CAUSE),
    Pattern("t.seven", ("failure ",), r"failure 7", (), Role.CAUSE),
    Pattern("t.near", ("disaster ",), r"disaster at", (), Role.CAUSE),
    Pattern("t.errno", ("Errno 104",), r"Errno 104", (), Role.CAUSE),
    Pattern("t.context", ("failure ",), r"^(?!.*d2.utils).*failure (?P<n>\d+)", (), Role.CAUSE),
    Pattern("t.step", ("iteration ",), r"iteration (?P<step>[\d,]+)(?:/ *(?P<ms>\d+))?", (), Role.INFO, numeric=("step", "ms")),
)),))  # fmt: skip

PIECES = st.sampled_from(
    [b"try again in 17 s", b"try again in 7 s", b"try again in 123 s", b"try again", b"attempt 5/5", b"attempt 3/5",
     b"attempt x", b"code 110", b"code 1101", b"broken pipe", b"failure 7", b"failure 12", b"failure x", b"d2.utils",
     b"d3.utils", b"iteration 7", b"iteration 12/ 90", b"iteration 1,234", b"iteration 8/ 91",
     b"disaster Errno 104", b"disaster Errno 105", b"disaster", b"2026-02-24 14:16:00", b"2926-02-24 14:16:00",
     b"\x1b[31m", b"\r", b"\xff", "é".encode(), b" 10.0.0.7:5123 ", b"[rank3]: ", b"[rank5]: ", b"n:44:5 [0] NCCL ",
     b"x" * 1100]
)  # fmt: skip
LINES = st.lists(st.lists(PIECES, max_size=5).map(b" ".join), max_size=60)


def case(file: object, remembers: bool) -> Case:
    with pytest.MonkeyPatch.context() as patch:
        if not remembers:
            patch.setattr(Shapes, "of", lambda *_: None)
        parts = RangeScanner(make_engine(KINDS.anchors), KINDS).scan(file)  # type: ignore[arg-type]
    builder = TableBuilder(KINDS, sum(len(p.rows) for p in parts))
    builder.add(file, parts, complete=True)  # type: ignore[arg-type]
    return Case((file,), builder.table(), builder.indexes)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shapes")


@given(lines=LINES, repeat=st.integers(1, 3), random=st.randoms(use_true_random=False))
def test_remembering_changes_nothing(folder: Path, lines: list[bytes], repeat: int, random: Random) -> None:
    changed = [other_digits(line.decode("latin-1"), random).encode("latin-1") for line in lines]
    file = log_file(folder / "a.log", b"\n".join((lines + changed) * repeat) + b"\n")
    fresh, remembered = case(file, remembers=False), case(file, remembers=True)
    assert shown(remembered.records) == shown(fresh.records)
    assert counted(remembered.records) == counted(fresh.records)
    assert remembered.indexes[0].matched == fresh.indexes[0].matched


def test_what_is_remembered_is_bounded() -> None:
    shapes = Shapes()
    for n in range(MOST * 3):
        shapes.of(b"line " + bytes([97 + n % 26, 97 + n // 26 % 26, 97 + n // 676 % 26, 97 + n // 17576 % 26]))
    assert len(shapes._known) <= MOST
    assert shapes.of(b"step 17") is None, "lines that differ in more than digits are not worth it for a while"


def test_only_short_lines_of_plain_text_are_remembered() -> None:
    shapes = Shapes()
    assert shapes.of(b"step 17") is shapes.of(b"step 42") is not None
    assert shapes.of(b"step 17 x") is not shapes.of(b"step 17 y")
    for raw in (b"x" * (LONGEST + 1), "é".encode(), b"\x1b[31m", b"a\0"):
        assert shapes.of(raw) is None


def test_dropping_rows_early_drops_those_that_folding_drops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [b"[rank%d]: failure %d%s" % (n % 2, n % 9, b" \xff" * (n % 3 == 0)) for n in range(40_000)]
    file = log_file(tmp_path / "a.log", b"\n".join(lines) + b"\niteration 7/ 9\n")
    early = case(file, remembers=True)
    monkeypatch.setattr(rows, "COMPACT", 1 << 30)
    late = case(file, remembers=True)
    assert shown(early.records) == shown(late.records)
    assert counted(early.records) == counted(late.records)
    assert len(late.records) < 2_000
