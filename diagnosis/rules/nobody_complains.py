"""Nothing failed in what was read, and nobody complains: the files just end."""

from __future__ import annotations

from collections.abc import Container, Iterator

from logtui.diagnosis.evidence import cite_unknown
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.fatality import failed_all_the_same
from logtui.diagnosis.predicates.file_ends import (
    calm_end,
    concluded,
    is_brief,
    only_tidies,
    only_warns,
    said_last,
    uncomplaining,
)
from logtui.diagnosis.predicates.handled import passed_over
from logtui.diagnosis.predicates.health import Sign, stands
from logtui.diagnosis.rules.ranking import NOBODY_COMPLAINS
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass
from logtui.parsers.source import OF_PROGRAMS, LogFile

MOST_FILES = 32
"""Files whose ends are read."""


def _find(facts: Facts) -> Iterator[Claim]:
    files = _telling(facts, [f for f in facts.case.files if f.kind in OF_PROGRAMS])
    if not files or not stands(facts, Sign.SILENCE) or failed_all_the_same(facts):
        return
    passed = {f.index: passed_over(facts, f.index) for f in files}
    if any(loud.line not in passed.get(loud.file, ()) for loud in facts.loud_lines):
        return
    ends = [(f.index, _end(facts, f.index, passed[f.index])) for f in files]
    told = [(file, line) for file, line in ends if line is not None]
    if told and all(line is not None or is_brief(facts, file) for file, line in ends):
        yield Claim(
            title="no failure in the files, in which nobody complains; how the job ended is not said",
            cls=FailureClass.HEALTHY,
            first=None,
            order=(float("inf"), 0, 0),
            rung=NOBODY_COMPLAINS,
            supporting=tuple(cite_unknown(facts.case, file, line) for file, line in told[:4]),
            what="the program's last words",
            missing=("the line that says how the job ended",),
        )


def _telling(facts: Facts, files: list[LogFile]) -> list[LogFile]:
    """Those of some files that say more than what a runtime or a clean-up says; where nobody says more than Python's
    warnings, all of them."""
    if len(files) > MOST_FILES:
        return []
    told = [f for f in files if not only_tidies(facts, f.index)]
    return told or [f for f in files if only_warns(facts, f.index)]


def _end(facts: Facts, file: int, passed: Container[int]) -> int | None:
    told = calm_end(facts, file, passed) or said_last(facts, file) or concluded(facts, file)
    return told or uncomplaining(facts, file, passed)


RULE = Rule(
    id="nobody-complains",
    title="Nobody complains",
    claim="No line of the files states a failure, in any words, and their last ones are not of the set-up.",
    needs="files that end with other words than those of a set-up",
    refuted_by="any cause, echo, exception or word of trouble",
    find=_find,
    maturity="experimental",
    last_resort=True,
)
