"""What PowerShell makes of a program's errors: lines broken at the console's width, and where it was called from.

Windows PowerShell formats whatever a program writes to its standard error, where that is redirected, as errors of its
own: the first line behind the program's name, then the place of the call in four lines, and all of it as wide as the
console. A broken line is read whole where it begins, its other parts as empty lines, so that all keep their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

CATEGORY, IDENTIFIER = "    + CategoryInfo", "    + FullyQualified"
CALL_LINES = 40
"""Above an error's last lines, and below its first, in which the place of the call is looked for."""
_CALLED = re.compile(r"(?:\S.{0,200})?\S : ")
_CUT_FRAME = re.compile(r' *File "(?:[^"]+|[^"]+",(?: line(?: \d+,(?: in)?)?)? )$')
LEAST_WIDTH = len(CATEGORY)
MOST_PARTS, MOST_CHARACTERS = 1 << 12, 1 << 16
"""Of one line that is put together."""


def is_formatted(head: bytes) -> bool:
    """Whether PowerShell has broken lines in a text that begins so."""
    return CATEGORY.encode() in head and width_of(head.decode("utf-8", "replace")) > 0


def width_of(text: str) -> int:
    """Characters at which lines of a text are broken; 0 where none is, or it has none of PowerShell's errors."""
    lines = [line.rstrip("\r") for line in text.split("\n")]
    told = [i for i, line in enumerate(lines[:-1]) if line.startswith(CATEGORY)]
    for i in told:
        if not lines[i + 1].startswith(IDENTIFIER):
            return len(lines[i])
    if not told:
        return 0
    broken = [i for i in range(len(lines) - 1) if _CUT_FRAME.match(lines[i])]
    return _fitting(lines, broken + [i for at in told for i in _broken_call(lines, at)])


def _fitting(lines: Sequence[str], broken: Sequence[int]) -> int:
    """The width at which some lines may have been broken: all others that are not longer fit too."""
    rooms = [(len(lines[i]), len(lines[i]) + lines[i].endswith(" ") * _first_word(lines[i + 1])) for i in broken]
    least, most = max((low for low, _ in rooms), default=0), min((high for _, high in rooms), default=-1)
    return max(n for line in lines if (n := len(line)) <= most) if LEAST_WIDTH <= least <= most else 0


def _broken_call(lines: Sequence[str], category: int) -> Iterator[int]:
    """The first line of an error, if the next is not yet the place of the call, which stands above its text."""
    first = max(0, category - CALL_LINES)
    begin = next((i for i in range(first, category) if _CALLED.match(lines[i])), category)
    call = next((i for i in range(begin, category) if lines[i].startswith("+ ")), begin)
    if call - 1 > begin + 1:
        yield begin


def _first_word(text: str) -> int:
    return len(text) if (end := text.find(" ")) < 0 else end


def goes_on(before: str, text: str, width: int) -> bool:
    """Whether a line is the rest of the one before it: its first word had no room there."""
    word = _first_word(text)
    if not before or not word:
        return False
    if before.endswith(" "):
        return len(before) <= width <= len(before) + word
    cut = len(before) - before.rfind(" ") - 1
    return len(before) == width <= cut + word and (len(set(before)) > 1 or before[0] == text[0])


def own_lines_end(bodies: Sequence[str]) -> int:
    """How many of the lines below one that PowerShell headed are its own."""
    return next((i + 1 for i, body in enumerate(bodies) if body.startswith(IDENTIFIER)), 0)


class Joining:
    """Puts the parts of broken lines together."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._parts: list[str] = []
        self._size = 0

    def lines(self, texts: Iterable[str]) -> Iterator[str]:
        """As many lines as are given, none with its newline; the last ones are held back."""
        for text in texts:
            if self._parts and not self._goes_on(text):
                yield from self.rest()
            self._parts.append(text)
            self._size += len(text)

    def rest(self) -> Iterator[str]:
        """What is held back."""
        if self._parts:
            blank = self._parts[0].startswith((CATEGORY, IDENTIFIER))
            yield _blanks(self._parts) if blank else "".join(self._parts)
            yield from [""] * (len(self._parts) - 1)
        self._parts, self._size = [], 0

    def _goes_on(self, text: str) -> bool:
        """Whether a line is the rest of the one before it."""
        before, width = self._parts[-1], self._width
        if len(self._parts) >= MOST_PARTS or self._size > MOST_CHARACTERS:
            return False
        if self._parts[0].startswith((CATEGORY, IDENTIFIER)):
            return len(before) in (width - 1, width) and not text.startswith(IDENTIFIER) and bool(text.strip())
        return goes_on(before, text, width)


def _blanks(parts: list[str]) -> str:
    """These are aligned by blanks, and say nothing that matters."""
    return parts[0].rstrip() + " " + " ".join(part.strip() for part in parts[1:]) if len(parts) > 1 else parts[0]
