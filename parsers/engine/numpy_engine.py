"""The engine without native code: `bytes.find` per anchor. Exact; replaced by the gram scanner."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from logtui.parsers.engine import Hits


class NumpyEngine:
    """All anchors, one search each."""

    name = "numpy"

    def __init__(self, anchors: Sequence[bytes]) -> None:
        self._anchors = list(anchors)

    def scan(self, block: bytearray | memoryview | bytes, count: int) -> Hits:
        data = bytes(memoryview(block)[:count])
        found: list[int] = []
        for index, anchor in enumerate(self._anchors):
            at = data.find(anchor)
            while at >= 0:
                found.append(at + len(anchor) << 16 | index)
                at = data.find(anchor, at + 1)
        hits = np.array(found, np.int64)
        hits.sort()
        return hits
