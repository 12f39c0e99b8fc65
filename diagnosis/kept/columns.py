"""Many frozen values of one type as columns, by their annotations: thousands of ranks in a tenth of a second.

Plain JSON values come out, and the values that went in come back. Unlike in a case file, which anyone may have
written, texts are taken as they are.
"""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import accumulate, chain, pairwise, repeat
from operator import attrgetter
from typing import Any, Union, cast, get_args, get_origin

from logtui.diagnosis.case_file.codec import NotThatShape, annotations_of

Column = Any
"""What JSON holds of a column."""
_PLAIN: Mapping[object, frozenset[type]] = {
    str: frozenset({str}),
    int: frozenset({int}),
    bool: frozenset({bool}),
    float: frozenset({float, int}),
}


def pack(kind: Any, values: Sequence[Any]) -> Column:
    """Values of an annotated type as one column."""
    inner, optional = _without_none(kind)
    if get_origin(inner) is tuple or get_origin(inner) is dict or is_dataclass(inner):
        if not optional:
            return _pack_made(inner, values)
        there = [i for i, value in enumerate(values) if value is not None]
        return {"n": len(values), "there": there, "of": _pack_made(inner, [values[i] for i in there])}
    return _pack_texts(values) if inner is str else list(values)


def _pack_made(kind: Any, values: Sequence[Any]) -> Column:
    if is_dataclass(kind):
        kinds = _kinds(kind)
        return [len(values), *(pack(of, list(map(attrgetter(name), values))) for name, of in kinds.items())]
    arguments = get_args(kind)
    sizes = [len(value) for value in values]
    if get_origin(kind) is dict:
        return [sizes, pack(arguments[0], _flat(values)), pack(arguments[1], _flat(v.values() for v in values))]
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return [sizes, pack(arguments[0], _flat(values))]
    return [len(values), *(pack(of, [value[i] for value in values]) for i, of in enumerate(arguments))]


def _pack_texts(values: Sequence[str | None]) -> Column:
    """Each text once, where they recur."""
    words = dict.fromkeys(values)
    if 2 * len(words) > len(values):
        return list(values)
    number = {word: i for i, word in enumerate(words)}
    return {"words": list(words), "at": [number[value] for value in values]}


def unpack(kind: Any, column: Column) -> list[Any]:
    """The values that `pack` was given.

    Raises:
        NotThatShape: if it does not fit the annotations.
    """
    try:
        return _unpack(kind, column)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        raise NotThatShape(f"{type(error).__name__}: {error}") from error


def _unpack(kind: Any, column: Column) -> list[Any]:
    inner, optional = _without_none(kind)
    if get_origin(inner) is tuple or get_origin(inner) is dict or is_dataclass(inner):
        if not optional:
            return _unpack_made(inner, column)
        values: list[Any] = [None] * column["n"]
        for i, value in zip(column["there"], _unpack_made(inner, column["of"]), strict=True):
            values[i] = value
        return values
    plain = list(map(column["words"].__getitem__, column["at"])) if isinstance(column, dict) else list(column)
    _check(inner, optional, plain)
    return plain


def _unpack_made(kind: Any, column: Column) -> list[Any]:
    size, *columns = column
    if is_dataclass(kind):
        kinds = _kinds(kind)
        parts = [_unpack(of, part) for of, part in zip(kinds.values(), columns, strict=True)]
        return _instances(kind, tuple(kinds), parts, size) if _equally_long(parts, size) else []
    arguments = get_args(kind)
    if get_origin(kind) is dict:
        keys, values = (_unpack(of, part) for of, part in zip(arguments, columns, strict=True))
        return [dict(zip(*pair, strict=True)) for pair in zip(_cut(keys, size), _cut(values, size), strict=True)]
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return list(map(tuple, _cut(_unpack(arguments[0], columns[0]), size)))
    parts = [_unpack(of, part) for of, part in zip(arguments, columns, strict=True)]
    return list(zip(*parts, strict=True)) if _equally_long(parts, size) else []


def _instances(kind: Any, names: Sequence[str], parts: Sequence[Sequence[Any]], size: int) -> list[Any]:
    """Set column by column where nothing but fields is to be set: a frozen value's own way is twice as slow."""
    slots: list[Any] = [getattr(kind, name, None) for name in names]
    if hasattr(kind, "__post_init__") or not all(isinstance(slot, types.MemberDescriptorType) for slot in slots):
        return list(map(cast("Callable[..., Any]", kind), *parts))
    values = list(map(object.__new__, repeat(kind, size)))
    for slot, part in zip(slots, parts, strict=True):
        deque(map(slot.__set__, values, part), maxlen=0)
    return values


def _kinds(kind: Any) -> dict[str, Any]:
    hints = annotations_of(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _without_none(kind: Any) -> tuple[Any, bool]:
    """An annotation without its `None`, and whether it had one."""
    if get_origin(kind) not in (Union, types.UnionType):
        return kind, False
    (inner,) = (argument for argument in get_args(kind) if argument is not types.NoneType)
    return inner, True


def _check(kind: Any, optional: bool, values: Sequence[Any]) -> None:
    seen = set(map(type, values))
    if kind in _PLAIN and seen - _PLAIN[kind] - ({types.NoneType} if optional else set()):
        raise NotThatShape(f"{sorted(t.__name__ for t in seen)} where {kind.__name__} belongs")


def _equally_long(parts: Sequence[Sequence[Any]], size: int) -> bool:
    """Whether there is anything; all columns must be of the same length."""
    if any(len(part) != size for part in parts):
        raise NotThatShape("columns of different lengths")
    return size > 0


def _cut(values: Sequence[Any], sizes: Sequence[int]) -> Iterable[Sequence[Any]]:
    ends = list(accumulate(sizes, initial=0))
    if ends[-1] != len(values):
        raise NotThatShape("sizes and values do not agree")
    return (values[a:b] for a, b in pairwise(ends))


def _flat(values: Iterable[Iterable[Any]]) -> list[Any]:
    return list(chain.from_iterable(values))
