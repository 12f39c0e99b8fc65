"""No regex of the program takes more than its share: twice the text, about twice the time, whatever the text is."""

from __future__ import annotations

import re

import pytest
import regex_attacks
from regex_attacks import MOST_S, is_too_slow, worst
from regexes import Regex, all_regexes

from logtui.parsers.bounded import bounded, compile_bounded

PARTS = 8


def _slow(regexes: tuple[Regex, ...]) -> list[str]:
    """Those that are too slow each time that they are asked: a processor that others use as well is slower."""
    found = []
    for regex in regexes:
        if all(is_too_slow(*worst(regex.compiled, regex.is_searched)[:2]) for _ in range(2)):
            seconds, growth, text = worst(regex.compiled, regex.is_searched)
            if is_too_slow(seconds, growth):
                found.append(
                    f"{regex.where}: {seconds:.2f} s, ×{growth:.1f} for twice the length of {text}: {regex.source}"
                )
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_every_regex_stands_every_attack(part: int) -> None:
    assert _slow(all_regexes()[part::PARTS]) == []


def test_all_of_them_are_known() -> None:
    names = {regex.where for regex in all_regexes()}
    assert len(all_regexes()) > 900
    assert {"pg.timeout", "head rank", "logtui.parsers.tracebacks.frames._FRAME"} <= names
    assert any(name.startswith("logtui.tui.") for name in names)


@pytest.mark.parametrize(
    ("source", "searched"),
    [
        (r"\S+? failed", True),
        (r"step .*loss .*time: \d", True),
        (r" *\w* *x", True),
        (r"[=-]+\s*$", True),
        (r"^(?P<text>.*?) *[|]?$", False),
    ],
)
def test_the_attacks_find_what_is_slow(source: str, searched: bool) -> None:
    seconds, growth, _ = worst(re.compile(source), searched)
    assert is_too_slow(seconds, growth)
    assert seconds < 4 * MOST_S  # and no longer than that


@pytest.mark.parametrize("source", [r"(?<!\S)\S+ failed", r"step \d{1,9} loss", r"(?<!\w)\w+=\d", r"a.*"])
def test_and_nothing_else(source: str) -> None:
    assert not is_too_slow(*worst(re.compile(source), True)[:2])


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"a+b", "a{1,256}b"),
        (r"a*?b", "a{0,256}?b"),
        (r"\S+ x", r"\S{1,1024} x"),
        (r"[^)]*\)", r"[^)]{0,1024}\)"),
        (r"[+*]{4,}x", "[+*]{4,256}x"),
        (r"\+\*x", r"\+\*x"),
        (r"a{1,9}b", "a{1,9}b"),
        (r"a: (?P<text>.*)", "a: (?P<text>.*)"),
        (r"a: (?P<text>.*)$", "a: (?P<text>.*)$"),
        (r"(?:a+b)*", "(?:a{1,256}b)*"),
        (r"a{300,}b", "a{300,300}b"),
    ],
)
def test_repeats_get_a_bound(source: str, expected: str) -> None:
    assert bounded(source) == expected
    assert compile_bounded(source).pattern == expected


def test_attacks_try_each_repeat() -> None:
    texts = list(regex_attacks.attacks(re.compile(r"rank (?P<rank>\d+) of \w+")))
    assert ("rank ", "0") in texts and ("", "rank 0") in texts
    assert any(once == "rank 0 of " for once, _ in texts)
