"""What a scan engine is, and the one that needs nothing but numpy.

An engine is a set of literals, compiled. `scan` reports every occurrence; nothing above it knows which engine ran,
and both give the same answer. Compiling a thousand literals takes Hyperscan 10 to 60 ms, and forked workers inherit
the result, so compiled databases are not kept on disk.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
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


# -- The engine in numpy: exact, about three times slower than Hyperscan
#
# A literal of at least seven bytes covers one whole word of a view in four-byte words, whatever its alignment. So it
# is enough to hash each word of the block and look it up in a table; the few candidates are checked against a second
# word of the literal, and then byte for byte. For each of the four alignments the literal's rarest word, by the text
# seen so far, is the one that is looked for.

MIN_LITERAL = 7
WORD = 4
SAMPLE = 1 << 19
"""Bytes from which on a block tells which words are rare."""
CROWD = 0.01
"""Share of words that are candidates in vain from which on the tables do not suit the text and are built anew."""
REBUILDS = 12
"""At 25 ms each: text of ever new kinds is not worth more."""
_BITS = 18
"""Of the hash: a table of 256 KiB, which stays in the cache beside the block."""
_MULTIPLIER = np.uint32(2654435761)
_SHIFT = np.uint32(32 - _BITS)

Words = npt.NDArray[np.uint32]
AnyWords = npt.NDArray[np.void]
"""Words at every byte. As four opaque bytes each, numpy fetches single ones without copying all to align them."""
Positions = npt.NDArray[np.int64]


class NumpyEngine:
    """All anchors at once, by their rarest words."""

    name = "numpy"

    def __init__(self, anchors: Sequence[bytes]) -> None:
        """Take the literals; the tables are built from the first block.

        Raises:
            ValueError: if an anchor is shorter than seven bytes.
        """
        if any(len(a) < MIN_LITERAL for a in anchors):
            raise ValueError(f"an anchor is shorter than {MIN_LITERAL} bytes")
        self._anchors = list(anchors)
        self._counts = np.zeros(1 << _BITS, np.int64)
        self._grams = _Grams(self._anchors, self._counts) if anchors else None
        self._rebuilds = 0
        self._crowd = CROWD
        self._hash = np.empty(0, np.uint32)

    def scan(self, block: bytearray | memoryview | bytes, count: int) -> Hits:
        if count < MIN_LITERAL or self._grams is None:
            return np.empty(0, np.int64)
        words = np.frombuffer(block, "<u4", count // WORD)
        if len(self._hash) < len(words):
            self._hash = np.empty(len(words), np.uint32)
        hashed = _hashed(words, self._hash[: len(words)])
        at = np.flatnonzero(self._grams.table.take(hashed))
        hits = self._grams.confirm(at * WORD, words[at], memoryview(block)[:count])
        if len(at) - len(hits) > self._crowd * len(words) and count >= SAMPLE and self._rebuilds < REBUILDS:
            self._grams = self._learn(hashed)
        hits.sort()
        return hits

    def _learn(self, hashed: Words) -> _Grams:
        """Take account of which words are rare in this block too, for the next one.

        Literals of common words alone stay crowded; that is then what to expect.
        """
        self._counts += np.bincount(hashed, minlength=1 << _BITS)
        self._rebuilds += 1
        grams = _Grams(self._anchors, self._counts)
        self._crowd = max(CROWD, 2.0 * np.count_nonzero(grams.table.take(hashed)) / len(hashed))
        return grams


def _hashed(words: Words, out: Words | None = None) -> Words:
    out = np.multiply(words, _MULTIPLIER, out=out)
    return np.right_shift(out, _SHIFT, out=out)


@dataclass(frozen=True, slots=True)
class _Gram:
    """One word to look for, and the literal it stands for."""

    word: int
    literal: int
    at: int
    """Where the word stands in the literal."""
    other: int
    """Another word of the literal, and where it stands."""
    other_at: int


class _Grams:
    """The words that are looked for, as tables over all literals."""

    def __init__(self, literals: Sequence[bytes], counts: Positions) -> None:
        """`counts` says how often each hash of a word was seen."""
        self._literals = literals
        grams = sorted(_all_grams(literals, counts), key=lambda g: g.word)
        self._words, self._first, self._many = np.unique(
            np.array([g.word for g in grams], np.uint32), return_index=True, return_counts=True
        )  # fmt: skip
        self.table = np.zeros(1 << _BITS, np.bool_)
        self.table[_hashed(self._words)] = True
        self._literal = _column(g.literal for g in grams)
        self._at = _column(g.at for g in grams)
        self._end = _column(len(literals[g.literal]) - g.at for g in grams)
        self._step = _column(g.other_at - g.at for g in grams)
        self._other = _column(g.other for g in grams).astype(np.uint32)

    def confirm(self, at: Positions, words: Words, block: memoryview) -> Hits:
        """The true hits among candidate words that stand at `at`."""
        slot = np.searchsorted(self._words, words)
        slot[slot == len(self._words)] = 0
        real = np.flatnonzero(self._words[slot] == words)
        if not len(real):
            return np.empty(0, np.int64)
        every = _every_word(block)
        literal, start = self._candidates(at[real], slot[real], every)
        found = [self._check(one, start[literal == one], every) for one in np.unique(literal).tolist()]
        return np.concatenate(found) if found else np.empty(0, np.int64)

    def _candidates(self, at: Positions, slot: Positions, every: AnyWords) -> tuple[Positions, Positions]:
        """Literals of which two words stand where they should, and the starts they would have."""
        many = self._many[slot]
        gram = np.arange(many.sum()) + np.repeat(self._first[slot] - np.cumsum(many) + many, many)
        at = np.repeat(at, many)
        inside = (at >= self._at[gram]) & (at + self._end[gram] < len(every) + WORD)
        at, gram = at[inside], gram[inside]
        second = every[at + self._step[gram]].view("<u4") == self._other[gram]
        at, gram = at[second], gram[second]
        return self._literal[gram], at - self._at[gram]

    def _check(self, literal: int, start: Positions, every: AnyWords) -> Hits:
        """Compare the whole literal, word by word."""
        text = self._literals[literal]
        for at in _word_starts(len(text)):
            start = start[every[start + at].view("<u4") == _word(text, at)]
        return (start + len(text)) << 16 | literal


def _column(values: Iterable[int]) -> Positions:
    return np.fromiter(values, np.int64)


def _every_word(text: memoryview | bytes) -> AnyWords:
    return np.ndarray((len(text) - WORD + 1,), f"V{WORD}", text, strides=(1,))


def _all_grams(literals: Sequence[bytes], counts: Positions) -> Iterator[_Gram]:
    """For each literal and alignment its rarest word, and another rare word of it."""
    words = np.ascontiguousarray(_every_word(b"".join(literals))).view("<u4")
    all_words, frequencies = words.tolist(), counts[_hashed(words)].tolist()
    begin = 0
    for literal, text in enumerate(literals):
        places = range(begin, begin + len(text) - WORD + 1)
        by_rarity = sorted(places, key=frequencies.__getitem__)
        for phase in range(WORD):
            at = min(places[phase::WORD], key=frequencies.__getitem__)
            other = next(p for p in by_rarity if abs(p - at) >= min(WORD, len(text) - MIN_LITERAL))
            yield _Gram(all_words[at], literal, at - begin, all_words[other], other - begin)
        begin += len(text)


def _word(text: bytes, at: int) -> int:
    return int.from_bytes(text[at : at + WORD], "little")


def _word_starts(length: int) -> list[int]:
    """Where to compare words so that every byte is covered."""
    return sorted({*range(0, length - WORD + 1, WORD), length - WORD})
