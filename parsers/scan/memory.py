"""Memory that was freed, given back to the system: cycles are looked for, and the C library keeps what it got in pieces
for the next ones.
"""

from __future__ import annotations

import gc
from functools import lru_cache
from typing import Any

WORTH_BYTES = 64 << 20
"""HeapTrimmer bytes after which it is worth a look through all of them."""
_KEPT = {-1: 4 << 20, -3: 2 << 20}
"""M_TRIM_THRESHOLD, what may lie free at the heap's end; M_MMAP_THRESHOLD, what is asked of the system each time."""


class HeapTrimmer:
    """Gives memory back that is freed bit by bit, whenever enough has come together."""

    def __init__(self) -> None:
        self._size = 0

    def freed(self, size: int) -> None:
        """Note that so many bytes are free now."""
        self._size += size
        if self._size > WORTH_BYTES:
            trim_heap()
            self._size = 0


def keep_pages() -> None:
    """Let what is freed in pieces below 2 MiB be used again at once.

    The C library would give a block's columns back to the system after each, and get them again for the next, page by
    page: a third of the time of reading storage daemons.
    """
    library = _library()
    if library is not None:
        for option, size in _KEPT.items():
            library.mallopt(option, size)


def trim_heap() -> None:
    """Return what is free, where the C library can. Takes a tenth of a second after a large report."""
    gc.collect()
    library = _library()
    if library is not None:
        library.malloc_trim(0)


@lru_cache(maxsize=1)
def _library() -> Any:
    """The C library; None where it is another than glibc."""
    import ctypes

    try:
        found = ctypes.CDLL(None)
        _ = found.malloc_trim, found.mallopt
    except (OSError, AttributeError, TypeError):
        return None
    return found
