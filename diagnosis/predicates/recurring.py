"""Exceptions of one type that come again and again while the job makes steps: somebody catches them.

Workers of a roll-out print what a model's answer made their parser raise, hundreds of times; no step may take less than
a quarter of an hour, so that few of them tell that training went on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exceptions import ExceptionFact

OFTEN = 6
"""So many of one type in one file, before and behind a step, are caught."""

Numbers = npt.NDArray[np.int64]
Kind = tuple[int, str]
_KNOWN: WeakKeyDictionary[Facts, frozenset[Kind]] = WeakKeyDictionary()


def recurs(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether exceptions of its type are caught in its file, as far as no process is known to have failed."""
    if facts not in _KNOWN:
        _KNOWN[facts] = _caught(facts) if facts.exits.failed is None else frozenset()
    return _kind(fact) in _KNOWN[facts]


def _caught(facts: Facts) -> frozenset[Kind]:
    lines: dict[Kind, list[int]] = defaultdict(list)
    for fact in facts.exceptions:
        lines[_kind(fact)].append(fact.record.line)
    steps = {s.file: s.lines for s in facts.steps}
    return frozenset(k for k, at in lines.items() if len(at) >= OFTEN and k[0] in steps and _between(at, steps[k[0]]))


def _between(lines: Sequence[int], steps: Numbers) -> bool:
    return bool(((steps > min(lines)) & (steps < max(lines))).any())


def _kind(fact: ExceptionFact) -> Kind:
    return fact.record.file, fact.traceback.root.exception
