"""The texts round the hits of a block, all at once, where there are many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logtui.parsers.scan.blocks import TextBlock
from logtui.parsers.scan.engine import Hits
from logtui.parsers.scan.kinds import Kinds

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Texts:
    """One number per text, in the order of the block. Places are indices into the block's buffer."""

    hits: Hits
    """All hits of all texts, `end << 16 | anchor`, `end` counted from the block's first byte."""
    first: Numbers
    """Which of the hits is a text's first."""
    count: Numbers
    """How many it has."""
    begin: Numbers
    end: Numbers
    line_begin: Numbers
    line_end: Numbers
    """Of its line, without the newline."""
    line: Numbers
    """The number of its line in the range."""
    part: Numbers
    """Which it is of the parts of the block between `\\n` and `\\r`."""

    def of(self, some: Numbers) -> Texts:
        """A choice of them; each keeps its place among the hits."""
        columns = (self.first, self.count, self.begin, self.end, self.line_begin, self.line_end, self.line, self.part)
        return Texts(self.hits, *(column[some] for column in columns))

    def hits_of(self, text: int) -> list[int]:
        """The hits of one of them."""
        first = int(self.first[text])
        hits: list[int] = self.hits[first : first + int(self.count[text])].tolist()
        return hits

    def keys(self, some: Numbers) -> Numbers:
        """The first hit of each of some, by which texts and what is made of them can be put in order."""
        return self.hits[self.first[some]]


def find_texts(block: TextBlock, hits: Hits, lines_before: int, kinds: Kinds | None = None) -> Texts:
    """The texts round some hits of a block that begins and ends with whole lines: lines, and of those that a progress
    bar has rewritten the parts between `\\r`. `lines_before` is how many the range has before the block; `kinds`
    where they are known."""
    last, is_cut = block.begin + (hits >> 16) - 1, block.buffer.find(b"\r", block.begin, block.end) >= 0
    places = kinds.cuts + block.begin if kinds else _cuts(block) if is_cut else block.newlines
    cuts = np.searchsorted(places, last)
    first = np.flatnonzero(np.diff(cuts, prepend=-1))
    cuts, edges = cuts[first], edges_of(block, places)
    before, line_edges = cuts, edges
    if is_cut:
        before, line_edges = np.searchsorted(block.newlines, last[first]), edges_of(block, block.newlines)
    count = np.diff(first, append=len(hits))
    bounds = edges[cuts] + 1, edges[cuts + 1], line_edges[before] + 1, line_edges[before + 1]
    return Texts(hits, first, count, *bounds, before + lines_before + 1, cuts)


def _cuts(block: TextBlock) -> Numbers:
    signs = np.frombuffer(block.buffer, np.uint8)[block.begin : block.end]
    return np.flatnonzero((signs == 10) | (signs == 13)) + block.begin


def edges_of(block: TextBlock, cuts: Numbers) -> Numbers:
    """What stands before each part, and behind the last one."""
    return np.concatenate(([block.begin - 1], cuts, [block.end]))
