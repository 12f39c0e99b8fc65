"""What was said just before steps became slow, and was not usual till then."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from logtui.diagnosis.evidence import cite, cite_line
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.findings import Evidence
from logtui.diagnosis.last_words import is_aftermath
from logtui.parsers.pattern import Role
from logtui.parsers.record import Record
from logtui.parsers.stamp import TimeFrom
from logtui.parsers.template import template

USUAL_LINES, LINES = 400, 200
"""Lines before the last fast step that say what is usual, and at most so many that come after it."""
LEAD_S = 60.0
LISTED = 3
_TELLING = frozenset({Role.CAUSE, Role.SYMPTOM, Role.STATE})


def nearby(facts: Facts, fast: Record, slow: Record) -> tuple[Evidence, ...]:
    """Lines between the last fast step and the first slow one, and events of other files at that time."""
    found = [*_odd_lines(facts, fast, slow), *_events(facts, fast, slow)]
    return tuple({e.place: e for e in found}.values())


def _odd_lines(facts: Facts, fast: Record, slow: Record) -> list[Evidence]:
    file, case = fast.file, facts.case
    first = max(1, fast.line - USUAL_LINES)
    before = case.bodies(file, first, fast.line - first + 1)
    between = case.bodies(file, fast.line + 1, min(slow.line - fast.line - 1, LINES))
    usual = {template(text.encode()) for text in [*before, *case.bodies(file, slow.line, 1)]}
    out: list[Evidence] = []
    for n, text in enumerate(between):
        kind = template(text.encode())
        if kind and kind not in usual and not is_aftermath(text):
            usual.add(kind)
            out.append(cite_line(case, slow, fast.line + 1 + n, text, None))
    return out[:LISTED]


def _events(facts: Facts, fast: Record, slow: Record) -> list[Evidence]:
    """Kinds of records that first come up around then, anywhere."""
    if slow.time is None or fast.time is None or slow.time_from is TimeFrom.NEIGHBOUR:
        return []
    begin, end = fast.time - LEAD_S, slow.time
    return [cite(facts.case, r) for r in _first_of_each_kind(facts) if r.time is not None and begin <= r.time <= end][
        :LISTED
    ]


def _first_of_each_kind(facts: Facts) -> Iterator[Record]:
    records = facts.case.records
    for pattern in records.patterns:
        rows = records.indices(pattern.name) if pattern.role in _TELLING else np.empty(0, np.intp)
        dated = rows[np.isfinite(records.rows["time"][rows])]
        if len(dated):
            yield records[int(dated[np.argmin(records.rows["time"][dated])])]
