"""Remembers whether lines matched, so that of a million lines that differ in digits alone one is searched.

A regex that treats all digits alike gives one answer for `retrying after 17 s` and `retrying after 23 s`. Most
declared regexes do: they have no digit of their own and compare no groups. For those a line is looked up with every
digit replaced by 0.
"""

from __future__ import annotations

import re
from typing import Generic, TypeVar

from logtui.parsers.clean import PLAIN
from logtui.parsers.pattern import Pattern

T = TypeVar("T")

_HARMLESS = re.compile(r"\{\d*,?\d*\}|\(\?P<\w+>|\\d|0-9")
"""Digits in a regex that tell none from another: counts, names of groups, all of them."""
_COMPARISON = re.compile(r"\(\?P=|\\[1-9]|(?<!\\)\(\?\(")
_DIGITS_ALIKE = bytes(0x30 if 0x30 <= c <= 0x39 else c for c in range(256))
LONGEST = 1024
"""Bytes of a line that is remembered."""
MOST = 1 << 14
"""Lines that are remembered; then they are forgotten."""
CHANCES = 8
"""How often that may happen before remembering is given up: lines differ in more than digits."""


def masked(raw: bytes) -> bytes:
    """A line with all digits alike."""
    return raw.translate(_DIGITS_ALIKE)


def is_plain(raw: bytes) -> bool:
    """Whether a line's text is its bytes, one for one."""
    return not raw.translate(None, PLAIN)


def is_blind_to_digits(pattern: Pattern) -> bool:
    """Whether no two lines that differ in digits alone are told apart by the pattern or by its anchors."""
    if _COMPARISON.search(pattern.regex) or any(c.isdecimal() for anchor in pattern.anchors for c in anchor):
        return False
    return not any(c.isdecimal() for c in _HARMLESS.sub("", pattern.regex))


class Memory(Generic[T]):
    """What is known of masked lines; bounded, and given up where it does not pay."""

    def __init__(self) -> None:
        self._known: dict[bytes, T] = {}
        self._chances = CHANCES
        self.get = self._known.get
        """What is known of a masked line, or the default."""

    @property
    def pays(self) -> bool:
        """Whether it is worth asking."""
        return self._chances > 0

    def learn(self, raw: bytes, verdict: T) -> None:
        """Remember what holds for all lines that differ from this one in digits alone."""
        if self._chances and len(raw) <= LONGEST:
            self._known[masked(raw)] = verdict
            if len(self._known) > MOST:
                self._chances -= 1
                self._known.clear()
