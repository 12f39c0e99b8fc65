"""Lines that differ in digits alone, understood once.

A regex that treats all digits alike matches `step 17 of 90` where it matches `step 23 of 90`, and its groups stand at
the same places. So of a million such lines one is searched, and of the others only the numbers are read, from where
they are known to stand. A line is looked up whole, with every digit replaced by 0: nothing is guessed. Regexes that
tell digits apart are run on every line.
"""

from __future__ import annotations

import re

from logtui.parsers.clean import PLAIN
from logtui.parsers.origin import OriginPlaces, find_origin
from logtui.parsers.stamp import StampPlaces, find_places

_HARMLESS = re.compile(r"\{\d*,?\d*\}|\(\?P<\w+>|\\d|0-9")
"""Digits in a regex that tell none from another: counts, names of groups, all of them."""
_COMPARISON = re.compile(r"\(\?P=|\\[1-9]|(?<!\\)\(\?\(")
_ALIKE = bytes(0x30 if 0x30 <= c <= 0x39 else c for c in range(256))
LONGEST = 1024
"""Bytes of a line that is remembered."""
MOST = 1 << 13
"""Shapes that are remembered; then all are forgotten."""
PAUSE = 1 << 15
"""Lines for which none is remembered, after lines that differed in more than digits."""

Span = tuple[int, int]
"""First character and end of a group; (-1, -1) where it did not take part."""
Spot = tuple[int, Span, Span]
"""Where a pattern matches: its first character, and the spans of its two numbers."""
NOWHERE: Span = (-1, -1)


def is_blind_to_digits(regex: str) -> bool:
    """Whether a regex tells no two texts apart that differ in digits alone."""
    return not _COMPARISON.search(regex) and not any(c.isdecimal() for c in _HARMLESS.sub("", regex))


class Shape:
    """What is known of the lines that are equal but for their digits. Each of them is its own text: plain ASCII."""

    __slots__ = ("_origins", "_stamps", "matches")

    def __init__(self) -> None:
        self.matches: dict[int, tuple[Spot, ...]] = {}
        """By whatever number the caller gives to a question."""
        self._origins: dict[int, OriginPlaces] = {}
        self._stamps: StampPlaces | None = None

    def origin(self, text: str, hit: int) -> OriginPlaces:
        """Where the origin of the record at `hit` stands; `text` is one of the lines."""
        places = self._origins.get(hit)
        if places is None:
            places = self._origins[hit] = find_origin(text, hit)
        return places

    def stamps(self, text: str) -> StampPlaces:
        """Where stamps may stand; `text` is one of the lines."""
        if self._stamps is None:
            self._stamps = find_places(text)
        return self._stamps


class Shapes:
    """Shapes of lines by their masks; bounded, and at rest where it does not pay."""

    def __init__(self) -> None:
        self._known: dict[bytes, Shape] = {}
        self._met_again = 0
        self._rest = 0

    def of(self, raw: bytes) -> Shape | None:
        """The shape of a line; None for lines that are long, or not plain text, or while it does not pay."""
        if self._rest:
            self._rest -= 1
            return None
        mask = raw.translate(_ALIKE)
        shape = self._known.get(mask)
        if shape is None:
            return self._learn(raw, mask)
        self._met_again += 1
        return shape

    def _learn(self, raw: bytes, mask: bytes) -> Shape | None:
        if len(raw) > LONGEST or raw.translate(None, PLAIN):
            return None
        if len(self._known) == MOST:
            self._known.clear()
            self._rest = PAUSE if self._met_again < MOST else 0
            self._met_again = 0
        shape = self._known[mask] = Shape()
        return shape
