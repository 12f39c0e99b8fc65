"""From hits to matches: which text a hit stands in, and which patterns are tried on it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from logtui.parsers.clean import clean
from logtui.parsers.pattern import Pattern
from logtui.parsers.prefix.wrapping import Unwrapper, Wrapped
from logtui.parsers.records.shapes import NOWHERE, Answers, Found, Shape, Shapes, Spot, Spots
from logtui.parsers.registry import Registry
from logtui.parsers.scan.blocks import TextBlock
from logtui.parsers.scan.engine import Hits

# -- Texts around hits
#
# Usually the text is a whole line. In a line of many kilobytes, or one that a progress bar rewrites with `\r`, it is
# the stretch around some hits, so that no regex ever runs over megabytes.

WINDOW = 4096
"""Bytes looked at on either side of a hit where a line is longer."""
SPAN = 3 * WINDOW
"""Bytes between the first and the last hit that share one text."""


@dataclass(slots=True)
class HitText:
    """A text to run patterns on, and where it stands. Indices are into the block's buffer."""

    raw: bytes
    shape: Shape | None
    """What is known of texts like it, if anything is; such a text stays as it stands."""
    hits: Sequence[int]
    """The hits in it, `end << 16 | anchor`, `end` counted from the block's first byte."""
    begin: int
    """Of its line."""
    end: int
    """Of its line, without the newline."""
    offset: int
    """Of its line's first byte in the file; in a line too long for a block, of its own."""
    length: int
    """Bytes of its line, or its own."""
    wrapped: Wrapped | None = None
    """What a collector put before the line, in a file where one did."""
    _text: str | None = None

    @property
    def text(self) -> str:
        """What patterns see; made when the first one looks."""
        if self._text is None:
            self._text = self.raw.decode() if self.shape else clean(self.raw)
        return self._text


def hit_texts(
    block: TextBlock,
    hits: Sequence[int],
    anchor_lengths: Sequence[int],
    shapes: Shapes,
    unwrapper: Unwrapper | None = None,
) -> Iterator[HitText]:
    """The texts of a block that hold hits, in order, without what `unwrapper` takes off."""
    buffer, base, stop = block.buffer, block.begin, block.end
    find, rfind, view = buffer.find, buffer.rfind, memoryview(buffer)
    i, count = 0, len(hits)
    while i < count:
        at = base + (hits[i] >> 16) - 1
        begin = rfind(b"\n", base, at) + 1 or base
        end = find(b"\n", at, stop)
        if end < 0:
            end = stop
        last, limit = i + 1, (end - base + 1) << 16
        while last < count and hits[last] < limit:
            last += 1
        if end - begin <= WINDOW and not block.piece and find(b"\r", begin, end) < 0:
            raw = bytes(view[begin:end])
            offset, wrapped = begin - base + block.offset, None
            if unwrapper:
                wrapped, raw = unwrapper.split(raw)
            yield HitText(raw, shapes.of(raw), hits[i:last], begin, end, offset, end - begin, wrapped)
        else:
            yield from _long(block, begin, end, hits[i:last], anchor_lengths, shapes, unwrapper)
        i = last


def _long(
    block: TextBlock,
    begin: int,
    end: int,
    hits: Sequence[int],
    anchor_lengths: Sequence[int],
    shapes: Shapes,
    unwrapper: Unwrapper | None,
) -> Iterator[HitText]:
    """Stretches that do not overlap, each around hits that stand close together in one `\\r` segment."""
    floor, shift = begin, block.offset - block.begin
    is_piece = block.piece and begin == block.begin
    head = bytes(memoryview(block.buffer)[begin : min(end, begin + WINDOW)]) if unwrapper else b""
    wrapped = unwrapper.read(head) if unwrapper else None
    for low, high, some in _clusters(block, begin, end, hits, anchor_lengths):
        low, floor = max(low, floor), high
        skipped = len(wrapped.text) if wrapped and low == begin else 0
        raw = bytes(memoryview(block.buffer)[low + skipped : high])
        offset, length = (low, high - low) if is_piece else (begin, end - begin)
        yield HitText(raw, shapes.of(raw), some, begin, end, offset + shift, length, wrapped)


def _clusters(
    block: TextBlock, begin: int, end: int, hits: Sequence[int], anchor_lengths: Sequence[int]
) -> Iterator[tuple[int, int, Sequence[int]]]:
    """(first byte, end, hits) of each run of hits; a run ends early where the next one must begin."""
    find, rfind = block.buffer.find, block.buffer.rfind
    i, base, count = 0, block.begin, len(hits)
    while i < count:
        first = base + (hits[i] >> 16)
        stop = find(b"\r", first, end)
        if stop < 0:
            stop = end
        last, reach = i + 1, min(stop, first + SPAN) - base + 1 << 16
        while last < count and hits[last] < reach:
            last += 1
        low = max(rfind(b"\r", begin, first - 1) + 1, begin, first - WINDOW)
        high = min(stop, base + (hits[last - 1] >> 16) + WINDOW)
        if last < count:
            high = min(high, base + (hits[last] >> 16) - anchor_lengths[hits[last] & 0xFFFF])
        yield low, high, hits[i:last]
        i = last


# -- The registry as a scan uses it: what to do with a hit of each anchor

_CONTEXT_TOKENS = ("^", "$", "\\b", "\\B", "\\A", "\\Z", "(?=", "(?!", "(?<=", "(?<!")
"""What makes a regex look at more than the text it matches."""

_UNKNOWN = -2
"""In place of a pattern: nobody has asked yet. Most anchors never have a hit, and most regexes are never compiled."""

Ints = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]


class Matchers:
    """Patterns and anchors by number, prepared for the inner loop."""

    def __init__(self, known: Registry) -> None:
        self.patterns = known.patterns
        self.anchor_lengths = tuple(map(len, known.anchors))
        self.bulk = tuple(p.bulk and p.numeric is None for p in known.patterns)
        """Whether a pattern's lines are counted all, but kept only at first and last."""
        self._declared_users = known.users
        self._users: list[tuple[int, ...] | None] = [None] * len(known.users)
        self._quick = np.full(len(known.users), _UNKNOWN, np.int32)
        self._has_users = np.ones(len(known.users), np.bool_)
        self._regexes: list[re.Pattern[str] | None] = [None] * len(known.patterns)
        self.numeric = tuple(p.numeric for p in known.patterns)

    def split(self, hits: Hits) -> tuple[Ints, Mask]:
        """For each hit the bulk pattern that its anchor proves by itself, or -1, and whether there are others, whose
        regex must confirm it."""
        anchors = hits & 0xFFFF
        quick = self._quick[anchors]
        if (quick == _UNKNOWN).any():
            for anchor in np.unique(anchors).tolist():
                self.users(anchor)
            quick = self._quick[anchors]
        return quick, self._has_users[anchors]

    def users(self, anchor: int) -> tuple[int, ...]:
        """The patterns whose regex must confirm a hit of an anchor; found out when its first hit comes."""
        users = self._users[anchor]
        if users is None:
            declared = self._declared_users[anchor]
            quick = next((p for p in declared if self.bulk[p] and is_proven_by_anchor(self.patterns[p])), -1)
            users = self._users[anchor] = tuple(p for p in declared if p != quick)
            self._quick[anchor], self._has_users[anchor] = quick, bool(users)
        return users

    def confirmed(self, hit_text: HitText) -> Found:
        """The patterns that match a text, and where; as many matches as it has anchors of the pattern, at most one
        where the pattern comes in bulk."""
        shape = hit_text.shape
        if shape is None:
            asked = ((p, self._search(p, glued, hit_text.text)) for p, glued in self.candidates(hit_text.hits))
            return [(pattern, spots) for pattern, spots in asked if spots]
        anchors = tuple([hit & 0xFFFF for hit in hit_text.hits])
        answers = shape.answers.get(anchors)
        found = answers.get(hit_text.text) if answers else None
        return self._ask(hit_text, shape, anchors) if found is None else found

    def _ask(self, hit_text: HitText, shape: Shape, anchors: tuple[int, ...]) -> Found:
        """What matches a line of some shape; remembered for those with these anchors where it holds for them too."""
        found: Found = []
        text, candidates = hit_text.text, self.candidates(hit_text.hits)
        for pattern, glued in candidates:
            if spots := self.spots(pattern, glued, text, shape):
                found.append((pattern, spots))
        if anchors not in shape.answers:
            places = shape.deciding(pattern << 1 | glued for pattern, glued in candidates)
            if places is not None:
                shape.answers[anchors] = Answers(places)
        if anchors in shape.answers:
            shape.answers[anchors].learn(text, found)
        return found

    def spots(self, pattern: int, glued: bool, text: str, shape: Shape | None) -> Spots:
        """Where a pattern matches: all its matches, or the first alone. `shape` is what is known of such texts."""
        if shape is None:
            return self._search(pattern, glued, text)
        search = partial(self._search, pattern, glued)
        return shape.spots(pattern << 1 | glued, self.regex(pattern), text, search)

    @cached_property
    def kinds(self) -> Ints:
        """For each anchor the first one that the same patterns hold."""
        first: dict[tuple[int, ...], int] = {}
        return np.array([first.setdefault(users, at) for at, users in enumerate(self._declared_users)], np.int32)

    def candidates(self, hits: Sequence[int]) -> Collection[tuple[int, bool]]:
        """The patterns whose anchors were hit, and whether all their matches are wanted, not the first alone."""
        if len(hits) == 1:
            return [(pattern, False) for pattern in self.users(hits[0] & 0xFFFF)]
        found: dict[int, bool] = {}
        for hit in hits:
            for pattern in self.users(hit & 0xFFFF):
                found[pattern] = pattern in found and not self.bulk[pattern]
        return found.items()

    def _search(self, pattern: int, glued: bool, text: str) -> Spots:
        regex = self.regex(pattern)
        match = regex.search(text)
        if match is None:
            return ()
        if not glued:
            return (self._spot(pattern, match),)
        return tuple(self._spot(pattern, match) for match in regex.finditer(text))

    def _spot(self, pattern: int, match: re.Match[str]) -> Spot:
        """Where a match and its numbers stand."""
        numeric = self.numeric[pattern]
        if numeric is None:
            return match.start(), NOWHERE, NOWHERE
        known = match.re.groupindex
        a, b = (match.span(name) if name in known else NOWHERE for name in numeric)
        return match.start(), a, b

    def regex(self, pattern: int) -> re.Pattern[str]:
        """The compiled regex of a pattern: compiled when its first hit comes."""
        regex = self._regexes[pattern]
        if regex is None:
            regex = self._regexes[pattern] = self.patterns[pattern].compiled
        return regex


def is_proven_by_anchor(pattern: Pattern) -> bool:
    """Whether every line with one of its anchors matches, so that no regex need be run on it.

    That is so if the regex matches the bare anchor and looks at nothing around what it matches: write
    `retrying(?: (?P<attempt>\\d+))?`, with the fields optional, and a storm is counted at native speed.
    """
    if any(token in pattern.regex for token in _CONTEXT_TOKENS):
        return False
    return all(pattern.compiled.search(anchor) is not None for anchor in pattern.anchors)
