"""Lines that differ in digits alone are searched once, and that changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scanning import counted, log_file, shown

from logtui.parsers import void_lines
from logtui.parsers.case import Case
from logtui.parsers.engine import make_engine
from logtui.parsers.matchers import is_proven_by_anchor
from logtui.parsers.pattern import LineFormat, Pattern, Role
from logtui.parsers.registry import build, registry
from logtui.parsers.scan import RangeScanner
from logtui.parsers.table import TableBuilder
from logtui.parsers.verdicts import CHANCES, LONGEST, MOST, Memory, is_blind_to_digits, masked


def pattern(regex: str, *anchors: str, **other: object) -> Pattern:
    return Pattern("t.x", anchors or ("anchor ",), regex, (), Role.NOISE, **other)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("regex", "expected"),
    [
        (r"retrying (?P<n1>\d+)/\d{1,3}", True),
        (r"x[0-9a-f]{8,}y", True),
        (r"\(?(?P<n>\d+)", True),
        (r"errno 110", False),
        (r"[1-9]\d*", False),
        (r"\x41", False),
        (r"(?P<a>\d+)/(?P=a)", False),
        (r"(\d+)/\1", False),
        (r"(a)?(?(1)b|c)", False),
    ],
)
def test_which_regexes_treat_all_digits_alike(regex: str, expected: bool) -> None:
    assert is_blind_to_digits(pattern(regex)) is expected


def test_an_anchor_with_a_digit_tells_digits_apart() -> None:
    assert not is_blind_to_digits(pattern("x", "[Errno 104"))


@pytest.mark.parametrize(
    ("regex", "anchors", "expected"),
    [
        ("retrying(?: (?P<n>\\d+))?", ("retrying",), True),
        ("retrying \\d+", ("retrying ",), False),
        ("Connection (?:reset|refused)", ("Connection reset", "Connection refused"), True),
        ("Connection (?:reset|refused)", ("Connection ",), False),
        ("^retrying", ("retrying",), False),
        ("retrying(?! soon)", ("retrying",), False),
    ],
)
def test_what_an_anchor_proves(regex: str, anchors: tuple[str, ...], expected: bool) -> None:
    assert is_proven_by_anchor(pattern(regex, *anchors)) is expected


@given(st.text(alphabet="ab0123456789./ ", max_size=30), st.randoms())
def test_any_declared_regex_that_is_blind_is_blind(text: str, random: object) -> None:
    other = "".join(random.choice("0123456789") if c.isdecimal() else c for c in text)  # type: ignore[attr-defined]
    for p in BLIND:
        a, b = p.compiled.search(p.anchors[0] + text), p.compiled.search(p.anchors[0] + other)
        assert (a and a.span()) == (b and b.span()), p.name


BLIND = [p for p in registry().patterns if is_blind_to_digits(p)][::9]

KINDS = build((LineFormat("test", "", "", (
    Pattern("t.alike", ("try again",), r"try again in \d{1,2} s", (), Role.NOISE, bulk=True),
    Pattern("t.last", ("attempt ",), r"attempt (?P<n>\d+)/(?P<of>\d+)\b", (), Role.CAUSE, bulk=True, equal=("n", "of")),
    Pattern("t.not_last", ("attempt ",), r"attempt (?P<n>\d+)/(?P<of>\d+)\b", (), Role.NOISE, bulk=True,
            unequal=("n", "of")),
    Pattern("t.other", ("code 110",), r"code 110\b", (), Role.NOISE, bulk=True),
    Pattern("t.proven", ("broken pipe",), r"broken pipe", (), Role.NOISE, bulk=True),
    Pattern("t.record", ("failure ",), r"failure (?P<n>\d+)", (), Role.CAUSE),
    Pattern("t.seven", ("failure ",), r"failure 7", (), Role.CAUSE),
    Pattern("t.near", ("disaster ",), r"disaster at", (), Role.CAUSE),
    Pattern("t.errno", ("Errno 104",), r"Errno 104", (), Role.CAUSE),
)),))  # fmt: skip

PIECES = st.sampled_from(
    [b"try again in 17 s", b"try again in 7 s", b"try again in 123 s", b"try again", b"attempt 5/5", b"attempt 3/5",
     b"attempt 55/5", b"attempt x", b"code 110", b"code 1101", b"broken pipe", b"failure 7", b"failure 12", b"failure x",
     b"disaster Errno 104", b"disaster Errno 105", b"disaster",
     b"\x1b[31m", b"\r", b"\xff", "é".encode(), b" 10.0.0.7:5123 ", b"[rank3]: ", b"n:44:5 [0] NCCL ", b"x" * 1100]
)  # fmt: skip
LINES = st.lists(st.lists(PIECES, max_size=5).map(b" ".join), max_size=60)


def case(file: object, remembers: bool) -> Case:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(void_lines, "FEW", -1 if remembers else 1 << 60)
        if not remembers:
            patch.setattr(Memory, "learn", lambda *_: None)
        parts = RangeScanner(make_engine(KINDS.anchors), KINDS).scan(file)  # type: ignore[arg-type]
    builder = TableBuilder(KINDS, sum(len(p.rows) for p in parts))
    builder.add(file, parts, complete=True)  # type: ignore[arg-type]
    return Case((file,), builder.table(), builder.indexes)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("verdicts")


@given(lines=LINES, repeat=st.integers(1, 3))
def test_remembering_changes_nothing(folder: Path, lines: list[bytes], repeat: int) -> None:
    file = log_file(folder / "a.log", b"\n".join(lines * repeat) + b"\n")
    fresh, remembered = case(file, remembers=False), case(file, remembers=True)
    assert shown(remembered.records) == shown(fresh.records)
    assert counted(remembered.records) == counted(fresh.records)
    assert remembered.indexes[0].matched == fresh.indexes[0].matched


@given(lines=LINES)
def test_bulk_lines_are_counted_as_their_regexes_say(folder: Path, lines: list[bytes]) -> None:
    whole = [line for line in lines if b"\r" not in line]
    found = case(log_file(folder / "b.log", b"\n".join(whole) + b"\n"), remembers=True).records
    for p in KINDS.patterns[:5]:
        texts = [line.decode("utf-8", "replace").replace("\x1b[31m", "") for line in whole]
        assert found.total(p.name) == sum(p.search(text) is not None for text in texts), p.name


def test_equal_and_unequal_share_the_lines_between_them(tmp_path: Path) -> None:
    text = b"".join(b"[rank%d]: attempt %d/5\n" % (n % 3, n % 7) for n in range(700))
    found = case(log_file(tmp_path / "a.log", text), remembers=True).records
    assert (found.total("t.last"), found.total("t.not_last")) == (100, 600)
    assert {r.fields["n"] for r in found.of("t.last")} == {"5"}


def test_memory_is_bounded_and_given_up_where_it_does_not_pay() -> None:
    memory: Memory[int] = Memory()
    for n in range((CHANCES + 1) * (MOST + 1)):
        memory.learn(b"line " + bytes([97 + n % 26, 97 + n // 26 % 26, 97 + n // 676 % 26, 97 + n // 17576 % 26]), n)
    assert len(memory._known) == 0
    memory.learn(b"x" * (LONGEST + 1), 1)
    assert memory.get(masked(b"x" * (LONGEST + 1))) is None
