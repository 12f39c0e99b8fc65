"""Nothing of a log may act on the terminal it is shown in."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from logtui.parsers.clean import BARE_COLOUR, clean, cleans_alike, segment

LINES = (
    ("plain", b"loss 2.31", "loss 2.31"),
    ("tab stays", b"a\tb", "a\tb"),
    ("utf-8 stays", "größe 🚀 ×".encode(), "größe 🚀 ×"),
    ("broken utf-8", b"ab\xff\xfecd", "ab��cd"),
    ("cut utf-8", "ö".encode()[:1], "�"),
    ("nul", b"a\0b", "ab"),
    ("colours", b"\x1b[1;31mError\x1b[0m", "Error"),
    ("colours of 256", b"\x1b[38;5;196mError\x1b[m", "Error"),
    ("cursor", b"\x1b[2J\x1b[Hx\x1b[?25l", "x"),
    ("erase with a tilde", b"\x1b[3~x", "x"),
    ("title", b"\x1b]0;owned\x07x", "x"),
    ("title, long end", b"\x1b]0;owned\x1b\\x", "x"),
    ("link", b"\x1b]8;;http://a.example/\x1b\\text\x1b]8;;\x1b\\", "text"),
    ("clipboard", b"\x1b]52;c;cm0gLXJmIC8=\x07x", "x"),
    ("device control", b"\x1bPq#0;2\x1b\\x", "x"),
    ("two characters", b"\x1b7x\x1b8\x1bcy", "xy"),
    ("character set", b"\x1b(Bx", "x"),
    ("csi of one character", "\x9b31mx".encode(), "x"),
    ("csi of one byte", b"\x9b31mx", "�31mx"),
    ("escape at the end", b"x\x1b", "x"),
    ("half a sequence", b"x\x1b[31", "x31"),
    ("bell, backspace, delete", b"a\x07\x08\x7fb", "ab"),
    ("carriage return", b"10%\r20%\r", "10%20%"),
    ("bidirectional override", "a\u202eb\u2066c".encode(), "abc"),
    ("colour without its escape", b"[36m(Worker pid=31)[0m [1;31mError[39m", "(Worker pid=31) Error"),
    ("colour of 256 without its escape", b"[38;5;196mError", "Error"),
    (
        "what looks like one",
        b"[missing ranks: 3] [5m] [2m 13s] [36m12s] [m] a[31]m",
        "[missing ranks: 3] [5m] [2m 13s] [36m12s] [m] a[31]m",
    ),
    ("hard blanks and quotation marks", "\ufeffKey\xa0‘a’ “b”".encode(), "Key 'a' \"b\""),
    ("line and paragraph separator", "a\u2028b\u2029c".encode(), "abc"),
)


@pytest.mark.parametrize(("raw", "text"), [c[1:] for c in LINES], ids=[c[0] for c in LINES])
def test_lines(raw: bytes, text: str) -> None:
    assert clean(raw) == text


PIECES = (b"\x1b", b"[", b"]", b"0;", b"31m", b"\x07", b"\\", b"P", b"\x9b", b"\xc2", b"x", b"\r")


@given(st.lists(st.sampled_from(PIECES)))
@example([b"\x1b", b"\x1b", b"[", b"31m", b"[", b"31m"])
def test_no_control_is_ever_left(pieces: list[bytes]) -> None:
    left = {c for c in clean(b"".join(pieces)) if unicodedata.category(c) in ("Cc", "Zl", "Zp")}
    assert left <= {"\t"}


@given(st.binary(max_size=200))
def test_any_bytes_are_survived_and_stay_clean(raw: bytes) -> None:
    text = clean(raw)
    assert "\x1b" not in text
    assert clean(text.encode()) == text or BARE_COLOUR.search(text)


@given(st.text(st.characters(blacklist_categories=["C", "Zl", "Zp"], blacklist_characters="[\xa0‘’“”")))
def test_printable_text_is_untouched(text: str) -> None:
    assert clean(text.encode()) == text


SEGMENTS = (
    ("no return", b"loss 2.31 HERE", b"loss 2.31 HERE"),
    ("after a bar", b" 10%|#  |\r 20%|## |\rHERE it is", b"HERE it is"),
    ("before a bar", b"HERE it is\r 10%|#  |", b"HERE it is"),
    ("between", b"10%\rHERE it is\r20%", b"HERE it is"),
    ("windows line end", b"HERE it is\r", b"HERE it is"),
)


@pytest.mark.parametrize(("raw", "expected"), [c[1:] for c in SEGMENTS], ids=[c[0] for c in SEGMENTS])
def test_segment_of_a_rewritten_line(raw: bytes, expected: bytes) -> None:
    part, start = segment(raw, raw.index(b"HERE"))
    assert part == expected
    assert raw[start : start + len(part)] == part


@given(st.lists(st.sampled_from(PIECES), max_size=8))
def test_lines_that_differ_in_digits_are_cleaned_alike(pieces: list[bytes]) -> None:
    raw, other = b"".join(pieces), b"".join(pieces).translate(bytes.maketrans(b"0123456789", b"9876543210"))
    alike = bytes.maketrans(b"123456789", b"0" * 9)
    if cleans_alike(raw):
        assert clean(raw).encode().translate(alike) == clean(other).encode().translate(alike)
        assert cleans_alike(other)


def test_a_colour_without_its_escape_is_told_by_its_digits() -> None:
    assert not cleans_alike(b"[36m12 steps")
    assert cleans_alike(b"\x1b[36m12 steps of [36] mm")
