"""The native engine: Hyperscan (Vectorscan) in block mode over literals."""

from __future__ import annotations

import re
from collections.abc import Sequence

import hyperscan
import numpy as np

from logtui.parsers.engine import Hits


class HyperscanEngine:
    """All anchors in one native pass."""

    name = f"hyperscan {hyperscan.__version__}"

    def __init__(self, anchors: Sequence[bytes]) -> None:
        self._db = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        expressions = [re.escape(a) for a in anchors]
        self._db.compile(expressions=expressions, ids=list(range(len(anchors))), flags=0)
        self._db.scratch = hyperscan.Scratch(self._db)
        self._found: list[int] = []
        append = self._found.append
        self._on_match = lambda anchor, _start, end, _flags, _context: append(end << 16 | anchor)

    def scan(self, block: bytearray | memoryview | bytes, count: int) -> Hits:
        self._found.clear()
        self._db.scan(memoryview(block)[:count], match_event_handler=self._on_match)
        hits = np.fromiter(self._found, np.int64, len(self._found))
        hits.sort()
        return hits
