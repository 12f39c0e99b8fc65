"""The registry as a scan uses it: what to do with a hit of each anchor."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logtui.parsers.engine import Hits
from logtui.parsers.hits import Stretch
from logtui.parsers.pattern import Pattern
from logtui.parsers.registry import Registry
from logtui.parsers.verdicts import is_blind_to_digits

_CONTEXT_TOKENS = ("^", "$", "\\b", "\\B", "\\A", "\\Z", "(?=", "(?!", "(?<=", "(?<!")
"""What makes a regex look at more than the text it matches."""

PROVEN, ALIKE, OTHER, RECORD, EXACT_RECORD = 1, 2, 4, 8, 16
"""What an anchor may stand for: a bulk pattern that it proves by itself, bulk patterns that treat all digits alike,
other bulk patterns, patterns whose every line may become a record, and of these some that tell digits apart."""
_UNKNOWN = 128
"""Nobody has asked yet. Most anchors never have a hit, and most regexes are never compiled."""

Kinds = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class _Users:
    """The patterns of one anchor."""

    proven: int
    alike: tuple[int, ...]
    others: tuple[int, ...]
    records: tuple[int, ...]
    exact: bool
    """Whether some of these tell digits apart."""


class Matchers:
    """Patterns and anchors by number, prepared for the inner loop. Serves one thread."""

    def __init__(self, known: Registry) -> None:
        self.patterns = known.patterns
        self.anchor_lengths = tuple(map(len, known.anchors))
        self.proven = np.full(len(known.users), -1, np.int32)
        """For each anchor the pattern that it proves, or -1."""
        self._declared = known.users
        self._users: list[_Users | None] = [None] * len(known.users)
        self._kinds = np.full(len(known.users), _UNKNOWN, np.uint8)
        self._regexes: list[re.Pattern[str] | None] = [None] * len(known.patterns)

    def kinds(self, hits: Hits) -> Kinds:
        """What each hit may stand for, as flags."""
        anchors = hits & 0xFFFF
        kinds: Kinds = self._kinds[anchors]
        if (kinds == _UNKNOWN).any():
            for anchor in np.unique(anchors).tolist():
                self._of(anchor)
            kinds = self._kinds[anchors]
        return kinds

    def alike(self, anchor: int) -> tuple[int, ...]:
        """Bulk patterns that treat all digits alike."""
        return self._of(anchor).alike

    def others(self, anchor: int) -> tuple[int, ...]:
        """Bulk patterns that tell digits apart."""
        return self._of(anchor).others

    def all_searched(self, anchor: int) -> tuple[int, ...]:
        """All bulk patterns that the anchor does not prove."""
        return self._of(anchor).alike + self._of(anchor).others

    def _of(self, anchor: int) -> _Users:
        users = self._users[anchor]
        if users is None:
            users = self._users[anchor] = self._sorted(self._declared[anchor])
            self.proven[anchor] = users.proven
            some = (users.proven >= 0, users.alike, users.others, users.records, users.exact)
            self._kinds[anchor] = sum(1 << bit for bit, any_of_them in enumerate(some) if any_of_them)
        return users

    def _sorted(self, declared: Sequence[int]) -> _Users:
        is_bulk = {p: self.patterns[p].bulk and self.patterns[p].numeric is None for p in declared}
        bulk = [p for p in declared if is_bulk[p]]
        proven = next((p for p in bulk if is_proven_by_anchor(self.patterns[p])), -1)
        rest = [p for p in bulk if p != proven]
        alike = tuple(p for p in rest if is_blind_to_digits(self.patterns[p]))
        others = tuple(p for p in rest if p not in alike)
        records = tuple(p for p in declared if not is_bulk[p])
        exact = any(self.patterns[p].compared or not is_blind_to_digits(self.patterns[p]) for p in records)
        return _Users(proven, alike, others, records, exact)

    def confirmed(self, stretch: Stretch) -> Iterator[tuple[int, Sequence[re.Match[str]]]]:
        """Patterns whose lines become records that match a text, and where: at most as often as it has anchors."""
        for pattern, anchors in self._candidates(stretch.hits):
            if match := self.patterns[pattern].search(stretch.text):
                yield pattern, self._all(pattern, stretch.text) if anchors > 1 else (match,)

    def all_alike(self, hits: Iterable[int]) -> bool:
        """Whether no pattern that these hits may become a record of tells digits apart."""
        return not any(self._of(hit & 0xFFFF).exact for hit in hits)

    def _candidates(self, hits: Sequence[int]) -> Iterable[tuple[int, int]]:
        """The patterns whose anchors were hit, and how many of them."""
        if len(hits) == 1:
            return [(pattern, 1) for pattern in self._of(hits[0] & 0xFFFF).records]
        return Counter(p for hit in hits for p in self._of(hit & 0xFFFF).records).items()

    def _all(self, pattern: int, text: str) -> Sequence[re.Match[str]]:
        declared = self.patterns[pattern]
        return [match for match in self.regex(pattern).finditer(text) if declared.agrees(match)]

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
    if pattern.compared or any(token in pattern.regex for token in _CONTEXT_TOKENS):
        return False
    return all(pattern.compiled.search(anchor) is not None for anchor in pattern.anchors)
