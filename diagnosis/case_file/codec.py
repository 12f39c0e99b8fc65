"""Frozen values to JSON and back, by their annotations; what comes back is checked, for it may come from anyone."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from logtui.diagnosis.attempts.findings import History
from logtui.diagnosis.odd_lines.findings import OddLines
from logtui.diagnosis.pace.findings import Pace
from logtui.diagnosis.report import Evidence
from logtui.parsers.clean import clean

Value = TypeVar("Value")
INTEGER_BITS = 63
_LATE = {"OddLines": OddLines, "History": History, "Evidence": Evidence, "Pace": Pace}
"""Types that other modules import for checkers alone, because two are made of each other."""


class NotThatShape(ValueError):
    """A value is not of the annotated type."""


def encode(value: Any) -> Any:
    """A value made of dataclasses, tuples, mappings and plain values, as JSON has it."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: encode(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): encode(inner) for key, inner in value.items()}
    if isinstance(value, tuple | list):
        return [encode(inner) for inner in value]
    return value


def decode(kind: type[Value], value: Any) -> Value:
    """The value that `encode` was given. Every text is cleaned of what a terminal acts on.

    Raises:
        NotThatShape: if it does not fit the annotations.
    """
    made = _decode(kind, value)
    assert isinstance(made, kind)
    return made


def _decode(kind: Any, value: Any) -> Any:
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return _one_of(get_args(kind), value)
    if origin is tuple:
        return _tuple(get_args(kind), value)
    if origin is dict:
        return _mapping(get_args(kind), value)
    if is_dataclass(kind):
        return _dataclass(kind, value)
    return _plain(kind, value)


def _one_of(kinds: tuple[Any, ...], value: Any) -> Any:
    if value is None and type(None) in kinds:
        return None
    for kind in kinds:
        if kind is not type(None):
            return _decode(kind, value)
    raise NotThatShape(f"{value!r:.40}")


def _tuple(kinds: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise NotThatShape(f"not a list: {value!r:.40}")
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(_decode(kinds[0], inner) for inner in value)
    if len(kinds) != len(value):
        raise NotThatShape(f"{len(value)} values where {len(kinds)} belong")
    return tuple(_decode(kind, inner) for kind, inner in zip(kinds, value, strict=True))


def _mapping(kinds: tuple[Any, ...], value: Any) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise NotThatShape(f"not an object: {value!r:.40}")
    try:
        return {(int(key) if kinds[0] is int else _text(key)): _decode(kinds[1], v) for key, v in value.items()}
    except ValueError as error:
        raise NotThatShape(str(error)) from error


@lru_cache(maxsize=128)
def annotations_of(kind: Any) -> Mapping[str, Any]:
    """The types of a frozen value's fields, those that only checkers import among them."""
    return get_type_hints(kind, localns=_LATE)


def _dataclass(kind: Any, value: Any) -> Any:
    if not isinstance(value, dict):
        raise NotThatShape(f"not an object where a {kind.__name__} belongs")
    hints = annotations_of(kind)
    try:
        return kind(**{name: _decode(hints[name], value[name]) for name in hints if name in value})
    except TypeError as error:
        raise NotThatShape(f"{kind.__name__}: {error}") from error


def _plain(kind: Any, value: Any) -> Any:
    if kind is object or kind is Any:
        return _anything(value)
    if kind is str and isinstance(value, str):
        return _text(value)
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300:
        return float(value)
    if kind is bool and isinstance(value, bool):
        return value
    if kind is int and type(value) is int and value.bit_length() <= INTEGER_BITS:
        return value
    raise NotThatShape(f"{value!r:.40} where {getattr(kind, '__name__', kind)} belongs")


def _anything(value: Any) -> Any:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return {_text(key): _anything(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_anything(inner) for inner in value]
    return value


def _text(value: str) -> str:
    return clean(value.encode("utf-8", "replace"))
