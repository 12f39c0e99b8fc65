"""Lines that differ in digits alone are understood once, and that changes nothing."""

from __future__ import annotations

import random
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
from logtui.parsers.records import shapes
from logtui.parsers.records.shapes import (
    LONGEST,
    MOST,
    Answers,
    FieldPlaces,
    Shapes,
    Uses,
    masked,
    telling,
    telling_places,
    widened,
)
from logtui.parsers.registry import build, registry
from logtui.parsers.scan import rows
from logtui.parsers.scan.proof import make_engine
from logtui.parsers.scan.scanner import RangeScanner
from logtui.parsers.scan.table import TableBuilder


@pytest.mark.parametrize(
    ("regex", "literals"),
    [
        (r"retrying (?P<n1>\d+)/\d{1,3}", []),
        (r"x[0-9a-f]{8,}y", []),
        (r"[^ :]+[\d,]", []),
        (r"\(?(?P<n>\d+)", []),
        (r"errno 110\b", ["errno 000"]),
        (r"c10d|d2\.utils", ["c00d", "d0.utils"]),
        (r"Error\(104", ["Error(000"]),
        (r"x5s? y", ["x0"]),
        (r"(?!.*\+0 )x", ["+0 "]),
    ],
)
def test_literals_that_tell_digits_apart(regex: str, literals: list[str]) -> None:
    assert telling(regex) == Uses(frozenset(literals), ())


@pytest.mark.parametrize(
    "regex", [r"[1-9]+", r"a[1-9]?", r"x\d*[1-9]", r"x([1-9])+", r"[1-9] [1-9]", r"a|x[1-9]", r"\x41", r"(?P<a>[\d.]+)/(?P=a)", r"(\d+)/\1", r"(a)?(?(1)b|c)", r"x5?", r"x0+", r"[^7]", r"(?i)x5"]
)  # fmt: skip
def test_what_tells_digits_apart_otherwise(regex: str) -> None:
    assert telling(regex) is None


@pytest.mark.parametrize(
    ("regex", "wide"),
    [
        (r"errno 11[0-5]", r"errno \d\d[\s\S]"),
        (r"(?P<a>\d+)/(?!(?P=a)\b)(?P<b>\d+)", r"(?P<a>\d+)/(?P<b>\d+)"),
        (r"(?P<a>\d+)/(?P=a)", r"(?P<a>\d+)/[\s\S]*"),
        (r"^(?!.*(?:gloo|c10d))x5", r"^x\d"),
        (r"^(?!.*gloo)x5", r"^(?!.*gloo)x\d"),
        (r"(?<!7)x", r"x"),
        (r"a\(5\)", r"a\(\d\)"),
    ],
)
def test_widened(regex: str, wide: str) -> None:
    found = widened(regex)
    assert found is not None and found.pattern == wide


@pytest.mark.parametrize("regex", [r"(?i)x5", r"(?>a5|a)", r"a5++", r"(a)?(?(1)b5|c)"])
def test_what_is_not_understood_is_not_widened(regex: str) -> None:
    assert widened(regex) is None


PATTERNS = registry().patterns


@given(st.sampled_from(PATTERNS), st.randoms(use_true_random=False))
def test_declared_regexes_match_no_more_than_their_widened_ones(pattern: Pattern, random: Random) -> None:
    wide = widened(pattern.regex)
    for sample in pattern.samples:
        text = "".join(random.choice("0123456789") if c.isdecimal() else c for c in sample.text)
        assert wide is None or pattern.compiled.search(text) is None or wide.search(text) is not None


@pytest.mark.parametrize(
    ("regex", "line", "digits"),
    [
        (r"step \d+", "step 17", []),
        (r"c10d", "c10d and c17d, port 29500", ["c10d", "c17d"]),
        (r"(?P<n>\d+)/(?!(?P=n)\b)(?P<of>\d+)", "[rank3]: 14:16:00 retrying 3/15 for shard-00017", ["3=1"]),
        (r"(?P<n>\d+)/ *(?P=n)\b", "7/ 90 x", ["7=9"]),
        (r"(?P<n>\d+)/ *(?P=n)\b", "1234/ 90 x", ["34=90", "4=9"]),
        (r"(?P<n>\d+) ?(?:/|of) ?(?P<of>(?P=n))\b", "7 of 90", ["7=9"]),
        (r"(?P<n>\d+)/(?P=n)", "nothing to compare", []),
        (r"faults: +(?P<n>[1-9]\d*)", "7 faults:  10, 3 faults: x, faults: 305", ["1", "3"]),
        (r"faults: (?![1-9])", "faults: 0", ["0"]),
    ],
)
def test_parts_of_a_line_that_decide(regex: str, line: str, digits: list[str]) -> None:
    places = telling_places(regex, masked(line))
    assert places is not None
    assert [_shown(line, *place) for place in places] == digits


def _shown(line: str, begin: int, end: int, at: int | None = None) -> str:
    return line[begin:end] + ("" if at is None else "=" + line[at : at + end - begin])


@pytest.mark.parametrize(
    "regex", [r"(?P<n>\d+)\b/(?P=n)", r"(?:(?P<n>\d+)|x)/(?P=n)", r"(?P<n>\d+)(?:/|x(?P=n))", r"(?P<n>\d+)/(?P=n)+"]
)
def test_what_cannot_be_said(regex: str) -> None:
    assert telling_places(regex, "17/17") is None


@given(st.sampled_from(PATTERNS), st.sampled_from(PATTERNS), st.randoms(use_true_random=False))
def test_declared_regexes_match_alike_where_the_deciding_digits_are_equal(
    a: Pattern, b: Pattern, random: Random
) -> None:
    for sample in (*a.samples, *b.samples):
        places = telling_places(a.regex, masked(sample.text))
        if places is None:
            continue
        text = other_digits(sample.text, random)
        for place in places:
            text = _agreeing(text, sample.text, *place)
        if Answers[int](places)._key(text) != Answers[int](places)._key(sample.text):
            continue
        first, other = a.compiled.search(sample.text), a.compiled.search(text)
        assert (first and first.regs) == (other and other.regs)


def _agreeing(text: str, sample: str, begin: int, end: int, at: int | None = None) -> str:
    """The text with the digits of the sample in one part, or with equal numbers where the sample has such."""
    if at is None:
        return text[:begin] + sample[begin:end] + text[end:]
    same = sample.startswith(sample[begin:end], at)
    return text[:at] + text[begin:end] + text[at + end - begin :] if same else text


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
    assert all(telling(stamp.relaxed(regex).pattern) == NOT_AT_ALL for _, regex in stamp._STYLES)


PREFIXES = st.sampled_from(
    ["[rank3]: ", "12: ", "[default3]:", "node007: ", "node007:44:45 [0] NCCL INFO ", "(Worker pid=17, ip=10.0.0.7) ",
     "[1,3]<stdout>:", "x: rank12[44][Main]", "2026-02-24 14:16:00,123 ", "[E224 14:16:00.112358132 x.cpp:1] ",
     "Feb 24 14:16:00 ", "02-24 14:16:00 ", "02/24/2026, 14:16:00", "Tue Feb 24 14:16:00 UTC 2026 ", "[   17.123456] ",
     "I0000 00:00:1771942560.123456 ", ":::MLPv0.5.0 x 1771942560.5 ", "Tue 24 Feb 14:16:00 CET 2026 ", "2026-2-4 14:16:00 ",
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
     b"\x1b[31m", b"\r", b"\xff", "é".encode(), "█▋ ".encode(), b" 10.0.0.7:5123 ", b"[rank3]: ", b"[rank5]: ", b"n:44:5 [0] NCCL ",
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


def test_only_short_texts_that_stay_as_they_are_are_remembered() -> None:
    shapes = Shapes()
    assert shapes.of(b"step 17") is shapes.of(b"step 42") is not None
    assert shapes.of(b"step 17 x") is not shapes.of(b"step 17 y")
    assert shapes.of(" 17%|█▋   | 7/40".encode()) is shapes.of(" 42%|█▋   | 9/40".encode()) is not None
    for raw in (b"x" * (LONGEST + 1), b"\xff", b"\x1b[31m", b"[31m", b"a\0", "a\u2019s".encode(), "\u0663/7".encode()):
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


VARIANTS = 12


def found(pattern: Pattern, text: str) -> dict[str, str]:
    m = pattern.compiled.search(text)
    return {k: v for k, v in m.groupdict().items() if v is not None} if m else {}


def variants(text: str, seed: int) -> list[str]:
    """The text with other digits, all of them and single ones."""
    rng = random.Random(seed)
    few = [
        re.sub(r"\d", lambda m: m[0] if rng.random() < 0.8 else str(rng.randrange(10)), text) for _ in range(VARIANTS)
    ]
    return [text, *(re.sub(r"\d", lambda _: str(rng.randrange(10)), text) for _ in range(VARIANTS)), *few]


@pytest.mark.parametrize("pattern", registry().patterns, ids=lambda p: p.name)
def test_the_fields_are_those_of_the_regex(pattern: Pattern) -> None:
    places = FieldPlaces()
    for n, sample in enumerate(pattern.samples):
        for text in variants(sample.text, n):
            assert places.read(pattern, text.encode()) == found(pattern, text)


def pattern_of(regex: str) -> Pattern:
    return Pattern(name="test.x", anchors=("step of ",), regex=regex, samples=(), role=Role.INFO)


def test_lines_that_differ_in_more_than_digits_are_searched_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "TRIAL_LINES", 3)
    pattern, places = pattern_of(r"step of (?P<name>\w+) (?P<n>\d+)"), FieldPlaces()
    for name in ("a", "b", "c", "d", "e", "f"):
        assert places.read(pattern, f"step of {name} 7".encode()) == {"name": name, "n": "7"}
    assert len(places._known) == 4


def test_places_of_fields_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "MOST_LINES", 2)
    pattern, places = pattern_of(r"step of (?P<name>\w+) (?P<n>\d+)"), FieldPlaces()
    for name in ("a", "b", "c", "d"):
        for n in range(3):
            assert places.read(pattern, f"step of {name} {n}".encode()) == {"name": name, "n": str(n)}
        assert len(places._known) <= 2


@pytest.mark.parametrize(
    "text", ["step of é 5", "step of " + "x" * 2000 + " 5", "nothing"], ids=["not ASCII", "long", "no match"]
)
def test_other_lines_are_searched(text: str) -> None:
    pattern, places = pattern_of(r"step of (?P<name>\w+) (?P<n>\d+)"), FieldPlaces()
    for _ in range(3):
        assert places.read(pattern, text.encode()) == found(pattern, text)


def test_a_text_that_is_no_utf_8() -> None:
    pattern, places = pattern_of(r"step of (?P<name>\w+) (?P<n>\d+)"), FieldPlaces()
    assert places.read(pattern, b"step of a\xff 5 step of b 6") == {"name": "b", "n": "6"}


@pytest.mark.parametrize(
    ("regex", "remembered"),
    [(r"comm (?P<comm>0x[0-9a-f]+) rank (?P<rank>\d+)", 1), (r"(?P<digits>\d+).* rank (?P<rank>\d+)", 0)],
)
def test_fields_of_lines_with_other_addresses(regex: str, remembered: int) -> None:
    pattern, places = pattern_of(regex), FieldPlaces()
    searched = []
    for n in range(40):
        line = f"comm 0x{n * 0xABCDE + 0x7F0000000000:x} rank {n % 10}"
        before = len(places._known)
        found = pattern.compiled.search(line)
        assert found is not None
        assert places.read(pattern, line.encode()) == found.groupdict()
        searched.append(len(places._known) - before)
    assert sum(searched) == 1
    assert sum(known is not None for known in places._known.values()) == remembered
