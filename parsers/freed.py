"""Memory that was freed, given back to the system: cycles are looked for, and the C library keeps what it got in pieces
for the next ones."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import lru_cache

WORTH_BYTES = 64 << 20
"""Freed bytes after which it is worth a look through all of them."""


def give_back() -> None:
    """Return what is free, where the C library can. Takes a tenth of a second after a large report."""
    gc.collect()
    trim = _trim()
    if trim is not None:
        trim(0)


@lru_cache(maxsize=1)
def _trim() -> Callable[[int], int] | None:
    import ctypes

    try:
        found: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):  # another C library
        return None
    return found
