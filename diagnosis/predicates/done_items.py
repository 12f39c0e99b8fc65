"""Complaints of single items of a work that was done to its end: the same is said of several of them, amid lines of
others, and the last line says that all is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from logtui.diagnosis.predicates.closing_words import ends_work
from logtui.diagnosis.predicates.trouble import speaks_of_trouble
from logtui.parsers.regex import regex
from logtui.parsers.tracebacks.traceback import HEADER

SEVERAL, LEAST, SHARE = 2, 4, 0.3
"""Complaints that are alike; lines of other items, at least, each said as often, and their share of all lines."""
LONGEST, ALIKE = 400, 24
"""Characters of a line that are looked at; those behind its numbers by which sentences are alike."""
_DIGITS = regex(r"\d+")
_STAMP = regex(r"^[^A-Za-z]{8,60}(?=[A-Za-z])")
"""What stands before a record's level."""


def failed_items(lines: Sequence[tuple[int, str]]) -> set[int]:
    """The numbers of such lines among the last ones of a file."""
    spoken = _spoken(lines)
    if not spoken or not ends_work(spoken[-1][1]) or speaks_of_trouble(spoken[-1][1]):
        return set()
    if any(HEADER in text for _, text in spoken):
        return set()
    told = [(number, _alike(text), speaks_of_trouble(text)) for number, text in spoken]
    calm = Counter(mask for _, mask, troubles in told if not troubles)
    if sum(times for times in calm.values() if times >= SEVERAL) < max(LEAST, SHARE * len(told)):
        return set()
    failed = Counter(mask for _, mask, troubles in told if troubles and mask not in calm)
    return {number for number, mask, _ in told if failed[mask] >= SEVERAL}


def _spoken(lines: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """The lines with words, as far as they are looked at."""
    return [(number, text[:LONGEST]) for number, text in lines if any(c.isalpha() for c in text)]


def _alike(text: str) -> str:
    """How a sentence begins, whatever its numbers are, and when it was said."""
    return _DIGITS.sub("#", _STAMP.sub("", text.strip()))[:ALIKE]


_CAUGHT = regex(
    r"(?i)\b(?:complete[d]?|done|finished|processed)\b.{0,80}?\b\d{1,9} (?:errors?|failures?|exceptions?)"
    r" (?:were )?(?:caught|skipped|ignored|logged|handled)\b"
)
SUMMED_UP = 3
"""Lines at the end among which a program says how many errors it caught."""


def counted_as_caught(lines: Sequence[tuple[int, str]]) -> set[int]:
    """The numbers of complaints above a program's word that it is done, and how many errors it caught."""
    spoken = _spoken(lines)
    if not any(_CAUGHT.search(text) for _, text in spoken[-SUMMED_UP:]) or any(HEADER in text for _, text in spoken):
        return set()
    return {number for number, text in spoken[:-1] if speaks_of_trouble(text)}


def tried_again(lines: Sequence[tuple[int, str]]) -> set[int]:
    """The numbers of complaints between two lines that tell of the same: what was done above one is done once more
    right below it, and much else behind that, without another complaint like it."""
    spoken = _spoken(lines)
    said = Counter(_alike(text) for _, text in spoken)
    return {
        number
        for n, (number, text) in enumerate(spoken[: -LEAST - 1])
        if n and _label(spoken[n - 1][1]) == _label(spoken[n + 1][1]) != "" and said[_alike(text)] == 1
        if speaks_of_trouble(text) and not speaks_of_trouble(spoken[n + 1][1])
    }


def _label(text: str) -> str:
    """What a line tells of, before a colon, and not when; "" where it is a word or nothing."""
    label, colon, _ = _STAMP.sub("", text.strip()).partition(": ")
    return label if colon and " " in label else ""


def done_one_by_one(texts: Sequence[str]) -> bool:
    """Whether a program ends with what it says below each of several numbered items, and not below all of them: it goes
    through many, of which some are not there."""
    spoken = [text.strip()[:LONGEST] for text in texts if any(c.isalpha() for c in text)]
    last = [n for n, text in enumerate(spoken) if n and text == spoken[-1]]
    if len(last) < SEVERAL:
        return False
    above = {_DIGITS.sub("#", spoken[n - 1]) for n in last}
    numbers = [[int(number) for number in _DIGITS.findall(spoken[n - 1])] for n in last]
    item = above.pop()
    counts = not above and "#" in item and all(one < other for one, other in pairwise(numbers))
    return counts and any(_DIGITS.sub("#", a) == item and b != spoken[-1] for a, b in pairwise(spoken))
