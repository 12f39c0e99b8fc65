"""The registry as a scan uses it: what to do with a hit of each anchor."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from logtui.parsers.hits import Stretch
from logtui.parsers.pattern import Pattern
from logtui.parsers.registry import Registry

_CONTEXT_TOKENS = ("^", "$", "\\b", "\\B", "\\A", "\\Z", "(?=", "(?!", "(?<=", "(?<!")
"""What makes a regex look at more than the text it matches."""


class Matchers:
    """Patterns and anchors by number, prepared for the inner loop."""

    def __init__(self, known: Registry) -> None:
        self.patterns = known.patterns
        self.anchor_lengths = tuple(map(len, known.anchors))
        self.bulk = tuple(p.bulk and p.numeric is None for p in known.patterns)
        """Whether a pattern's lines are counted all, but kept only at first and last."""
        proven = [is_proven_by_anchor(p) and self.bulk[i] for i, p in enumerate(known.patterns)]
        quick = [next((p for p in users if proven[p]), -1) for users in known.users]
        self.quick = np.array(quick, np.int32)
        """For each anchor the bulk pattern that it proves by itself, or -1."""
        self.users = tuple(tuple(p for p in users if p != q) for users, q in zip(known.users, quick, strict=True))
        """For each anchor the patterns whose regex must confirm it."""
        self.has_users = np.array([bool(users) for users in self.users], np.bool_)
        self._regexes: list[re.Pattern[str] | None] = [None] * len(known.patterns)

    def confirmed(self, stretch: Stretch) -> Iterator[tuple[int, Sequence[re.Match[str]]]]:
        """The patterns that match a text, and where; as many matches as it has anchors of the pattern, at most one
        where the pattern comes in bulk."""
        hits, text = stretch.hits, stretch.text
        if len(hits) == 1:
            for pattern in self.users[hits[0] & 0xFFFF]:
                if match := self.regex(pattern).search(text):
                    yield pattern, (match,)
            return
        for pattern, anchors in Counter(p for hit in hits for p in self.users[hit & 0xFFFF]).items():
            if match := self.regex(pattern).search(text):
                glued = anchors > 1 and not self.bulk[pattern]
                yield pattern, list(self.regex(pattern).finditer(text)) if glued else (match,)

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
