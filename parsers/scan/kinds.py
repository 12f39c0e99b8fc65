"""The hits of a block of which most lines are like others but for their digits: each kind of them is searched once.

The native search calls Python for each hit. In a log of step lines, each with several hits, that takes longer than all
else that is done with a line; to find out which lines are alike takes less, and columns have to know it anyway.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
import numpy.typing as npt

from logtui.parsers.scan.blocks import TextBlock, places_of
from logtui.parsers.scan.engine import Engine, Hits
from logtui.parsers.scan.proof import make_engine

Numbers = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Numbering = defaultdict[bytes, int]

CROWDED = 160
"""Bytes of a block for each of its hits, at most, for the next one to be searched by kinds."""
ALIKE_SHARE = 4
"""Lines for each kind, at least, for that to pay."""
PAUSES = 1, 16
"""Blocks searched as they stand after one in which it did not; twice as many each time in a row, up to so many."""
TELLING = 1 << 16
"""Bytes of a block from which on it tells how to search the next one: the rest of a file may be a few lines."""
_MASK = bytes(0x0A if c == 0x0D else 0x30 if 0x30 <= c <= 0x39 else c for c in range(256))
"""All digits alike, and `\\r` an end as `\\n` is: no literal holds either."""
_DIGITS = range(0x30, 0x3A)
_ENDS = frozenset(b"\r\n")
MOST_DIGITS = 18
"""Of a literal: they are compared as one number."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """The parts of a block between `\\n` and `\\r`, in order: parts of a kind are equal but for their digits."""

    of_part: npt.NDArray[np.int32]
    masks: list[bytes]
    """Each part with all digits alike."""
    cuts: Numbers
    """Where the `\\n` and `\\r` stand, counted from the block's first byte."""


class KindSearch:
    """Searches blocks with an engine, as they stand or by kinds; both give the same hits. Serves one thread."""

    def __init__(self, engine: Engine, anchors: Sequence[bytes]) -> None:
        """`engine` searches for the `anchors`."""
        self._engine, self._anchors = engine, anchors
        self._with_digits: _WithDigits | None = None
        self._plain = np.array([not _digits_of(anchor) for anchor in anchors], np.bool_)
        self._suits = not any(_ENDS & set(anchor) or len(_digits_of(anchor)) > MOST_DIGITS for anchor in anchors)
        self._crowded = False
        self._rest, self._pause = 0, PAUSES[0]

    def scan(self, block: TextBlock) -> tuple[Hits, Kinds | None]:
        """All hits of a block, as the engine finds them, and its kinds where it was searched by them."""
        text, size = memoryview(block.buffer)[block.begin : block.end], block.end - block.begin
        if self._crowded and self._suits and not self._rest:
            hits, kinds = self._by_kinds(text)
        else:
            hits, kinds = self._engine.scan(text, size), None
        if size >= TELLING:
            self._crowded = len(hits) * CROWDED > size
            self._note(kinds)
        return hits, kinds

    def _note(self, kinds: Kinds | None) -> None:
        """Pause where lines that are like no others made it slower."""
        if kinds is None:
            self._rest -= self._rest > 0
        elif (kinds.of_part.max() + 1) * ALIKE_SHARE > len(kinds.masks):
            self._rest, self._pause = self._pause, min(2 * self._pause, PAUSES[1])
        else:
            self._pause = PAUSES[0]

    def _by_kinds(self, text: memoryview) -> tuple[Hits, Kinds]:
        alike = bytes(text).translate(_MASK)
        parts, cuts = alike.split(b"\n"), places_of(10, alike, 0, len(alike))
        numbers: Numbering = defaultdict(count().__next__)
        kinds = Kinds(np.fromiter(map(numbers.__getitem__, parts), np.int32, len(parts)), parts, cuts)
        if self._with_digits is None:
            self._with_digits = _WithDigits(self._anchors, "numpy" if self._engine.name == "numpy" else "auto")
        begins = np.concatenate(([0], cuts + 1))
        each = b"\n".join(numbers)
        ends = np.cumsum(np.fromiter(map(len, numbers), np.int64, len(numbers)) + 1)
        found = self._engine.scan(each, len(each))
        plain = _spread(found[self._plain[found & 0xFFFF]], ends, kinds, begins)
        masked = _spread(self._with_digits.engine.scan(each, len(each)), ends, kinds, begins)
        if len(masked):
            plain = np.concatenate((plain, self._with_digits.confirmed(masked, text)))
            plain.sort()
        return plain, kinds


def numbered(masks: Iterable[bytes], size: int) -> npt.NDArray[np.int32]:
    """A number for each of some masks, equal ones alike."""
    numbers: Numbering = defaultdict(count().__next__)
    return np.fromiter(map(numbers.__getitem__, masks), np.int32, size)


def _spread(found: Hits, ends: Numbers, kinds: Kinds, begins: Numbers) -> Hits:
    """Hits in a text of one line of each kind, as hits in all lines of these kinds, in order."""
    of_kind = np.searchsorted(ends, found >> 16)
    inside = found - ((ends[of_kind - 1] * (of_kind > 0)) << 16)
    counts = np.bincount(of_kind, minlength=len(ends))
    firsts = np.cumsum(counts) - counts
    times = counts[kinds.of_part]
    some = np.flatnonzero(times)
    times, which = times[some], kinds.of_part[some]
    hit = np.arange(times.sum()) + np.repeat(firsts[which] - np.cumsum(times) + times, times)
    spread: Hits = inside[hit] + np.repeat(begins[some] << 16, times)
    return spread


class _WithDigits:
    """The literals that hold digits, found by their masks."""

    def __init__(self, anchors: Sequence[bytes], engine: str) -> None:
        masks: dict[bytes, list[tuple[int, int]]] = {}
        for number, anchor in enumerate(anchors):
            if digits := _digits_of(anchor):
                masks.setdefault(anchor.translate(_MASK), []).append((int(digits), number))
        self.engine = make_engine(list(masks), engine)
        """Finds the masks."""
        self._places = [(len(mask), [at for at, c in enumerate(mask) if c in _DIGITS]) for mask in masks]
        self._known = [np.array(sorted(known), np.int64).T for known in masks.values()]
        """For each mask the digits of its literals, each as one number, and which literal that is."""

    def confirmed(self, masked: Hits, text: memoryview) -> Hits:
        """The hits of literals among those of their masks."""
        signs, which = np.frombuffer(text, np.uint8), masked & 0xFFFF
        found = [self._literals(number, masked[which == number] >> 16, signs) for number in np.unique(which).tolist()]
        return np.concatenate(found)

    def _literals(self, mask: int, ends: Numbers, signs: Bytes) -> Hits:
        (size, places), (known, literals) = self._places[mask], self._known[mask]
        value = np.zeros(len(ends), np.int64)
        for at in places:
            value = value * 10 + (signs[ends - size + at] - np.uint8(48))
        slot = np.minimum(np.searchsorted(known, value), len(known) - 1)
        real = known[slot] == value
        hits: Hits = ends[real] << 16 | literals[slot[real]]
        return hits


def _digits_of(literal: bytes) -> bytes:
    return bytes(c for c in literal if c in _DIGITS)
