"""Complaints of single items of a work that was done to its end: the same is said of several of them, amid lines of
others, and the last line says that all is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

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
    spoken = [(number, text[:LONGEST]) for number, text in lines if any(c.isalpha() for c in text)]
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


def _alike(text: str) -> str:
    """How a sentence begins, whatever its numbers are, and when it was said."""
    return _DIGITS.sub("#", _STAMP.sub("", text.strip()))[:ALIKE]
