"""The lines of a block that hold some hits, in columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logtui.parsers.blocks import Block
from logtui.parsers.engine import Hits
from logtui.parsers.newlines import NewlineCounter
from logtui.parsers.verdicts import LONGEST, masked

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class HitLines:
    """Lines in the order of the block. Begins and ends are indices into its buffer."""

    begins: Numbers
    ends: Numbers
    before: Numbers
    """Newlines of the block before each."""
    firsts: Numbers
    """Which hit is the first of each line; one more than there are lines."""
    hits: Hits

    def hits_of(self, line: int) -> list[int]:
        """`end << 16 | anchor` of each."""
        found: list[int] = self.hits[self.firsts[line] : self.firsts[line + 1]].tolist()
        return found

    def masked(self, block: Block) -> Iterator[bytes | None]:
        """Each line with all digits alike; None for lines too long to be remembered."""
        view = memoryview(block.buffer)
        for begin, end in zip(self.begins.tolist(), self.ends.tolist(), strict=True):
            yield masked(bytes(view[begin:end])) if end - begin <= LONGEST else None


def find_lines(block: Block, hits: Hits, newlines: NewlineCounter) -> HitLines:
    """The lines of some hits, which are in ascending order."""
    before, begins, ends = newlines.bounds(block.begin + (hits >> 16) - 1, block.begin, block.end)
    firsts = np.flatnonzero(np.diff(before, prepend=-1))
    return HitLines(begins[firsts], ends[firsts], before[firsts], np.append(firsts, len(hits)), hits)
