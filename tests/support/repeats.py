"""Repeats inside repeats of a regular expression: the shape that makes a search explode."""

from __future__ import annotations

from collections.abc import Iterator
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

MANY = 100
"""A repeat that may take more than this is as good as unbounded."""

Node = tuple[Any, Any]
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT)


def nested(regex: str) -> list[str]:
    """Unbounded repeats whose body can be split in several ways, described; [] for a safe regex."""
    return [_show(body) for body in _unbounded(parser.parse(regex)) if _ambiguous(list(body))]


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


def _show(body: Any) -> str:
    return repr(body)[:120]
