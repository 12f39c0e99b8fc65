"""Every declared head: its samples, what is read from them, and that no other form takes them for its own."""

from __future__ import annotations

import pytest

from logtui.parsers.pattern import Sample
from logtui.parsers.pattern_checks import nested_repeats
from logtui.parsers.prefix.grammar import GIVEN, HEADS, Head, Place
from logtui.parsers.prefix.origin import RankFrom, read_origin, split

SAMPLES = [(head, sample) for head in HEADS for sample in head.samples]
STACKING = [(h, s) for h, s in SAMPLES if h.place in (Place.LABEL, Place.STACKED)]


def _id(value: object) -> str:
    return value.name if isinstance(value, Head) else value.text if isinstance(value, Sample) else ""


@pytest.mark.parametrize("head", HEADS, ids=_id)
def test_a_head_is_complete(head: Head) -> None:
    assert head.samples, "a form without a sample proves nothing"
    assert head.written_by
    assert set(head.compiled.groupindex) <= {*GIVEN, "writer", "actor"}
    assert nested_repeats(head.regex) == []


def test_names_are_unique() -> None:
    assert len({head.name for head in HEADS}) == len(HEADS)


@pytest.mark.parametrize(("head", "sample"), SAMPLES, ids=_id)
def test_a_sample_is_read(head: Head, sample: Sample) -> None:
    found = head.compiled.search(sample.text + " x")
    assert found and head.cue in sample.text
    assert {name: found[name] for name in sample.fields} == dict(sample.fields)


@pytest.mark.parametrize(("head", "sample"), SAMPLES, ids=_id)
def test_a_sample_is_no_other_head(head: Head, sample: Sample) -> None:
    text = sample.text + " x"
    others = [h.name for h in HEADS if h.place is head.place and h is not head and h.compiled.match(text)]
    assert others == []


@pytest.mark.parametrize(("head", "sample"), [p for p in SAMPLES if p[0].place < Place.REPEATED], ids=_id)
def test_the_origin_of_a_line_is_what_its_head_says(head: Head, sample: Sample) -> None:
    origin = read_origin(sample.text + "x", len(sample.text))
    said = {name: str(getattr(origin, name)) for name in GIVEN if getattr(origin, name) not in (-1, "")}
    assert said == {name: value for name, value in sample.fields.items() if name in GIVEN}
    named = RankFrom.TEXT if head.in_text else RankFrom.PREFIX
    assert origin.rank_from is (named if "rank" in sample.fields else RankFrom.NONE)


@pytest.mark.parametrize(("head", "sample"), STACKING, ids=_id)
def test_what_stacks_is_no_part_of_the_text(head: Head, sample: Sample) -> None:
    found = split(sample.text + "x")
    assert (found.key, found.body) == ((sample.text.strip(),), "x")


@pytest.mark.parametrize(("head", "sample"), [p for p in SAMPLES if p[0].place is Place.HEADER], ids=_id)
def test_a_header_is_part_of_what_its_writer_says(head: Head, sample: Sample) -> None:
    assert split(sample.text + "x").key == ()
