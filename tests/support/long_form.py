"""How much of what can be tried without end is tried: a little in every run, more where somebody asks for it."""

from __future__ import annotations

import os

LONG = bool(os.environ.get("LOGTUI_LONG"))
"""`LOGTUI_LONG=1 pytest …` takes minutes to hours."""


def times(short: int, long: int) -> int:
    """How many cases are tried."""
    return long if LONG else short
