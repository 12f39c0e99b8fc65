"""Fewer bytes, the same picture."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.drivers.headless_driver import HeadlessDriver

from logtui.tui.app import LogtuiApp
from logtui.tui.lean_output import lean, lean_driver

Look = tuple[str, str, frozenset[int]]


def looks(data: str) -> list[tuple[str, Look]]:
    """Every character with what a terminal would show it in."""
    ink, ground, attributes = "", "", frozenset[int]()
    shown: list[tuple[str, Look]] = []
    for text, codes in re.findall(r"([^\x1b]+)|\x1b\[([0-9;]*)m", data):
        shown += [(character, (ink, ground, attributes)) for character in text]
        left = [int(code or 0) for code in codes.split(";")] if not text else []
        while left:
            code = left.pop(0)
            if code in (38, 48):
                count = 4 if left[0] == 2 else 2
                colour, left = ";".join(map(str, left[:count])), left[count:]
                ink, ground = (colour, ground) if code == 38 else (ink, colour)
            elif code == 0:
                ink, ground, attributes = "", "", frozenset()
            elif code < 10:
                attributes |= {code}
            elif code == 39 or 30 <= code < 38 or 90 <= code < 98:
                ink = "" if code == 39 else str(code)
            else:
                ground = "" if code == 49 else str(code)
    return shown


COLOURS = [
    "38;2;1;2;3",
    "38;2;9;9;9",
    "31",
    "97",
    "38;5;7",
    "48;2;0;0;0",
    "48;2;5;5;5",
    "40",
    "101",
    "1",
    "2",
    "7",
    "4",
]
PIECES = st.lists(st.tuples(st.lists(st.sampled_from(COLOURS), max_size=4), st.text("ab ", min_size=1, max_size=3)))


@given(PIECES)
def test_every_character_looks_as_before(pieces: list[tuple[list[str], str]]) -> None:
    data = "".join(f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if codes else text for codes, text in pieces)
    made = lean(data)
    assert looks(made) == looks(data)
    assert len(made) <= len(data)
    assert looks(f"{made}x")[-1] == ("x", ("", "", frozenset()))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("\x1b[31;40ma\x1b[0m\x1b[32;40mb\x1b[0m", "\x1b[31;40ma\x1b[32mb\x1b[0m"),
        ("\x1b[31;40ma\x1b[0m\x1b[31;40mb\x1b[0m", "\x1b[31;40mab\x1b[0m"),
        ("\x1b[31;40ma\x1b[0m\x1b[1mb\x1b[0m", "\x1b[31;40ma\x1b[0;1mb\x1b[0m"),
        ("\x1b[1;31ma\x1b[0m\x1b[31mb\x1b[0m", "\x1b[1;31ma\x1b[0;31mb\x1b[0m"),
        ("\x1b[31ma\x1b[0m\x1b[3;5H\x1b[31mb\x1b[0m", "\x1b[31ma\x1b[0m\x1b[3;5H\x1b[31mb\x1b[0m"),
        ("\x1b[?25l", "\x1b[?25l"), ("plain", "plain"), ("", ""),
    ],
    ids=["ink differs", "equal", "colours end", "bold ends", "a move between", "a mode", "text", "nothing"],
)  # fmt: skip
def test_only_what_differs_is_sent(data: str, expected: str) -> None:
    assert lean(data) == expected


def test_the_app_writes_through_it() -> None:
    assert LogtuiApp([]).get_driver_class().__name__ == "LeanDriver"


async def test_the_driver_below_gets_the_lean_text() -> None:
    written: list[str] = []

    class Below(HeadlessDriver):
        def write(self, data: str) -> None:
            written.append(data)

    driver = lean_driver(Below)(LogtuiApp([]))
    driver.write("\x1b[31;40ma\x1b[0m\x1b[31;40mb\x1b[0m")
    assert written == ["\x1b[31;40mab\x1b[0m"]
