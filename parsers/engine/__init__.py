"""Scan engines: from a block of bytes to the positions of all anchors, at native speed.

An engine is a set of literals, compiled. `scan` reports every occurrence; nothing above it knows which engine ran,
and both give the same answer. Compiling a thousand literals takes Hyperscan 10 to 60 ms, and forked workers inherit
the result, so compiled databases are not kept on disk.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

Hits = npt.NDArray[np.int64]
"""Each hit is `end << 16 | anchor`: `end` is the offset just past the literal, `anchor` its index. Sorted."""

SCAN_LIMIT = 1 << 32
"""Bytes per call that the native library can count; longer blocks are refused."""


class Engine(Protocol):
    """Finds all anchors in a block. One instance per thread or process."""

    name: str
    """As `--version` shows it."""

    def scan(self, block: bytearray | memoryview | bytes, count: int) -> Hits:
        """All hits in the first `count` bytes of `block`, overlapping ones included, in ascending order."""
