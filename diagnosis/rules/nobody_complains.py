"""Nothing failed in what was read, and nobody complains: the files just end."""

from __future__ import annotations

from collections import defaultdict
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
    tail,
    uncomplaining,
    untroubled,
)
from logtui.diagnosis.predicates.handled import handled, passed_over
from logtui.diagnosis.predicates.health import Sign, stands
from logtui.diagnosis.predicates.trouble import speaks_of_trouble
from logtui.diagnosis.rules.ranking import NOBODY_COMPLAINS
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass
from logtui.parsers.regex import regex
from logtui.parsers.source import OF_PROGRAMS, Coding, LogFile

_DATED = regex(r"\W{0,2}\d{2,4}[-/.]\d\d[-/.]\d")
"""A record of a logger that dates its lines."""
REACH, MANY, SEVERAL = 1000, 12, 8
"""Lines behind an error that are asked; so many records show that its logger was at work for long, or on."""
ITEMS, BEHIND = 4, 8
"""Things of which the same error was said; lines behind the last error that show that work went on."""
OFTEN, CALMER = 5, 2
"""So many times a program says what it lives with, among so many times as many other lines."""
_DIGITS = regex(r"\d+")
MOST_FILES = 32
"""Files whose ends are read."""


def _find(facts: Facts) -> Iterator[Claim]:
    files = _telling(facts, [f for f in facts.case.files if f.kind in OF_PROGRAMS])
    if not files or not stands(facts, Sign.SILENCE) or failed_all_the_same(facts):
        return
    survived = {f.index: passed_over(facts, f.index) for f in files}
    passed = {file: told | _spoke_on(facts, file) | _of_items(facts, file, told) for file, told in survived.items()}
    if any(loud.line not in passed.get(loud.file, ()) for loud in facts.loud_lines):
        return
    ends = [(f.index, _end(facts, f.index, passed[f.index])) for f in files]
    told = [(file, line) for file, line in ends if line is not None]
    through = any(said_last(facts, f.index) is not None for f in files)  # then a stream may end in the midst of things
    if told and all(
        line is not None or is_brief(facts, file) or (through and untroubled(facts, file, passed[file]))
        for file, line in ends
    ):
        yield Claim(
            title=f"no failure in the files, {_tells(facts)}; how the job ended is not said",
            cls=FailureClass.HEALTHY,
            first=None,
            order=(float("inf"), 0, 0),
            rung=NOBODY_COMPLAINS,
            supporting=tuple(cite_unknown(facts.case, file, line) for file, line in told[:4]),
            what="the program's last words",
            missing=("the line that says how the job ended",),
        )


def _tells(facts: Facts) -> str:
    caught = any(handled(facts, fact) for fact in facts.exceptions)
    return "whose program caught what was raised" if caught else "in which nobody complains"


def _spoke_on(facts: Facts, file: int) -> set[int]:
    """Errors of a logger that told of many other things behind them, and complained no more."""
    told = regex("") if Coding.JSON in facts.case.files[file].codings else _DATED  # their words alone
    mine = [loud.line for loud in facts.loud_lines if loud.file == file and told.match(loud.text)]
    behind = list(facts.case.bodies(file, mine[-1] + 1, REACH)) if mine else []
    spoken = [text for text in behind if told.match(text)]
    calm = len(spoken) >= SEVERAL and not any(map(speaks_of_trouble, behind))
    return {*mine} if calm else set()


def _of_items(facts: Facts, file: int, passed: Container[int]) -> set[int]:
    """Errors that differ in numbers alone, each of one thing of many, where work went on behind the last; and
    complaints that a program made all along, and went on."""
    first, lines = tail(facts, file)
    masks = [_DIGITS.sub("#", text.strip()) for text in lines]
    mine = [loud.line for loud in facts.loud_lines if loud.file == file]
    items = {n for n in mine if len({t for t, m in zip(lines, masks, strict=True) if m == masks[n - first]}) >= ITEMS}
    last = max(items, default=first)
    told = (text for n, text in enumerate(lines, first) if n > last and n not in passed)
    behind = [text for text in told if any(c.isalpha() for c in text)]
    if len(behind) < BEHIND or any(map(speaks_of_trouble, behind)):
        items = set()
    return items | _lived_with(facts, file)


def _lived_with(facts: Facts, file: int) -> set[int]:
    """Complaints that were made again and again over the last lines of a file, in earlier runs too, which end
    calmly."""
    first, lines = tail(facts, file, earlier=True)
    masks = [_DIGITS.sub("#", text.strip()) for text in lines]
    spoken = [text for text in lines if any(c.isalpha() for c in text)]
    if len(spoken) < MANY or speaks_of_trouble(spoken[-1]):
        return set()
    said: dict[str, list[int]] = defaultdict(list)
    for n, (text, mask) in enumerate(zip(lines, masks, strict=True)):
        if speaks_of_trouble(text):
            said[mask].append(n)
    often = [at for at in said.values() if len(at) >= OFTEN and at[0] < len(lines) / 2 <= at[-1]]
    return {first + n for at in often for n in at} if len(spoken) >= CALMER * sum(map(len, said.values())) else set()


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
