"""The registry as a scan uses it: what to do with a hit of each anchor."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from logtui.parsers.engine import Hits
from logtui.parsers.hits import Stretch
from logtui.parsers.pattern import Pattern
from logtui.parsers.registry import Registry
from logtui.parsers.shapes import NOWHERE, Answers, Found, Shape, Spot, Spots

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

    def confirmed(self, stretch: Stretch) -> Found:
        """The patterns that match a text, and where; as many matches as it has anchors of the pattern, at most one
        where the pattern comes in bulk."""
        shape = stretch.shape
        if shape is None:
            asked = ((p, self._search(p, glued, stretch.text)) for p, glued in self._candidates(stretch.hits))
            return [(pattern, spots) for pattern, spots in asked if spots]
        anchors = tuple([hit & 0xFFFF for hit in stretch.hits])
        answers = shape.answers.get(anchors)
        found = answers.get(stretch.text) if answers else None
        return self._ask(stretch, shape, anchors) if found is None else found

    def _ask(self, stretch: Stretch, shape: Shape, anchors: tuple[int, ...]) -> Found:
        """What matches a line of some shape; remembered for those with these anchors where it holds for them too."""
        found: Found = []
        text, candidates = stretch.text, self._candidates(stretch.hits)
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

    def _candidates(self, hits: Sequence[int]) -> Collection[tuple[int, bool]]:
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
