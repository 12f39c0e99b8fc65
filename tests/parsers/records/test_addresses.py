"""A regex that is blind to addresses does the same whatever they are."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.parsers.prefix.grammar import HEADS
from logtui.parsers.prefix.origin import find_origin
from logtui.parsers.prefix.stamp import find_places
from logtui.parsers.records.addresses import all_blanked, blanked, is_blind
from logtui.parsers.registry import registry

LINE = "node007:4242 [1] NCCL INFO comm 0x{:012x} rank 3 nranks 16 busId 1b000 commId 0x{:010x} - Init COMPLETE"
BLANK = LINE.format(0, 0)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"comm 0x7f31f80c1000 rank 3", b"comm 0x000000000000 rank 3"),
        (b"a 0xdeadbeef b 0xc0ffee", b"a 0x00000000 b 0x000000"),
        (b"0x7f31f80c1000 rank 3", b"0x7f31f80c1000 rank 3"),
        (b"comm 0x7f31f80c1000, rank 3", b"comm 0x7f31f80c1000, rank 3"),
        (b"flags 0x1f", b"flags 0x1f"),
        (b"key 0x0123456789abcdef0", b"key 0x0123456789abcdef0"),
        (b"pointer 0x7F31F80C", b"pointer 0x7F31F80C"),
        (b"nothing", b"nothing"),
        (b"at the end 0x", b"at the end 0x"),
    ],
)
def test_digits_of_addresses_are_blanked(line: bytes, expected: bytes) -> None:
    assert blanked(line) == expected


PIECES = st.sampled_from(
    [b" 0x", b" ", b"0x", b"x", b"0", b"c0ffee", b"7f31f80c1000", b"deadbeef0", b"F", b",", b"\0", b"\r"]
)


@given(st.lists(st.lists(PIECES, max_size=12).map(b"".join), max_size=12))
def test_many_lines_are_blanked_as_each_is(lines: list[bytes]) -> None:
    assert all_blanked(list(lines)) == [blanked(line) for line in lines]


@pytest.mark.parametrize(
    "regex",
    [
        r"comm (?P<comm>0x[0-9a-f]+) rank (?P<rank>\d+)",
        r"(?:(?P<f>nccl\w+) )?comm (?P<comm>(?:0x)?[0-9a-f]+) rank +(?P<rank>-?\d{1,6}) n[rR]anks",
        r"Init COMPLETE$",
        r"\bcomm \S+ .*COMPLETE",
        r"\[(?:a|(?P<gpu>\d+))\] NCCL",
        r"^(?P<host>[\w.-]+):(?P<pid>\d+) ",
    ],
)
def test_a_regex_that_never_looks_into_an_address_is_blind(regex: str) -> None:
    assert is_blind(regex, BLANK)


@pytest.mark.parametrize(
    "regex",
    [
        r"comm 0x(?P<n>\d+)",  # behind the x
        r"comm .*(?P<n>\d)",  # behind anything
        r"(?P<n>\d+) rank",  # at any beginning
        r"comm 0x[a-f]",
        r"comm 0xdead",
        r"0(?:x|\d)+ rank",  # a turn that takes the x, and one behind it
        r"comm 0[x\d]+ rank",
        r"dead|Init",
        r"(?P<n>0x[0-9a-f]+) .* (?P=n)",  # compares
        r"comm (0x)\1",
        r"(?<=0x)\d",
        r"c *0",
        r"(?i)COMM",
    ],
)
def test_a_regex_that_may_look_into_an_address_is_not(regex: str) -> None:
    assert not is_blind(regex, BLANK)


def _lines(count: int) -> list[str]:
    random = Random(11)
    return [LINE.format(random.getrandbits(47) | 1 << 46, random.getrandbits(39) | 1 << 38) for _ in range(count)]


def test_declared_regexes_that_are_blind_find_the_same() -> None:
    blind = [p for p in registry().patterns if is_blind(p.regex, BLANK)]
    assert len(blind) > 400
    assert any(p.name == "nccl.init" for p in blind)
    for pattern in blind:
        expected = [m.regs for m in pattern.compiled.finditer(BLANK)]
        for line in _lines(12):
            assert [m.regs for m in pattern.compiled.finditer(line)] == expected, pattern.name


def test_heads_and_stamps_do_not_look_into_addresses() -> None:
    heads = [
        "",
        "2026-02-03 11:02:03,123 ",
        "[E305 15:42:03.112358132 x.cpp:1] ",
        *(s.text for h in HEADS for s in h.samples),
    ]
    for head in heads:
        for gap in (" ", " rank 5 ", " at 11:02:03 ", " 2026-02-03T11:02:03 "):
            lines = [head + line.replace(" NCCL INFO ", gap) for line in (BLANK, *_lines(8))]
            for hit in (0, len(head), lines[0].find("Init")):
                assert {repr(find_origin(line, hit)) for line in lines} == {repr(find_origin(lines[0], hit))}
            assert {repr(find_places(line)) for line in lines} == {repr(find_places(lines[0]))}
