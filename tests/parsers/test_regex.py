"""Regexes that are compiled when they are first asked are regexes in all they do."""

from __future__ import annotations

import re

import pytest

from logtui.parsers.regex import Late, regex


def test_it_answers_as_a_compiled_one_does() -> None:
    late, made = regex(r"(?P<word>\w)\d", re.I), re.compile(r"(?P<word>\w)\d", re.I)
    for _ in range(2):
        assert [m.span() for m in late.finditer("a1 B2")] == [m.span() for m in made.finditer("a1 B2")]
        assert late.sub("-", "a1 B2") == "- -"
        assert late.search("zz") is None
    assert (late.pattern, late.flags, late.groupindex) == (made.pattern, made.flags, made.groupindex)


def test_bytes_are_searched_too() -> None:
    assert regex(rb"\d+").findall(b"1 22") == [b"1", b"22"]


def test_nothing_is_compiled_before_it_is_asked() -> None:
    late = regex("(")
    with pytest.raises(re.error):
        late.search("")


def test_what_a_regex_does_not_have_is_missing() -> None:
    with pytest.raises(AttributeError):
        _ = Late("a", 0).nothing
    assert not hasattr(Late("a", 0), "__fspath__")
