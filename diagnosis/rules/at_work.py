"""Nothing failed in what was read, and the program's own lines go on to the end, in a wording nobody declared."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.at_work import last_progress
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.report import Evidence
from logtui.diagnosis.rule import Claim, Rule
from logtui.diagnosis.rules.ranking import AT_WORK
from logtui.diagnosis.steps import FURTHER
from logtui.parsers.pattern import FailureClass, Mark, Role
from logtui.parsers.source import FileKind

MOST_FILES = 32
"""Files whose ends are read; a larger job has step lines that are declared."""
OF_PROGRAMS = frozenset({FileKind.WORKER, FileKind.UNKNOWN})


def _find(facts: Facts) -> Iterator[Claim]:
    files = [f for f in facts.case.files if f.kind in OF_PROGRAMS]
    if not 0 < len(files) <= MOST_FILES or _has_steps(facts) or anything_failed(facts):
        return
    ends = [(f.index, line) for f in files if (line := last_progress(facts.case, f.index)) is not None]
    if not ends:
        return
    yield Claim(
        title="no failure in the files; the program is at work in their last lines",
        cls=FailureClass.HEALTHY,
        first=None,
        order=(float("inf"), 0, 0),
        rung=AT_WORK,
        supporting=tuple(cited(facts, file, line) for file, line in ends[:4]),
        what="the program makes progress",
        missing=("the line that says how the job ended",),
    )


def _has_steps(facts: Facts) -> bool:
    return any(len(set(s.steps.tolist())) >= FURTHER for s in facts.steps[:1])


def anything_failed(facts: Facts) -> bool:
    """Whether any line states a cause or an echo of a failure, or an exception was raised and not caught."""
    if facts.collectives.stuck_groups or facts.exits.failed or facts.case.share_read < 1.0 or facts.whole:
        return True  # of an attempt of several, the lines before it are another's
    if any(not e.ignored for e in facts.exceptions):
        return True
    may_be = (e for e in facts.events if e.role in (Role.CAUSE, Role.SYMPTOM))
    loud = (e for e in may_be if Mark.ORDERLY not in e.record.pattern.marks)
    return any(not facts.quoted(e.record) for e in loud)


def cited(facts: Facts, file: int, line: int) -> Evidence:
    """A line that no pattern knows as evidence."""
    text = facts.case.lines(file, line, 1)
    return Evidence(facts.case.files[file].name, line, (text[0] if text else "").strip()[:400], None)


RULE = Rule(
    id="at-work",
    title="The program is at work",
    claim="The last lines of the files are progress, in the program's own words, and nothing speaks of a failure.",
    needs="a sentence that comes again with other numbers, or a bar that fills, near the end of a file",
    refuted_by="any cause, echo or exception; words of trouble after the last progress",
    find=_find,
    maturity="tried",
)
