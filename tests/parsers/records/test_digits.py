"""What a regex makes of digits, and that every declared one is understood."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.parsers.pattern import Pattern
from logtui.parsers.records.shapes import Uses, masked, telling, telling_places, widened
from logtui.parsers.registry import registry


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
    "regex", [r"[1-9]\d*", r"\x41", r"(?P<a>[\d.]+)/(?P=a)", r"(\d+)/\1", r"(a)?(?(1)b|c)", r"x5?", r"x0+", r"[^7]", r"(?i)x5"]
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
        (r"(?P<n>\d+)/(?!(?P=n)\b)(?P<of>\d+)", "[rank3]: 14:16:00 retrying 3/15 for shard-00017", ["3/15"]),
        (r"(?P<n>\d+)/ *(?P=n)\b", "7/ 90 x", ["7/", "7/ 90"]),
        (r"(?P<n>\d+) ?(?:/|of) ?(?P<of>(?P=n))\b", "7 of 90", ["7 of", "7 of 90"]),
        (r"(?P<n>\d+)/(?P=n)", "nothing to compare", []),
    ],
)
def test_parts_of_a_line_that_decide(regex: str, line: str, digits: list[str]) -> None:
    places = telling_places(regex, masked(line))
    assert places is not None
    assert [line[begin:end] for begin, end in places] == digits


@pytest.mark.parametrize(
    "regex", [r"(?P<n>\d+)\b/(?P=n)", r"(?:(?P<n>\d+)|x)/(?P=n)", r"(?P<n>\d+)(?:/|x(?P=n))", r"[1-9]x"]
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
        kept = {i for begin, end in places for i in range(begin, end)}
        text = "".join(
            random.choice("0123456789") if c in "0123456789" and i not in kept else c for i, c in enumerate(sample.text)
        )
        first, other = a.compiled.search(sample.text), a.compiled.search(text)
        assert (first and first.regs) == (other and other.regs)
