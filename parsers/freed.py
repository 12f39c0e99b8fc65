"""Memory that was freed, given back to the system: cycles are looked for, and the C library keeps what it got in pieces
for the next ones."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import lru_cache

WORTH_BYTES = 64 << 20
"""Freed bytes after which it is worth a look through all of them."""


class Freed:
    """Gives back what is freed bit by bit, whenever enough has come together."""

    def __init__(self) -> None:
        self._size = 0

    def add(self, size: int) -> None:
        """Note that so many bytes are free now."""
        self._size += size
        if self._size > WORTH_BYTES:
            give_back()
            self._size = 0


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
