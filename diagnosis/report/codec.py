"""Frozen values to JSON and back, by their declared types; what comes back is checked, for it may come from anyone."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from logtui.parsers.clean import clean

Value = TypeVar("Value")
INTEGER_BITS = 63
LARGEST = 1e300
"""Of numbers with a fraction; sums of larger ones are no numbers any more."""


class NotThatShape(ValueError):
    """A value is not of the declared type; the message says where, as in `$.verdict.title`."""


def encode(value: Any) -> bytes:
    """A value made of dataclasses, tuples, mappings and plain values, as JSON; a number that is none becomes null."""
    return msgspec.json.encode(value, enc_hook=plain_number)


def plain(value: Any) -> Any:
    """The same as dicts with text keys, lists or tuples, and plain values."""
    return msgspec.to_builtins(value, str_keys=True, enc_hook=plain_number)


def plain_number(value: Any) -> Any:
    """For `enc_hook`: numbers of numpy as those of the language."""
    if isinstance(value, float):
        return float(value)
    raise TypeError(f"{type(value).__name__} has no place in a report")


def decode(kind: type[Value], data: bytes) -> Value:
    """The value that `encode` was given. Every text is cleaned of what a terminal acts on.

    Read by its type first: what has no place there takes no memory.

    Raises:
        NotThatShape: if it is no JSON, or does not fit the declared type.
    """
    try:
        value = _cleaned(plain(msgspec.json.decode(data, type=kind)), _Texts())
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise NotThatShape(str(error)) from error
    return made(kind, value)


def made(kind: type[Value], value: Any) -> Value:
    """The value that `plain` was given; texts are taken as they are.

    Raises:
        NotThatShape: if it does not fit the declared type.
    """
    try:
        return msgspec.convert(value, kind, str_keys=True)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise NotThatShape(str(error)) from error


class _Texts(dict[str, str]):
    """Cleaned texts by what they were; the same ones come a thousandfold."""

    def __missing__(self, text: str) -> str:
        found = self[text] = clean(text.encode())
        return found


def _cleaned(value: Any, texts: _Texts) -> Any:
    """What JSON gave, without signs that a terminal acts on and numbers that cannot be reckoned with."""
    if isinstance(value, str):
        return texts[value]
    if isinstance(value, dict):
        return {texts[key]: _cleaned(inner, texts) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(inner, texts) for inner in value]
    if isinstance(value, int) and value.bit_length() > INTEGER_BITS:
        raise NotThatShape("a whole number of more than 63 bits")
    if isinstance(value, float) and abs(value) >= LARGEST:
        raise NotThatShape(f"a number beyond {LARGEST:g}")
    return value
