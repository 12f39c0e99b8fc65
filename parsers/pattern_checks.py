"""What is wrong with a declared format: checks that ours pass in the tests, and a site's own when they are loaded."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from logtui.parsers.advice import GENERAL, SIDES, Advice, is_condition, placeholders
from logtui.parsers.clean import CONTROL, clean
from logtui.parsers.pattern import MIN_ANCHOR_BYTES, LineFormat, Pattern, Role, Sample, Scope

_NAME = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")
HEAVIEST = 100


def complaints(declared: LineFormat) -> Iterator[str]:
    """Everything wrong with a format, one sentence each, with the pattern's name; nothing where it is sound."""
    if not declared.patterns:
        yield "it declares no pattern"
    for text in _shown(declared):
        if CONTROL.search(text.replace("\n", " ")):
            yield f"{text[:60]!a} holds what a terminal acts on"
    for pattern in declared.patterns:
        yield from (f"{pattern.name}: {what}" for what in (*_about(pattern), *_about_scope(declared.scope, pattern)))


_FOR_LOGS = ("regex", "anchors", "samples")


def _shown(value: object) -> Iterator[str]:
    """The texts of a declaration that people get to see."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _shown((*value, *value.values()))
    elif isinstance(value, tuple):
        yield from (text for one in value for text in _shown(one))
    elif is_dataclass(value):
        yield from (t for f in fields(value) if f.name not in _FOR_LOGS for t in _shown(getattr(value, f.name)))


def _about(pattern: Pattern) -> Iterator[str]:
    if not _NAME.fullmatch(pattern.name):
        yield "a name is `area.what`, in lower case"
    try:
        groups = set(re.compile(pattern.regex).groupindex)
    except (re.error, OverflowError) as error:
        yield f"the regex does not compile: {error}"
        return
    yield from _about_anchors(pattern)
    yield from _about_fields(pattern, groups)
    if nested_repeats(pattern.regex):
        yield "a repeat inside a repeat: some lines would take for ever"
    if not pattern.samples:
        yield "a pattern without a sample proves nothing"
    known = groups | set(pattern.words)
    yield from about_advice(pattern.advice, known)
    yield from (f"its title asks for {n!r}, which it has not" for n in placeholders(pattern.title) if n not in known)
    for sample in pattern.samples:
        yield from _about_sample(pattern, sample)


def about_advice(advice: Iterable[Advice], fields: Collection[str]) -> Iterator[str]:
    """What is wrong with what a line with these fields advises."""
    for one in advice:
        if one.side not in SIDES:
            yield f"advice is for one of {', '.join(sorted(SIDES))}, not for {one.side!r}"
        if not is_condition(one.only):
            yield f"advice is only for `nccl<2.21` or the like, not for {one.only!r}"
        for name in placeholders(one.what):
            if name not in GENERAL and name not in fields:
                yield f"its advice asks for {name!r}, which it has not"


def _about_anchors(pattern: Pattern) -> Iterator[str]:
    if not pattern.anchors:
        yield "it has no anchor to find its lines by"
    for anchor in pattern.anchors:
        if len(anchor.encode()) < MIN_ANCHOR_BYTES:
            yield f"anchor {anchor!r} is under {MIN_ANCHOR_BYTES} bytes"


def _about_fields(pattern: Pattern, groups: set[str]) -> Iterator[str]:
    if not 0 <= pattern.weight <= HEAVIEST:
        yield f"weight {pattern.weight} is not within 0 to {HEAVIEST}"
    for name in sorted(set(pattern.numeric or ()) - groups - {""}):
        yield f"{name!r} is to be read as a number, and is no group of the regex"


def _about_scope(scope: Scope, pattern: Pattern) -> Iterator[str]:
    """A worker's line speaks for a class of failure, a daemon's for a part of the cluster."""
    if scope is Scope.WORKERS:
        if pattern.role is Role.CAUSE and pattern.cls is None and not pattern.note:
            yield "a cause without a class says why in its note"
        if pattern.versions:
            yield "versions are told of daemons' lines"
        return
    if pattern.role is Role.CAUSE and not pattern.blames:
        yield "a daemon's cause says what it blames"
    if not (pattern.versions and pattern.title):
        yield "a daemon's line has a title, and the versions that write it"


def _about_sample(pattern: Pattern, sample: Sample) -> Iterator[str]:
    """As the scanner decides: an anchor, then the regex."""
    text = clean(sample.text.encode())
    found = pattern.compiled.search(text) if any(a in text for a in pattern.anchors) else None
    if found is None:
        yield f"its own sample is not matched: {text[:120]}"
        return
    read = {name: found.groupdict().get(name) for name in sample.fields}
    if read != dict(sample.fields):
        yield f"of its sample {read} is read, not {dict(sample.fields)}"


# -- Repeats inside repeats: the shape that makes a search explode

MANY = 100
"""A repeat that may take more than this is as good as unbounded."""

Node = tuple[Any, Any]
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT)


def nested_repeats(regex: str) -> list[str]:
    """Unbounded repeats whose body can be split in several ways, described; [] for a safe regex."""
    return [_brief(body) for body in _unbounded(parser.parse(regex)) if _ambiguous(list(body))]


def _unbounded(nodes: Any) -> Iterator[Any]:
    """Bodies of unbounded repeats, at any depth."""
    for operator, argument in nodes:
        if operator in _REPEATS and argument[1] > MANY:
            yield argument[2]
        for child in _children(operator, argument):
            yield from _unbounded(child)


def _children(operator: Any, argument: Any) -> list[Any]:
    if operator in (*_REPEATS, codes.POSSESSIVE_REPEAT):
        return [argument[2]]
    if operator is codes.SUBPATTERN:
        return [argument[3]]
    if operator is codes.BRANCH:
        return list(argument[1])
    if operator in (codes.ASSERT, codes.ASSERT_NOT):
        return [argument[1]]
    if operator is codes.ATOMIC_GROUP:
        return [argument]
    return []


def _ambiguous(body: list[Node]) -> bool:
    """Whether the body repeats something, and no character of its own marks where one turn ends."""
    inner = list(_unbounded(body))
    marks = [argument for operator, argument in body if operator is codes.LITERAL]
    return any(all(_takes(items, mark) for mark in marks) for items in inner)


def _takes(items: Any, character: int) -> bool:
    """Whether a repeated body can match this character somewhere; generous."""
    return any(_node_takes(operator, argument, character) for operator, argument in items)


def _node_takes(operator: Any, argument: Any, character: int) -> bool:
    if operator is codes.LITERAL:
        return bool(argument == character)
    if operator is codes.IN:
        return _set_takes(list(argument), character)
    return True


def _set_takes(items: list[Node], character: int) -> bool:
    negated = bool(items) and items[0][0] is codes.NEGATE
    return negated != any(_member(operator, argument, character) for operator, argument in items)


def _member(operator: Any, argument: Any, character: int) -> bool:
    if operator is codes.LITERAL:
        return bool(argument == character)
    if operator is codes.RANGE:
        return bool(argument[0] <= character <= argument[1])
    text = chr(character)
    if operator is codes.CATEGORY:
        return {
            codes.CATEGORY_DIGIT: text.isdigit(),
            codes.CATEGORY_SPACE: text.isspace(),
            codes.CATEGORY_WORD: text.isalnum() or text == "_",
            codes.CATEGORY_NOT_SPACE: not text.isspace(),
        }.get(argument, True)
    return False


def _brief(body: Any) -> str:
    return repr(body)[:120]
