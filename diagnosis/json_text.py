"""JSON text with indentation, as the standard library writes it piece by piece, at a fraction of its cost."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from json.encoder import encode_basestring
from types import NoneType
from typing import Any

Json = Any
"""Dicts with text keys, lists, tuples, and plain values."""

_PLAIN: Mapping[type, Callable[[Any], str]] = {
    str: encode_basestring,
    int: int.__repr__,
    bool: lambda value: "true" if value else "false",
    NoneType: lambda _: "null",
}


def indented(value: Json, gap: str = "\n") -> str:
    """What `json.dumps` gives with one blank for each level and letters as they are; `gap` begins a line of this level.

    Raises:
        ValueError: for numbers that JSON does not know.
    """
    plain = _PLAIN.get(type(value))
    if plain is not None:
        return plain(value)
    inner = gap + " "
    if isinstance(value, dict):
        items = [f"{encode_basestring(key)}: {indented(one, inner)}" for key, one in value.items()]
        return f"{{{inner}{f',{inner}'.join(items)}{gap}}}" if items else "{}"
    if isinstance(value, list | tuple):
        items = [indented(one, inner) for one in value]
        return f"[{inner}{f',{inner}'.join(items)}{gap}]" if items else "[]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
