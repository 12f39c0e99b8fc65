"""Marks, programs and units: every one is used by some format, and none is declared without what its readers read."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from logtui.parsers.pattern import (
    NEEDS,
    UNITS_MS,
    Kind,
    Landmark,
    LineFormat,
    Mark,
    Pattern,
    Program,
    Role,
    Source,
    Trait,
)
from logtui.parsers.registry import build, registry

PATTERNS, PROGRAMS = registry().patterns, registry().programs
NAMED = (Kind.FRAMEWORK, Kind.LAUNCHER, Kind.SCHEDULER)
"""Kinds that give a job a name."""


def a_pattern(regex: str = "line of it", **other: Any) -> Pattern:
    return Pattern("acme.line", ("line of it",), regex, (), Role.STATE, **other)


@pytest.mark.parametrize("mark", Mark)
def test_some_pattern_has_each_mark(mark: Mark) -> None:
    assert registry().marked(mark) == {p.name for p in PATTERNS if mark in p.marks} != set()


@pytest.mark.parametrize("landmark", Landmark)
def test_some_pattern_is_each_landmark(landmark: Landmark) -> None:
    assert [p.name for p in PATTERNS if p.landmark is landmark]


@pytest.mark.parametrize("trait", Trait)
def test_some_program_has_each_trait(trait: Trait) -> None:
    assert registry().areas_with(trait)


def test_marks_and_traits_are_given_once() -> None:
    assert [p.name for p in PATTERNS if len(set(p.marks)) < len(p.marks)] == []
    assert [p.areas for p in PROGRAMS if len(set(p.traits)) < len(p.traits)] == []


def test_programs_speak_in_areas_of_patterns() -> None:
    areas = {p.area for p in PATTERNS}
    assert [a for p in PROGRAMS for a in p.areas if a not in areas] == []


def test_an_area_is_declared_once_of_a_kind_and_has_one_source() -> None:
    counts = Counter((p.kind, area) for p in PROGRAMS for area in p.areas)
    assert [key for key, count in counts.items() if count > 1] == []
    sources = {(a, p.source) for p in PROGRAMS for a in p.areas if p.source is not Source.WORKER}
    assert max(Counter(area for area, _ in sources).values()) == 1


def test_programs_that_name_a_job_have_a_title_and_no_others() -> None:
    assert [p.areas for p in PROGRAMS if bool(p.title) != (p.kind in NAMED)] == []


def test_what_tells_how_survivors_ended_says_who_ended_them() -> None:
    sources = {registry().source_of(area) for area in registry().areas_with(Trait.STOPS_SURVIVORS)}
    assert sources == {Source.LAUNCHER, Source.SCHEDULER}


@pytest.mark.parametrize("mark", NEEDS)
def test_a_mark_needs_the_groups_that_its_readers_read(mark: Mark) -> None:
    whole = " ".join(f"(?P<{group}>x)" for group in sorted(NEEDS[mark]))
    assert a_pattern(whole, marks=(mark,)).fields == NEEDS[mark]
    for group in NEEDS[mark]:
        with pytest.raises(ValueError, match=rf"acme\.line: .*{mark}.*{group}"):
            a_pattern(whole.replace(f"?P<{group}>", ""), marks=(mark,))


@pytest.mark.parametrize(("group", "ms"), [("s", 1000.0), ("ms", 1.0)])
def test_the_name_of_a_step_time_is_its_unit(group: str, ms: float) -> None:
    assert a_pattern(rf"step (?P<step>\d+) (?P<{group}>\d+)", numeric=("step", group)).unit_ms == ms


@pytest.mark.parametrize("group", ["sec", "seconds", "t", "minutes"])
def test_a_step_time_of_unknown_unit_is_refused(group: str) -> None:
    with pytest.raises(ValueError, match=rf"acme\.line: the unit .*: {group}$"):
        a_pattern(rf"step (?P<step>\d+) (?P<{group}>\d+)", numeric=("step", group))


def test_the_step_times_declared_are_of_each_unit() -> None:
    assert {p.numeric[1] for p in PATTERNS if p.numeric} == {*UNITS_MS, ""}


def test_of_several_programs_the_outermost_is_named() -> None:
    one = Program(Kind.FRAMEWORK, ("inner",), "Inner", outer=10)
    other = Program(Kind.FRAMEWORK, ("outer",), "Outer", outer=20)
    known = build((LineFormat("acme", "", "", (a_pattern(),), (one, other)),))
    assert known.title_of(Kind.FRAMEWORK, {"inner", "outer", "kernel"}) == "Outer"
    assert known.title_of(Kind.FRAMEWORK, {"inner"}) == "Inner"
    assert known.title_of(Kind.LAUNCHER, {"inner", "outer"}) is None


def test_a_pattern_may_tell_of_another_program() -> None:
    assert a_pattern().area == "acme"
    assert a_pattern(program="other").area == "other"
