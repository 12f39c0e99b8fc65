"""What share of the lines is understood, and as what; and which sentences are not: where the next pattern comes from.

Counted by lines of stretches of some files, for a line is cheap to scan and dear to read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from logtui.diagnosis.facts.alike_lines import Alike
from logtui.diagnosis.model.report import Understood, UnknownSentence
from logtui.parsers.clean import clean
from logtui.parsers.files.case import Case
from logtui.parsers.files.dates import spread
from logtui.parsers.prefix.stamp import Places, find_places, stamp_near
from logtui.parsers.prefix.template import rough_key, template
from logtui.parsers.prefix.wrapping import unwrapped
from logtui.parsers.source import LogFile
from logtui.parsers.tracebacks.frames import is_frame

STRETCH, STRETCHES = 30, 5
"""Lines of a stretch, and stretches of a file: its ends among them."""
NAMED = 12
"""Sentences that are named, the most frequent first."""
PREFIX = 80
"""Characters of a line in which a logger's stamp or level begins."""
LONGEST = 2000
"""Bytes of a line that are looked at."""
LEVELS = ("INFO", "WARN", "ERROR", "DEBUG", "CRITICAL", "FATAL")


class Kind(StrEnum):
    """What a line is understood as."""

    PROGRESS = "progress"
    KNOWN = "a known program's line"
    STACK = "stack"
    RECORD = "log record"
    TEXT = "free text"
    EMPTY = "empty"


WORDLESS = frozenset({Kind.STACK, Kind.EMPTY})
"""Kinds whose lines are no sentences of a program."""


@dataclass(frozen=True, slots=True)
class _Line:
    file: str
    number: int
    kind: Kind
    sentence: str


def read_understood(case: Case) -> tuple[tuple[Understood, ...], tuple[UnknownSentence, ...]]:
    """Shares of the lines by what they are understood as, the largest first, and sentences that are not."""
    sentences, looks = _Sentences(), Alike(_look)
    lines = [line for file in spread(case.files) for line in _lines(case, file, sentences, looks)]
    known = {line.sentence: line.kind for line in lines if line.kind in (Kind.PROGRESS, Kind.KNOWN)}
    kinds = Counter(known.get(line.sentence, line.kind) for line in lines)
    unknown = [line for line in lines if line.kind in (Kind.RECORD, Kind.TEXT) and line.sentence not in known]
    first = {line.sentence: line for line in reversed(unknown)}
    frequent = Counter(line.sentence for line in unknown).most_common(NAMED)
    shares = tuple(Understood(kind.value, round(n / len(lines), 3)) for kind, n in kinds.most_common())
    named = (UnknownSentence(s, round(n / len(lines), 3), first[s].file, first[s].number) for s, n in frequent)
    return shares, tuple(named)


class _Sentences(dict[bytes, str]):
    """Templates of lines by their rough keys: most differ in numbers alone."""

    def of(self, raw: bytes) -> str:
        key = rough_key(raw)
        if key not in self:
            self[key] = template(raw)
        return self[key]


def _lines(case: Case, file: LogFile, sentences: _Sentences, looks: Alike[_Look]) -> Iterator[_Line]:
    """Lines of some stretches of a file."""
    matched = _Matched(case, file.index)
    first, count = case.first_line(file.index), case.line_count(file.index)
    done, before = 0, Kind.EMPTY
    for begin in np.unique(np.linspace(first, max(first, count - STRETCH + 1), STRETCHES).astype(int)).tolist():
        first = max(begin, done + 1)
        known = matched.between(first, begin + STRETCH)
        for number, (_, _, raw) in enumerate(case.placed(file.index, first, begin + STRETCH - first), start=first):
            done, body = number, unwrapped(raw[:LONGEST], file.wrapping)
            before = known.get(number) or _kind(clean(body), file.mtime, before, looks)
            yield _Line(file.name, number, before, sentences.of(body) if before not in WORDLESS else "")


class _Matched:
    """The lines of a file that a format knows."""

    def __init__(self, case: Case, file: int) -> None:
        rows = case.records.rows[case.records.rows_of_file(file)]
        self._lines, self._by, self._patterns = rows["line"], rows["pattern"], case.records.patterns

    def between(self, first: int, end: int) -> dict[int, Kind]:
        """Those of a stretch by their numbers, and what they are; of what a line is twice, progress counts."""
        here = slice(*np.searchsorted(self._lines, (first, end)).tolist())
        told = [*zip(self._lines[here].tolist(), self._by[here].tolist(), strict=True)]
        counting = (line for line, by in told if self._patterns[by].numeric is not None)
        return dict.fromkeys((line for line, _ in told), Kind.KNOWN) | dict.fromkeys(counting, Kind.PROGRESS)


class _Look(NamedTuple):
    """What is the same of all lines that differ in digits alone."""

    stack: bool
    indented: bool
    levelled: bool
    stamps: Places


def _look(text: str) -> _Look:
    stack = is_frame(text) or text.lstrip().startswith(("frame #", "Traceback (", "~~~", "^^^"))
    prefix = text[:PREFIX]
    return _Look(stack, text.startswith("    "), any(level in prefix for level in LEVELS), find_places(prefix))


def _kind(text: str, mtime: float, before: Kind, looks: Alike[_Look]) -> Kind:
    """What a line is that no format knows; source stands below its frame."""
    if not text.strip():
        return Kind.EMPTY
    look = looks.of(text)
    if look.stack or (before is Kind.STACK and look.indented):
        return Kind.STACK
    return Kind.RECORD if look.levelled or _is_stamped(text, look.stamps, mtime) else Kind.TEXT


def _is_stamped(text: str, places: Places, mtime: float) -> bool:
    return bool(places) and stamp_near(text[:PREFIX], mtime) is not None
