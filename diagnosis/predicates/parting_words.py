"""What a program says in plain words where it ends itself: `sys.exit("nothing to resume from")` leaves no traceback."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exits import ProcessExit
from logtui.diagnosis.facts.loud_lines import known_lines
from logtui.diagnosis.facts.openings import MADE_UP_YEAR
from logtui.diagnosis.predicates.last_line import LONGEST, LastLine
from logtui.parsers.pattern import FailureClass, Mark
from logtui.parsers.prefix.stamp import find_stamp
from logtui.parsers.regex import regex
from logtui.parsers.structure.clues import structure_of
from logtui.parsers.tracebacks.traceback import HEADER, Traceback

WINDOW = 24
"""Lines above the launcher's first word of the end that are looked at: every rank may have said the same."""
FURTHER_UP = 2000
"""Lines above those in which the same was said first."""
_REFUSES = regex(
    r"(?i:\b(?:no|not|none|nothing|never|cannot|can't|missing|must|needs?|requires?|expected"
    r"|wanted|only|fail\w*|errors?|invalid|unknown|refus\w+|unable|wrong|mismatch\w*|empty|without|but"
    r"|lacks?|absent|than|too (?:few|many|small|large|old))\b)"
)
"""Words without which hardly anybody says why a program cannot go on."""
_FAILS = regex(r"\W{0,4}(?:(?i:failure|fatal)|FAILED|Failed|ERROR|Error)\b(?! ?(?:rate|[:=] ?0\b)).{6,}")
"""How a line begins that says so, whatever it failed of."""
_OF_PROGRESS = regex(r"^\W*$|\b(?:INFO|DEBUG|WARN(?:ING)?)\b|[Ww]arning:|\d%\||^Traceback|^\+ ")
_DIGITS = regex(r"\d+")
_TASK = regex(r"^\d{1,5}: ")
"""What srun puts before each line of a task."""


@dataclass(frozen=True, slots=True)
class PartingWords:
    """A line with which a process ended itself."""

    line: LastLine
    times: int
    """How often it was said, whatever the numbers in it: by so many ranks."""


def parting_words(facts: Facts, end: ProcessExit) -> PartingWords | None:
    """The plain line with which the processes ended of their own accord, where its words tell the kind of failure."""
    return words_above(facts, end.record.file, _first_word_of_launcher(facts, end))


def words_above(facts: Facts, file: int, last: int) -> PartingWords | None:
    """The same above a line of a file, be it the one behind its last."""
    first = max(facts.begins_at(file), last - WINDOW)
    lines, known = facts.case.bodies(file, first, last - first), known_lines(facts.case, file, first)
    if any(HEADER in text for text in lines):
        return None  # what was raised says more
    bodies = ((first + n, _TASK.sub("", text.strip())[:LONGEST]) for n, text in enumerate(lines))
    plain = [(n, text) for n, text in bodies if n not in known and _plain(text)]
    said = next(_telling(plain), None)
    if said is None:
        return None
    alike = [(n, t) for n, t in plain if _DIGITS.sub("#", t) == _DIGITS.sub("#", said[1])]
    line, text = _first_alike(facts, file, first, alike[0])
    return PartingWords(LastLine(file, line, text, _class_of(text)), len(alike))


def _first_alike(facts: Facts, file: int, first: int, said: tuple[int, str]) -> tuple[int, str]:
    """Where the same words stand first: they may be said of each thing that failed, for longer than a window."""
    begins = max(facts.begins_at(file), first - FURTHER_UP)
    above = enumerate(facts.case.bodies(file, begins, first - begins), begins)
    wanted = _DIGITS.sub("#", said[1])
    bodies = ((n, _TASK.sub("", text.strip())[:LONGEST]) for n, text in above)
    return next(((n, text) for n, text in bodies if _DIGITS.sub("#", text) == wanted), said)


def _first_word_of_launcher(facts: Facts, end: ProcessExit) -> int:
    told = facts.case.records.marked(Mark.WORKER_EXIT, Mark.TASK_EXIT, Mark.STOPS_WORKERS)
    return min([end.record.line, *(r.line for r in told if r.file == end.record.file)])


def _telling(plain: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The last line first."""
    yield from (
        (n, text)
        for n, text in reversed(plain)
        if _REFUSES.search(text) and _class_of(text) is not FailureClass.UNKNOWN
    )


def _plain(text: str) -> bool:
    """Whether no logger wrote it, and it is no part of anything larger."""
    return _OF_PROGRESS.search(text[:LONGEST]) is None and find_stamp(text[:80], 0, MADE_UP_YEAR) is None


def _class_of(text: str) -> FailureClass:
    found = structure_of(Traceback("SystemExit", text, (), 0, 0, 0))
    if found is not None:
        return found.cls
    return FailureClass.SOFTWARE if _FAILS.match(text) else FailureClass.UNKNOWN
