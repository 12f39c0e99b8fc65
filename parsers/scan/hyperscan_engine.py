"""The native engine: Hyperscan (Vectorscan) in block mode over literals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import hyperscan
import numpy as np

from logtui.parsers.scan.engine import SCAN_LIMIT, Hits


class HyperscanEngine:
    """All anchors in one native pass. Holds its own scratch space, so one instance serves one thread."""

    name = f"hyperscan {getattr(hyperscan, '__version__', '')}"

    def __init__(self, anchors: Sequence[bytes]) -> None:
        """Compile the literals.

        Raises:
            ValueError: if an anchor holds a NUL byte, which the library takes for its end.
            hyperscan.HyperscanError: if the library refuses them or this CPU.
        """
        if any(b"\0" in a for a in anchors):
            raise ValueError("an anchor holds a NUL byte")
        self._database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        self._database.compile(expressions=list(anchors), ids=list(range(len(anchors))), literal=True, flags=0)
        self._database.scratch = hyperscan.Scratch(self._database)
        self._found: list[int] = []
        append = self._found.append
        # Called from native code for every hit: it only appends, so it can neither fail nor stop the scan.
        self._on_match = lambda anchor, _start, end, _flags, _context: append(end << 16 | anchor)

    def scan(self, block: bytearray | memoryview | bytes, count: int) -> Hits:
        if count >= SCAN_LIMIT:  # the binding would silently take the length modulo 2**32
            raise ValueError(f"a block of {count} bytes is too long")
        self._found.clear()
        data: Any = memoryview(block)[:count]  # the stubs name str and bytes; any buffer is scanned in place
        self._database.scan(data, match_event_handler=self._on_match)
        hits = np.fromiter(self._found, np.int64, len(self._found))
        hits.sort()
        return hits
