"""Lines that differ in digits alone, understood once.

A regex that treats all digits alike matches `step 17 of 90` where it matches `step 23 of 90`, and its groups stand at
the same places. So of a million such lines one is searched, and of the others only the numbers are read, from where
they are known to stand. A line is looked up whole, with every digit replaced by 0: nothing is guessed. Where a regex
tells the digits of such lines apart, it is run on each of them (see `digits`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from logtui.parsers.clean import PLAIN
from logtui.parsers.digits import Place, telling_places, widened
from logtui.parsers.origin import OriginPlaces, find_origin
from logtui.parsers.stamp import Places, find_places

ALIKE = bytes(0x30 if 0x30 <= c <= 0x39 else c for c in range(256))
_COLOUR = re.compile(rb"\[[\d;]*m")
"""What some digits would make a colour, which is not part of a line's text."""
LONGEST = 1024
"""Bytes of a line that is remembered."""
MOST = 1 << 13
"""Shapes that are remembered; then all are forgotten."""
VARIANTS = 64
"""Answers that are remembered for the lines of a shape, where some of their digits decide."""
PAUSE = 1 << 15
"""Lines for which none is remembered, after lines that differed in more than digits."""

Span = tuple[int, int]
"""First character and end of a group; (-1, -1) where it did not take part."""
Spot = tuple[int, Span, Span]
"""Where a pattern matches: its first character, and the spans of its two numbers."""
Spots = tuple[Spot, ...]
NOWHERE: Span = (-1, -1)
Found = list[tuple[int, Spots]]
"""Patterns that match a text, and where."""
T = TypeVar("T")


class Answers(Generic[T]):
    """What holds for the lines of one shape, by those of their digits that decide it."""

    __slots__ = ("_known", "_places")

    def __init__(self, places: tuple[Place, ...]) -> None:
        self._places = places
        self._known: dict[str, T] = {}

    def get(self, text: str) -> T | None:
        """What is known of a line."""
        return self._known.get("".join([text[begin:end] for begin, end in self._places]))

    def learn(self, text: str, answer: T) -> None:
        """Remember what holds for a line, unless there are too many already."""
        if len(self._known) < VARIANTS:
            self._known["".join([text[begin:end] for begin, end in self._places])] = answer


class Shape:
    """What is known of the lines that are equal but for their digits. Each of them is its own text: plain ASCII."""

    __slots__ = ("_mask", "_origins", "_places", "_spots", "_stamps", "answers")

    def __init__(self, mask: bytes) -> None:
        self._mask = mask
        self._spots: dict[int, Answers[Spots]] = {}
        self._places: dict[int, tuple[Place, ...] | None] = {}
        self._origins: dict[int, OriginPlaces] = {}
        self._stamps: Places | None = None
        self.answers: dict[tuple[int, ...], Answers[Found]] = {}
        """What matches lines with the same anchors."""

    def spots(self, question: int, regex: re.Pattern[str], text: str, search: Callable[[str], Spots]) -> Spots:
        """Where a regex matches one of the lines; `search` finds out, and is not asked again for lines that must give
        the same. Each regex, and each way of searching, has a number of its own."""
        known = self._spots.get(question)
        spots = known.get(text) if known else None
        if spots is None:
            spots = search(text)
            if question not in self._places:
                places = self._places[question] = self._deciding(regex, spots)
                known = self._spots[question] = Answers(places or ())
            if known and self._places[question] is not None:
                known.learn(text, spots)
        return spots

    def deciding(self, questions: Iterable[int]) -> tuple[Place, ...] | None:
        """The parts of a line that decide some questions, asked before; None if that cannot be said."""
        found: set[Place] = set()
        for question in questions:
            places = self._places[question]
            if places is None:
                return None
            found.update(places)
        return tuple(sorted(found))

    def _deciding(self, regex: re.Pattern[str], spots: Spots) -> tuple[Place, ...] | None:
        """The parts of a line that decide where a regex matches; `spots` is where it matches one line."""
        mask = self._mask.decode("ascii")
        places = telling_places(regex.pattern, mask)
        if places != () and not spots and (wide := widened(regex.pattern)) and wide.search(mask) is None:
            return ()
        return places

    def origin(self, text: str, hit: int) -> OriginPlaces:
        """Where the origin of the record at `hit` stands; `text` is one of the lines."""
        places = self._origins.get(hit)
        if places is None:
            places = self._origins[hit] = find_origin(text, hit)
        return places

    def stamps(self, text: str) -> Places:
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
        mask = raw.translate(ALIKE)
        shape = self._known.get(mask)
        if shape is None:
            return self._learn(raw, mask)
        self._met_again += 1
        return shape

    def _learn(self, raw: bytes, mask: bytes) -> Shape | None:
        if len(raw) > LONGEST or raw.translate(None, PLAIN) or _COLOUR.search(raw):
            return None
        if len(self._known) == MOST:
            self._known.clear()
            self._rest = PAUSE if self._met_again < MOST else 0
            self._met_again = 0
        shape = self._known[mask] = Shape(mask)
        return shape
