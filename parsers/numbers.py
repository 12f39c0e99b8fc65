"""Numbers as lines print them: one that its kind cannot be is garbage, and stays what it is as text.

Uninitialised memory, a cut or a glued line, a hostile one: a rank of forty digits would be a list of that length, a
timeout a time before there were calendars. Every whole number that is read from a text is bounded here, and by its
field's name; a caller that needs a narrower range asks for that.
"""

from __future__ import annotations

import re
from math import isfinite, nan

LARGEST = (1 << 64) - 1
"""Counters are unsigned, and are shown as printed where they are garbage."""
MOST_RANKS = 1 << 18
"""No job is larger; a number above this is something else."""
LONGEST_S = 100 * 366 * 86_400
"""Nothing is waited for longer; some programs write a century for "for ever"."""
DIGITS = 20
"""Of the largest number; what has more is not even converted."""
EARLIEST, LATEST = -6e10, 2e11
"""Epochs between which a calendar has days: the years 68 and 8307."""

_DIGITS = re.compile(r"\d+")
_OF_RANKS = dict.fromkeys(
    (
        "rank", "local_rank", "node_rank", "pg_rank", "timed_rank", "source", "index", "device", "attached",
        "max_data_rank", "min_clock_rank", "world_size", "nranks", "nodes", "gpus_per_node", "expected", "joined",
        "tp", "pp", "cp",
    ),
    MOST_RANKS,
)  # fmt: skip
BOUNDS = {
    **_OF_RANKS,
    "timeout_ms": LONGEST_S * 1000,
    "ran_ms": LONGEST_S * 1000,
    "seconds": LONGEST_S,
    "pid": (1 << 31) - 1,
    "exitcode": (1 << 32) - 1,
}
"""Field of a record → the largest it can be, of either sign. Others are bounded by `LARGEST`."""


def whole(text: str | bytes | None, most: int = LARGEST) -> int | None:
    """A whole number of decimal digits, with or without a sign, between `-most` and `most`; None for anything else."""
    if text is None or len(text) > DIGITS + 1:
        return None
    try:
        value = int(text)
    except ValueError:
        return None
    return value if -most <= value <= most else None


def wholes_in(text: str) -> list[int]:
    """Every rank of a list, whatever parts them."""
    found = (whole(digits, MOST_RANKS) for digits in _DIGITS.findall(text))
    return [rank for rank in found if rank is not None]


def of_field(field: str, text: str | None) -> int | None:
    """The number of a record's field, as far as such a number can go."""
    return whole(text, BOUNDS.get(field, LARGEST))


def real(text: str) -> float:
    """A finite number that arithmetic leaves finite, commas between thousands or not; NaN for anything else."""
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return nan
    return value if isfinite(value) and abs(value) <= LARGEST else nan


def dated(epoch: float) -> bool:
    """Whether a calendar has such a time."""
    return EARLIEST < epoch < LATEST


def epoch(seconds: float) -> float:
    """Seconds since 1970 as a file system or an archive gives them; 0.0 where no calendar has such a time."""
    return float(seconds) if dated(seconds) else 0.0
