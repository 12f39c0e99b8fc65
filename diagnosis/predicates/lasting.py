"""Conditions that further steps do not end: a loss that is NaN, or a disk that is full, from some line on to the end of
the log."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.events import Event
from logtui.diagnosis.predicates.gone_numbers import gone_numbers
from logtui.parsers.pattern import Mark
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex

MOST_STEPS = 0.8
"""The share of later steps that must say again that the numbers are gone."""
_OF_LOSS = regex(r"\bloss\b|'grad_norm'", re.I)
FULL = ("os.quota", "os.no_space")
"""What a full disk is told by."""
AGAIN_AND_AGAIN, NEAR_THE_END = 3, 60
"""So often a program says that it could not save; lines of its file behind the last time."""
_NOT_SAVED = regex(
    r"(?i)\b(?:checkpoint|model|weights|state|results?|predictions?|optimizer)\b.{0,80}\b(?:not|never|un(?:written|saved))\b"
    r"|\b(?:not|never|unable|cannot|can't|could not|couldn't|failed|failure|error)\b.{0,40}"
    r"\b(?:writ|sav|stor|dump|checkpoint|export)\w*"
)
_SAVED = regex(r"(?i)(?<!not )(?<!never )\b(?:saved|written|stored|exported)\b(?! for want)")
LOSSES, LEAST_TOLD = 200, 5
"""Lines at the end of a file among which losses are looked for; fewer losses show nothing."""
ASKED, LEAST_ASKED, WIDTH = 32, 3, 2000
"""Lines of steps that are read again, and fewer that say nothing; characters of each."""


def lasting(facts: Facts) -> str:
    """The place of the first line of a cause that lasted to the end; "" where none did."""
    alike: dict[str, list[Event]] = {}
    for event in facts.causes:
        if Mark.LASTS in event.record.pattern.marks or event.name in FULL:
            alike.setdefault(event.name, []).append(event)
    records = (events[0].record for events in alike.values() if ever_since(facts, events))
    told = (f"{facts.case.file_name(record)}:{record.line}" for record in records)
    gone = (f"{facts.case.files[g.file].name}:{g.line}" for g in gone_numbers(facts))
    return next(told, "") or next(gone, "")


def ever_since(facts: Facts, events: Sequence[Event]) -> bool:
    """Whether a condition that steps do not end, a NaN loss or a full disk, lasted from its first line to the end of
    the log."""
    record = events[0].record
    if Mark.LASTS not in record.pattern.marks:
        return record.name in FULL and _unwritten(facts, events)
    mine = [s.lines[s.lines >= record.line] for s in facts.steps if s.file == record.file]
    after = sum(map(len, mine))
    if 0 < after * MOST_STEPS <= facts.case.records.total(record.name):
        return True
    return any(_say_it(facts, record, m) for m in mine) or _says_it_at_the_end(facts, record)


def _unwritten(facts: Facts, events: Sequence[Event]) -> bool:
    """Whether a program says again and again, up to the end of its file, that it could not save what it made."""
    file = events[0].record.file
    told = [e.record for e in events if e.record.file == file and _NOT_SAVED.search(e.record.first_line[:WIDTH])]
    if len(told) < AGAIN_AND_AGAIN:
        return False
    behind = facts.case.bodies(file, told[-1].line + 1, NEAR_THE_END + 1)
    return len(behind) <= NEAR_THE_END and not any(map(_SAVED.search, behind))


def is_over(facts: Facts, record: Record) -> bool:
    """Whether the last lines of its file that tell of a loss have numbers again: another run's, as a rule."""
    told, said = _at_the_end(facts, record) if Mark.LASTS in record.pattern.marks else (0, 0)
    return told >= LEAST_TOLD and said == 0


def _says_it_at_the_end(facts: Facts, record: Record) -> bool:
    """Whether the last lines of its file that tell of a loss say it, whatever counts the steps."""
    told, said = _at_the_end(facts, record)
    return told >= LEAST_TOLD and said >= MOST_STEPS * told


def _at_the_end(facts: Facts, record: Record) -> tuple[int, int]:
    """How many of the last lines of its file tell of a loss, and how many of them say it."""
    first = max(record.line + 1, facts.case.line_count(record.file) - LOSSES + 1)
    told = [t[:WIDTH] for t in facts.case.bodies(record.file, first, LOSSES) if _OF_LOSS.search(t[:WIDTH])][-ASKED:]
    return len(told), sum(record.pattern.compiled.search(text) is not None for text in told)


def _say_it(facts: Facts, record: Record, lines: npt.NDArray[np.int64]) -> bool:
    """Whether steps say it on their own lines, asked of some: of one attempt no count is kept."""
    asked = np.unique(lines[np.linspace(0, len(lines) - 1, ASKED).astype(np.intp)]).tolist() if len(lines) else []
    texts = ("".join(facts.case.bodies(record.file, number, 1))[:WIDTH] for number in asked)
    said = sum(record.pattern.compiled.search(text) is not None for text in texts)
    return len(asked) >= LEAST_ASKED and said >= MOST_STEPS * len(asked)
