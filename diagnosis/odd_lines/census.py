"""Which line templates were said, by whom, how often, and when first: counted over excerpts of all files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum

from logtui.diagnosis.last_words import is_aftermath
from logtui.parsers.clean import clean
from logtui.parsers.template import rough_key, template

MOST_TEMPLATES = 50_000
"""More different templates are no templates: the rest of the lines are counted under one of their own."""
OTHER = "<other>"
DETAILED = 64
"""Writers of one template of which more is always kept than that they said it."""
MOST_DETAILS = 200_000
"""Beyond so many (template, writer) pairs only those."""
_CLOCK = re.compile(rb"\d\d:\d\d:\d\d")


class Standing(IntEnum):
    """What the declared formats know of a template."""

    NEW = 0
    DECLARED = 1
    """A sign of trouble, or a state: rules weigh it."""
    ROUTINE = 2
    """A fact of the job, a good ending, or noise."""


@dataclass(slots=True)
class Said:
    """What one writer said of one template."""

    file: int
    offset: int
    """Byte at which its first such line begins."""
    raw: bytes
    """That line."""
    stamped: bytes
    """The line with a time of day nearest before it, itself included; b"" where there is none."""
    first: int
    last: int
    """Its number among the lines of this writer that were looked at, and that of the last such line; from 0."""
    last_offset: int
    last_raw: bytes
    last_stamped: bytes
    """Like `offset`, `raw` and `stamped`, of the last such line of that file."""
    count: int = 1


@dataclass(slots=True)
class Template:
    """One kind of line."""

    text: str
    count: int = 0
    said: dict[int, Said | None] = field(default_factory=dict)
    """By writer; None where too many said it for more to be kept."""
    standing: Standing = Standing.NEW
    aftermath: bool = False
    """Whether watchdogs, launchers and teardown print it, not the program."""


@dataclass(slots=True)
class Writer:
    """One rank, or what nobody in particular wrote into one file."""

    lines: int = 0
    last: tuple[int, int, bytes, bytes] | None = None
    """Its last line that is not of the aftermath: file, offset, line, and the nearest line with a time."""


class Census:
    """Templates of lines, added one by one. Memory grows with what is different, not with what is repeated."""

    def __init__(self) -> None:
        self.templates: dict[str, Template] = {}
        self.writers: dict[int, Writer] = {}
        self._by_key: dict[bytes, Template] = {}
        self.lines = 0
        self._details = 0

    def add(self, writer: int, file: int, offset: int, raw: bytes, stamped: bytes) -> Template:
        """Count a line; `stamped` is the nearest line with a time of day, itself included."""
        found = self._template(raw)
        who = self.writers.get(writer)
        if who is None:
            who = self.writers[writer] = Writer()
        known = found.said.get(writer)
        if known is not None:
            known.count, known.last = known.count + 1, who.lines
            if file == known.file:
                known.last_offset, known.last_raw, known.last_stamped = offset, raw, stamped
        elif writer not in found.said:
            detailed = len(found.said) < DETAILED or self._details < MOST_DETAILS
            self._details += detailed
            place = (file, offset, raw, stamped, who.lines, who.lines, offset, raw, stamped)
            found.said[writer] = Said(*place) if detailed else None
        found.count += 1
        if not found.aftermath:
            who.last = (file, offset, raw, stamped)
        who.lines += 1
        self.lines += 1
        return found

    def _template(self, raw: bytes) -> Template:
        key = rough_key(raw)
        found = self._by_key.get(key)
        if found is None:
            text = template(raw)
            if text not in self.templates and len(self.templates) >= MOST_TEMPLATES:
                text = OTHER
            found = self.templates.setdefault(
                text, Template(text, aftermath=not text or is_aftermath(clean(raw[:400])))
            )
            if len(self._by_key) < 2 * MOST_TEMPLATES:
                self._by_key[key] = found
        return found

    def worth_telling(self) -> Iterator[Template]:
        """Templates that say something."""
        return (t for t in self.templates.values() if t.text and t.text != OTHER)


def has_clock(raw: bytes) -> bool:
    """Whether a line holds a time of day."""
    return _CLOCK.search(raw) is not None
