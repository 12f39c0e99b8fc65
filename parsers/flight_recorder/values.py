"""Values of a dump as the types they should have: pickle and JSON differ, and nobody vouches for either."""

from __future__ import annotations

import re

from logtui.parsers.clean import clean
from logtui.parsers.flight_recorder.call import Shapes

GARBAGE = 1 << 62
"""Integers from here on are uninitialised memory; they would not fit a column either."""
_DIGITS = re.compile(r"-?\d{1,18}")


def as_int(value: object, default: int = 0) -> int:
    """A number, a flag, or digits as text (JSON writes watermarks that way); `default` for anything else."""
    if type(value) is int:
        return value if -GARBAGE < value < GARBAGE else default
    if type(value) is bool:
        return int(value)
    if type(value) is str and _DIGITS.fullmatch(value):
        return int(value)
    return default


def as_text(value: object) -> str:
    """Text that is safe to show; "" for anything else."""
    if type(value) is not str:
        return ""
    return value if value.isprintable() else clean(value.encode("utf-8", "replace"))


def as_texts(value: object) -> tuple[str, ...]:
    """A list of texts, or one text alone."""
    if type(value) is list or type(value) is tuple:
        return tuple(as_text(item) for item in value)
    return (as_text(value),) if value else ()


def as_shapes(value: object) -> Shapes:
    """Shapes of tensors; what is not a list of lists of numbers counts as unknown."""
    if type(value) is not list and type(value) is not tuple:
        return ()
    return tuple(
        tuple(as_int(size, -1) for size in shape) if type(shape) is list or type(shape) is tuple else ()
        for shape in value
    )
