"""Nothing failed in what was read, and the program's own lines go on to the end, in a wording nobody declared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from logtui.diagnosis.evidence import cite_unknown
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.steps import FURTHER, different_steps
from logtui.diagnosis.predicates.fatality import failed_all_the_same
from logtui.diagnosis.predicates.file_ends import figures_last, last_progress, last_work, said_last
from logtui.diagnosis.predicates.health import Sign, stands
from logtui.diagnosis.rules.ranking import AT_WORK
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass
from logtui.parsers.source import OF_PROGRAMS, LogFile

MOST_FILES = 32
"""Files whose ends are read; a larger job has step lines that are declared."""


def _find(facts: Facts) -> Iterator[Claim]:
    files = [f for f in facts.case.files if f.kind in OF_PROGRAMS]
    if not 0 < len(files) <= MOST_FILES or _has_steps(facts) or not stands(facts, Sign.PROGRESS):
        return
    ends = _found(facts, files, last_progress)
    last = _found(facts, files, said_last) if not (ends or failed_all_the_same(facts)) else []
    if len(files) == len(last):
        yield _claim(facts, last, "no failure in the files, which end with words of completion")
    elif ends := ends or _found(facts, files, last_work):
        yield _claim(facts, ends, "no failure in the files; the program is at work in their last lines")
    elif facts.case.share_read >= 1.0 and (ends := _found(facts, files, figures_last)) and len(ends) == len(files):
        yield _claim(facts, ends, "no failure in the files, which end with figures that were worked out")


def _found(
    facts: Facts, files: Sequence[LogFile], line_of: Callable[[Facts, int], int | None]
) -> list[tuple[int, int]]:
    """Each file in which such a line stands, and its number."""
    return [(f.index, line) for f in files if (line := line_of(facts, f.index)) is not None]


def _claim(facts: Facts, ends: Sequence[tuple[int, int]], title: str) -> Claim:
    return Claim(
        title=title,
        cls=FailureClass.HEALTHY,
        first=None,
        order=(float("inf"), 0, 0),
        rung=AT_WORK,
        supporting=tuple(cite_unknown(facts.case, file, line) for file, line in ends[:4]),
        what="the program makes progress",
        missing=("the line that says how the job ended",),
    )


def _has_steps(facts: Facts) -> bool:
    return any(different_steps(s.steps) >= FURTHER for s in facts.steps[:1])


RULE = Rule(
    id="at-work",
    title="The program is at work",
    claim="The last lines of the files are progress, in the program's own words, and nothing speaks of a failure.",
    needs="a sentence that comes again with other numbers, or a bar that fills, near the end of a file; or words of "
    "completion at the end of every file",
    refuted_by="any cause, echo or exception; words of trouble after the last progress",
    find=_find,
    maturity="tried",
)
