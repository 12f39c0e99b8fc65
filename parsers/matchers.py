"""The registry as a scan uses it: what to do with a hit of each anchor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from logtui.parsers.engine import Hits
from logtui.parsers.hits import Stretch
from logtui.parsers.pattern import Pattern
from logtui.parsers.registry import Registry
from logtui.parsers.shapes import NOWHERE, Spot, is_blind_to_digits

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
        self._blind = [False] * len(known.patterns)
        """Whether the regex treats all digits alike; known when it is compiled."""
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

    def confirmed(self, stretch: Stretch) -> Iterator[tuple[int, Sequence[Spot]]]:
        """The patterns that match a text, and where; as many matches as it has anchors of the pattern, at most one
        where the pattern comes in bulk."""
        for pattern, anchors in self._candidates(stretch.hits):
            if spots := self._spots(pattern, anchors > 1 and not self.bulk[pattern], stretch):
                yield pattern, spots

    def _candidates(self, hits: Sequence[int]) -> Iterable[tuple[int, int]]:
        """The patterns whose anchors were hit, and how many of them."""
        if len(hits) == 1:
            return [(pattern, 1) for pattern in self.users(hits[0] & 0xFFFF)]
        found: dict[int, int] = {}
        for hit in hits:
            for pattern in self.users(hit & 0xFFFF):
                found[pattern] = found.get(pattern, 0) + 1
        return found.items()

    def _spots(self, pattern: int, glued: bool, stretch: Stretch) -> tuple[Spot, ...]:
        """Where a pattern matches: asked of one line of each shape, where all digits are alike to the pattern."""
        if stretch.shape is None:
            return self._search(pattern, glued, stretch.text)
        question = pattern << 1 | glued
        spots = stretch.shape.matches.get(question)
        if spots is None:
            spots = self._search(pattern, glued, stretch.text)
            if self._blind[pattern]:
                stretch.shape.matches[question] = spots
        return spots

    def _search(self, pattern: int, glued: bool, text: str) -> tuple[Spot, ...]:
        regex = self.regex(pattern)
        match = regex.search(text)
        if match is None:
            return ()
        if not glued:
            return (self.spot(pattern, match),)
        return tuple(self.spot(pattern, match) for match in regex.finditer(text))

    def spot(self, pattern: int, match: re.Match[str]) -> Spot:
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
            self._blind[pattern] = is_blind_to_digits(regex.pattern)
        return regex


def is_proven_by_anchor(pattern: Pattern) -> bool:
    """Whether every line with one of its anchors matches, so that no regex need be run on it.

    That is so if the regex matches the bare anchor and looks at nothing around what it matches: write
    `retrying(?: (?P<attempt>\\d+))?`, with the fields optional, and a storm is counted at native speed.
    """
    if any(token in pattern.regex for token in _CONTEXT_TOKENS):
        return False
    return all(pattern.compiled.search(anchor) is not None for anchor in pattern.anchors)
