"""What the last line of a file says, where it is an error in plain words: a program prints its exception and ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.loud_lines import OF_PROGRAMS, known_lines, looks_fatal
from logtui.parsers.pattern import FailureClass
from logtui.parsers.structure.clues import structure_of
from logtui.parsers.tracebacks.traceback import Traceback

MOST_FILES, TAIL, LONGEST = 16, 60, 400
ADVICE_LINES = 1
"""Lines behind an error that tell what to do about it."""
_LABEL = re.compile(
    r"^\W{0,3}(?:(?P<type>(?:[A-Za-z_]\w{0,60}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception)|Exception)"
    r"|(?:ERROR|FATAL|[Ee]rror|[Ff]atal(?: error)?))[\]:]{1,3} {0,3}(?P<said>\S.*)"
)
_ASIDE = re.compile(
    r"Warning\b|^\s*warnings\.warn|^\s|resource_tracker|^wandb: |leaked semaphore|^\W*$|^(?:real|user|sys)\s+\d+m"
)
"""What stands behind the last word of a program: warnings with their source, bookkeeping, rules, the time it took."""
_EPILOGUE = re.compile(r"^=+ ?JOB_STATISTICS ?=+|^#+ ?(?:PBS )?[Ee]pilogue|^-+ ?(?:Job|PBS) (?:Epilogue|Summary)\b")
"""How a scheduler's own report begins, at NHR centres and under PBS."""


@dataclass(frozen=True, slots=True)
class LastLine:
    """An error that ends a file."""

    file: int
    line: int
    text: str
    cls: FailureClass | None
    """None where its words say nothing of the kind of failure."""


def errors_at_the_end(facts: Facts) -> Iterator[LastLine]:
    """Of each file of a small job, the error in plain words with which it ends."""
    files = [f for f in facts.case.files if f.kind in OF_PROGRAMS]
    case = (facts.whole or facts).case  # a file may end with an earlier attempt's words
    for file in files if len(files) <= MOST_FILES else ():
        first = max(facts.begins_at(file.index), case.line_count(file.index) - TAIL + 1)
        tail, known = case.bodies(file.index, first, TAIL), known_lines(case, file.index, first)
        for at in _last_spoken(tail):
            if first + at in known:
                break  # what is declared is judged as declared, what stands in a traceback with that
            if (said := _LABEL.match(tail[at][:LONGEST])) and looks_like_one(tail[at]):
                yield LastLine(file.index, first + at, tail[at].strip()[:LONGEST], _class_of(said))
                break


def looks_like_one(text: str) -> bool:
    """Whether a line with an error's label is about an end; a level below error that says so is none."""
    return looks_fatal(text) or text.lstrip("[ ").startswith("Exception")


def _last_spoken(tail: Sequence[str]) -> Iterator[int]:
    """Indices of the last line that a program says, and of the one above it, before a scheduler's report."""
    end = next((n for n, text in enumerate(tail) if _EPILOGUE.match(text)), len(tail))
    spoken = [n for n in range(end) if not _ASIDE.search(tail[n][:LONGEST])]
    yield from spoken[::-1][: 1 + ADVICE_LINES]


def _class_of(said: re.Match[str]) -> FailureClass | None:
    name = said["type"]
    found = structure_of(Traceback(name or "", said["said"], (), 0, 0, 0))
    return found.cls if found is not None else FailureClass.SOFTWARE if name else None
