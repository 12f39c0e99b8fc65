"""Exceptions of one type that come again and again while the job makes steps, or that its logger writes one after the
other: somebody catches them.

Workers of a roll-out print what a model's answer made their parser raise, hundreds of times; no step may take less than
a quarter of an hour, so that few of them tell that training went on. An evaluation logs each question that failed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.facts.survived import logged_as_one
from logtui.parsers.regex import regex

OFTEN = 6
"""So many of one type in one file, before and behind a step, are caught; or that were logged, at so many times."""

_LABEL = regex(
    r"(?!(?:ERROR|CRITICAL|FATAL|WARNING|INFO|stderr|stdout|err|Exception)\b)"
    r"(?P<said>[A-Za-z][\w ]{2,40}): Traceback \(most recent"
)
"""No level or stream, under which each of several processes may tell of its own end."""
Numbers = npt.NDArray[np.int64]
Kind = tuple[int, str]
_KNOWN: WeakKeyDictionary[Facts, frozenset[Kind]] = WeakKeyDictionary()


def recurs(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether exceptions of its type, or told in its words, are caught in its file, as far as no process is known to
    have failed."""
    if facts not in _KNOWN:
        _KNOWN[facts] = _caught(facts) | _quoted(facts) if facts.exits.failed is None else frozenset()
    return not _KNOWN[facts].isdisjoint((_kind(fact), _words_of(fact)))


def _caught(facts: Facts) -> frozenset[Kind]:
    kinds: dict[Kind, list[ExceptionFact]] = defaultdict(list)
    for fact in facts.exceptions:
        kinds[_kind(fact)].append(fact)
    steps = {s.file: s.lines for s in facts.steps}
    often = {kind: mine for kind, mine in kinds.items() if len(mine) >= OFTEN}
    return frozenset(
        kind
        for kind, mine in often.items()
        if (kind[0] in steps and _between([e.record.line for e in mine], steps[kind[0]])) or _logged(facts, mine)
    )


def _quoted(facts: Facts) -> frozenset[Kind]:
    """The words before tracebacks with which a program tells again and again what others raised."""
    if len(facts.seen_ranks) > 1:
        return frozenset()
    told = Counter(_words_of(fact) for fact in facts.exceptions)
    return frozenset(words for words, times in told.items() if words[1] and times >= OFTEN)


def _words_of(fact: ExceptionFact) -> Kind:
    """What stands before a traceback in its line, in its file; "" where nothing does."""
    words = _LABEL.match(fact.record.first_line)
    return fact.record.file, f"{words['said']}: " if words else ""


def _logged(facts: Facts, raised: Sequence[ExceptionFact]) -> bool:
    """Whether one process's logger wrote some exceptions, one after the other."""
    if len(facts.seen_ranks) > 1:
        return False
    times = {e.record.time for e in raised if e.record.time is not None}
    if len(times) < OFTEN:
        return False
    some = raised[:: max(1, len(raised) // OFTEN)]
    return all(logged_as_one(facts.case.following(e.record, e.traceback.last_index), e.traceback) for e in some)


def _between(lines: Sequence[int], steps: Numbers) -> bool:
    return bool(((steps > min(lines)) & (steps < max(lines))).any())


def _kind(fact: ExceptionFact) -> Kind:
    return fact.record.file, fact.traceback.root.exception
