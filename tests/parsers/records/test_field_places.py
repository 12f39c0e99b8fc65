"""Fields cut from where they are known to stand are those that the regex finds."""

from __future__ import annotations

import random
import re

import pytest

from logtui.parsers.pattern import Pattern, Role
from logtui.parsers.records import shapes
from logtui.parsers.records.shapes import FieldPlaces
from logtui.parsers.registry import registry

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
