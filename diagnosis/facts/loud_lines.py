"""Lines near the ends of files that look fatal and that no declared format knows: what a verdict must not pass over."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from logtui.diagnosis.facts.alike_lines import Alike
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.facts.prose import is_prose, without_loud_level
from logtui.diagnosis.facts.survived import DROPPED
from logtui.parsers.files.case import Case
from logtui.parsers.pattern import Mark
from logtui.parsers.regex import regex
from logtui.parsers.source import OF_PROGRAMS, LogFile

TAIL = 80
"""Lines at the end of a file that are read."""
MOST_FILES = 64
"""Files whose ends are read: the first and the last ones of a large job."""
LONGEST = 2000
"""Characters of a line that are looked at."""
MOST_OF_FILE = 50
"""Loud lines of one file that are kept: the rest of a storm says the same."""
_CALM = regex(
    r"\b(?:INFO|DEBUG|WARN(?:ING)?|NOTICE|TRACE)\b|Warning\b|^\[?[IWVD]\d{3,4} |\b(?:no|0|zero|without|any) errors?\b"
    r"|\b(?:retry|retrying|ignor(?:ed|ing)|skipp(?:ed|ing)|fallback|falling back)\b",
    re.I,
)
"""A level below error, a count of none, a failure that the line itself says was passed over."""
_IS_LOUD = (
    r"^\W{0,8}(?:FATAL|CRITICAL|PANIC|ERROR|error|fatal|panic|Error|Fatal)\b"
    r"(?! ?[=:] {0,3}[-+]?\d[\d.,]{0,24}(?:[eE][-+]?\d{1,3})?%?\s*$)[\s:\]!-]"
    r"|\b(?:FATAL|CRITICAL)\b|[\[|\s]ERROR[\]|\s:]"
    r"|^(?:[A-Za-z_]\w{0,40}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception|Interrupt)(?::|$)"
    r"|^Traceback \(most recent call last\)"
    r"|\b(?:[Ss]egmentation fault|[Cc]ore dumped|Bus error|Floating point exception|[Ii]llegal instruction)\b"
    r"|^(?:\S{1,80} )?(?:Killed|Aborted|Terminated)(?: |$)"
    r"|^terminate called|\*\*\* Process received signal|\*\*\* SIG[A-Z]{3,6} received"
    r"|\b(?:has|have|was|were|had) (?:been )?(?:killed|aborted|terminated|cancelled)\b"
    r"|\b(?:exited|exit(?:ing)?|terminated|finished|returned) with (?:non-?zero )?(?:exit )?(?:code|status)\W{1,3}[1-9]"
)
_LOUD = regex(_IS_LOUD)
_MAY_BE_LOUD = regex(_IS_LOUD.replace("[1-9]", r"\d"))
"""What is loud if other digits stand there: it tells none from another."""


@dataclass(frozen=True, slots=True)
class LoudLine:
    """One line that looks fatal."""

    file: int
    line: int
    text: str


def loud_lines(case: Case, exceptions: Iterable[ExceptionFact]) -> list[LoudLine]:
    """Undeclared fatal-looking lines of the files' ends, in file order; lines of tracebacks are the tracebacks'."""
    owned, may_be_loud = _owned(exceptions), Alike(lambda text: _MAY_BE_LOUD.search(text) is not None)
    return [loud for file in _files(case) for loud in _of_file(case, file, owned.get(file.index, []), may_be_loud)]


def _owned(exceptions: Iterable[ExceptionFact]) -> dict[int, list[tuple[int, int]]]:
    found: dict[int, list[tuple[int, int]]] = {}
    for fact in exceptions:
        first = fact.record.line
        found.setdefault(fact.record.file, []).append((first, first + max(fact.traceback.last_index, 1)))
    return found


def _files(case: Case) -> list[LogFile]:
    mine = [f for f in case.files if f.kind in OF_PROGRAMS]
    half = MOST_FILES // 2
    return mine if len(mine) <= MOST_FILES else [*mine[:half], *mine[-half:]]


def _of_file(case: Case, file: LogFile, owned: list[tuple[int, int]], may_be_loud: Alike[bool]) -> Iterator[LoudLine]:
    count = case.line_count(file.index)
    first = max(1, count - TAIL + 1)
    known, kept = known_lines(case, file.index, first), 0
    for number, text in enumerate(case.bodies(file.index, first, TAIL), start=first):
        if number in known or any(a <= number <= b for a, b in owned):
            continue
        if not (may_be_loud.of(text[:LONGEST]) and looks_fatal(text)):
            continue
        yield LoudLine(file.index, number, text.strip())
        kept += 1
        if kept >= MOST_OF_FILE:
            return


def known_lines(case: Case, file: int, first: int) -> set[int]:
    """Lines that a declared pattern knows: those are judged by what is declared. One that only tells of a passing
    trouble leaves it open whether the program ended there."""
    rows = case.records.rows[case.records.rows_of_file(file)]
    rows = rows[np.searchsorted(rows["line"], first) :]
    passing = [n for n, p in enumerate(case.records.patterns) if Mark.PASSING in p.marks]
    return set(rows["line"][~np.isin(rows["pattern"], passing)].tolist())


def looks_fatal(text: str) -> bool:
    """Whether a line speaks of an end or an error, and not at a lower level or of one that was passed over."""
    text = text[:LONGEST]
    if not _LOUD.search(text) or _CALM.search(text) or DROPPED.search(text):
        return False
    return bool(_LOUD.search(without_loud_level(text))) and not is_prose(text)
