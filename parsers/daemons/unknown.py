"""Warnings and errors that no pattern reads: folded by template, so that what is not known is seen as such."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from logtui.parsers.regex import regex

MOST_TEMPLATES = 64
"""Of one file; what comes after is counted as one."""
MOST_RECORDS = 20_000
"""Looked at in one file."""
KEPT_CLOCKS = 256
TEMPLATE_CHARS = 160
OTHERS = "(further kinds)"
_FOLDED = (
    (regex(r"\b([tp])\[[^\]\s]{1,40}\]"), r"\1[…]"),
    (regex(r'"[^"]{1,400}"'), '"…"'),
    (regex(r"(?<![\w/])/[\w./%@$+-]{2,400}"), "/…"),
    (regex(r"\b[a-z]+://\S{1,400}"), "…"),
    (regex(r"\[[\w-]{5,40}(?:(?:=>|<=)[\w-]{5,40})?\]"), "[…]"),
    (regex(r"\b(?=\w{0,40}\d)[\w-]*(?:[.:]\w+)*\b"), "#"),
)


@dataclass(slots=True)
class UnknownRecords:
    """Records of one template in one file. Clocks are as in `RawMessage`."""

    letter: str
    source: str
    """`moss`, the file of the source that prints it; "" where the record does not say."""
    template: str
    part: int
    line: int
    offset: int
    text: str
    """The first record, whole."""
    count: int = 0
    clocks: list[tuple[int, float, int]] = field(default_factory=list)
    """(part, clock, offset) of the first ones."""


def template_of(message: str) -> str:
    """A message with its names, numbers, paths and addresses taken out."""
    text = message[: 2 * TEMPLATE_CHARS]
    for pattern, by in _FOLDED:
        text = pattern.sub(by, text)
    return text[:TEMPLATE_CHARS]


class UnknownFolder:
    """Folds the records of one file."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str, str], UnknownRecords] = {}
        self._seen = 0

    @property
    def full(self) -> bool:
        """Whether enough records of the file were looked at."""
        return self._seen >= MOST_RECORDS

    def add(self, parsed: re.Match[str], part: int, clock: float, line: int, offset: int) -> None:
        """Add a record as `RECORD` reads it."""
        self._seen += 1
        letter, source = parsed["severity"], parsed["source"] or ""
        key = (letter, source, template_of(parsed["message"]))
        if key not in self.found and len(self.found) >= MOST_TEMPLATES:
            key = (letter, "", OTHERS)
        one = self.found.get(key)
        if one is None:
            one = self.found[key] = UnknownRecords(*key, part, line, offset, parsed[0])
        one.count += 1
        if len(one.clocks) < KEPT_CLOCKS:
            one.clocks.append((part, clock, offset))
