"""Lines that hold an anchor and match nothing, skipped at the second sight of their like.

What a job prints by the million may come near a pattern: `use TORCH_NCCL_ASYNC_ERROR_HANDLING instead`. Searching
each such line would cost more than scanning for them.
"""

from __future__ import annotations

import numpy as np

from logtui.parsers.blocks import Block
from logtui.parsers.engine import Hits
from logtui.parsers.hit_lines import find_lines
from logtui.parsers.hits import Stretch
from logtui.parsers.matchers import EXACT_RECORD, Kinds, Matchers
from logtui.parsers.newlines import NewlineCounter
from logtui.parsers.verdicts import Memory

FEW = 32
"""Hits of a block that are searched sooner than looked up."""


class VoidLines:
    """Remembers lines of which no pattern makes a record. Serves one thread."""

    def __init__(self, matchers: Matchers, newlines: NewlineCounter) -> None:
        self._matchers = matchers
        self._newlines = newlines
        self._known: Memory[bool] = Memory()

    def others(self, block: Block, hits: Hits, kinds: Kinds) -> list[int]:
        """The hits in lines that are not known to be void."""
        if len(hits) > FEW and self._known.pays:
            lines, get = find_lines(block, hits, self._newlines), self._known.get
            left = np.array([line is None or get(line, True) for line in lines.masked(block)], np.bool_)
            left |= np.logical_or.reduceat((kinds & EXACT_RECORD) != 0, lines.firsts[:-1])
            hits = hits[np.repeat(left, np.diff(lines.firsts))]
        found: list[int] = hits.tolist()
        return found

    def learn(self, stretch: Stretch) -> None:
        """Remember a text without a match, if it is its whole line, and if the digits in it had no part in that."""
        if len(stretch.raw) == stretch.end - stretch.begin and self._matchers.all_alike(stretch.hits):
            self._known.learn(stretch.raw, False)
