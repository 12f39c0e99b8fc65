"""The engine without native code: a gram scanner in numpy, exact, about three times slower than Hyperscan.

A literal of at least seven bytes covers one whole word of a view in four-byte words, whatever its alignment. So it
is enough to hash each word of the block and look it up in a table; the few candidates are checked against a second
word of the literal, and then byte for byte. For each of the four alignments the literal's rarest word, by the first
real block, is the one that is looked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logtui.parsers.engine import Hits

MIN_LITERAL = 7
WORD = 4
SAMPLE = 1 << 16
"""Bytes of real text from which on a block is a good sample of what words are rare."""
_BITS = 18
"""Of the hash: a table of 256 KiB, which stays in the cache beside the block."""
_MULTIPLIER = np.uint32(2654435761)
_SHIFT = np.uint32(32 - _BITS)

Words = npt.NDArray[np.uint32]
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
        self._grams: _Grams | None = None
        self._sampled = -1
        self._hash = np.empty(0, np.uint32)

    def scan(self, block: bytearray | memoryview | bytes, count: int) -> Hits:
        if count < MIN_LITERAL or not self._anchors:
            return np.empty(0, np.int64)
        words = np.frombuffer(block, "<u4", count // WORD)
        grams = self._tables(words)
        if len(self._hash) < len(words):
            self._hash = np.empty(len(words), np.uint32)
        hashed = _hashed(words, self._hash[: len(words)])
        at = np.flatnonzero(grams.table.take(hashed))
        hits = grams.confirm(at * WORD, words[at], memoryview(block)[:count])
        hits.sort()
        return hits

    def _tables(self, words: Words) -> _Grams:
        """The tables, built anew once the text is long enough to tell which words are rare."""
        if self._grams is None or self._sampled < SAMPLE <= words.nbytes:
            self._grams = _Grams(self._anchors, words[:SAMPLE])
            self._sampled = words.nbytes
        return self._grams


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

    def __init__(self, literals: Sequence[bytes], sample: Words) -> None:
        self._literals = literals
        self._lengths = np.array([len(x) for x in literals], np.int64)
        counts = np.bincount(_hashed(sample), minlength=1 << _BITS)
        by_word: dict[int, list[_Gram]] = {}
        for gram in _all_grams(literals, counts):
            by_word.setdefault(gram.word, []).append(gram)
        self._words = np.array(sorted(by_word), np.uint32)
        self.table = np.zeros(1 << _BITS, np.bool_)
        self.table[_hashed(self._words)] = True
        grams = [by_word[w] for w in self._words.tolist()]
        # Layer k holds the k-th literal of each word; most words stand for one literal only.
        self._layers = [_Layer([g[k] if k < len(g) else None for g in grams]) for k in range(max(map(len, grams)))]

    def confirm(self, at: Positions, words: Words, block: memoryview) -> Hits:
        """The true hits among candidate words that stand at `at`."""
        slot = np.searchsorted(self._words, words)
        slot[slot == len(self._words)] = 0
        real = self._words[slot] == words
        at, slot = at[real], slot[real]
        if not len(at):
            return np.empty(0, np.int64)
        every = np.ndarray((len(block) - WORD + 1,), "<u4", block, strides=(1,))
        found = [self._check(literal, start, block, every) for literal, start in self._candidates(at, slot, every)]
        return np.concatenate(found) if found else np.empty(0, np.int64)

    def _candidates(self, at: Positions, slot: Positions, every: Words) -> Iterator[tuple[int, Positions]]:
        """For each literal the starts at which two of its words stand."""
        for layer in self._layers:
            literal = layer.literal[slot]
            start, other = at - layer.at[slot], at + layer.step[slot]
            inside = (literal >= 0) & (start >= 0) & (start + self._lengths[literal] <= len(every) + WORD - 1)
            inside[inside] = every[other[inside]] == layer.other[slot[inside]]
            literal, start = literal[inside], start[inside]
            for one in np.unique(literal).tolist():
                yield one, start[literal == one]

    def _check(self, literal: int, start: Positions, block: memoryview, every: Words) -> Hits:
        """Compare the whole literal, word by word."""
        text = self._literals[literal]
        for at in _word_starts(len(text)):
            start = start[every[start + at] == _word(text, at)]
        return (start + len(text)) << 16 | literal


class _Layer:
    """One literal for each word, or none."""

    def __init__(self, grams: Sequence[_Gram | None]) -> None:
        self.literal = _column(-1 if g is None else g.literal for g in grams)
        self.at = _column(0 if g is None else g.at for g in grams)
        self.step = _column(0 if g is None else g.other_at - g.at for g in grams)
        self.other = _column(0 if g is None else g.other for g in grams).astype(np.uint32)


def _column(values: Iterable[int]) -> Positions:
    return np.fromiter(values, np.int64)


def _all_grams(literals: Sequence[bytes], counts: Positions) -> Iterator[_Gram]:
    def frequency(text: bytes, at: int) -> int:
        return int(counts[(_word(text, at) * int(_MULTIPLIER) & 0xFFFFFFFF) >> int(_SHIFT)])

    for literal, text in enumerate(literals):
        places = range(len(text) - WORD + 1)
        for phase in range(WORD):
            at = min(places[phase::WORD], key=lambda p: frequency(text, p))
            apart = [p for p in places if abs(p - at) >= min(WORD, len(text) - MIN_LITERAL)]
            other = min(apart, key=lambda p: frequency(text, p))
            yield _Gram(_word(text, at), literal, at, _word(text, other), other)


def _word(text: bytes, at: int) -> int:
    return int.from_bytes(text[at : at + WORD], "little")


def _word_starts(length: int) -> list[int]:
    """Where to compare words so that every byte is covered."""
    return sorted({*range(0, length - WORD + 1, WORD), length - WORD})
