"""What the lines that a claim cites are declared to mean, and to call for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.verdict.rule import Claim
from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Role
from logtui.parsers.records.record import Record

LOOKED_AT = 6
"""Cited lines whose declarations are asked, the first ones."""
SPEAK = frozenset({Role.CAUSE, Role.SYMPTOM, Role.STATE})


@dataclass(frozen=True, slots=True)
class Declared:
    """One declaration that a cited line, or the exception that it names, is an instance of."""

    evidence: Evidence
    name: str
    cls: FailureClass | None
    note: str
    advice: tuple[Advice, ...]
    values: Mapping[str, str]
    """What its own fields fill in."""


def declared(facts: Facts, claim: Claim) -> Iterator[tuple[Declared, ...]]:
    """Of each cited line all that it is an instance of, what decides about it first. Each declaration once."""
    cited = dict.fromkeys(e for e in (claim.first, *claim.supporting) if e is not None)
    seen: set[str] = set()
    for evidence in list(cited)[:LOOKED_AT]:
        fresh = {one.name: one for one in reversed(list(_of_line(facts, evidence))) if one.name not in seen}
        seen.update(fresh)
        yield tuple(reversed(fresh.values()))


def _of_line(facts: Facts, evidence: Evidence) -> Iterator[Declared]:
    file = facts.case.file_named(evidence.file)
    if file is None:
        return
    raised = next((e for e in facts.exceptions if e.record.file == file.index and _names(e, evidence)), None)
    values = _of_exception(raised) if raised is not None else {}
    records = _by_weight(_records(facts, file.index, evidence.line, raised))
    own = [r for r in records if raised is not None and r.name == raised.row.name]
    if raised is not None and not own:
        yield Declared(evidence, raised.row.name, raised.row.cls, raised.row.note, raised.row.advice, values)
    for record in (*own, *records):
        pattern = record.pattern
        yield Declared(
            evidence, pattern.name, pattern.cls, pattern.note, pattern.advice, values | pattern.values(record.fields)
        )


def _names(raised: ExceptionFact, evidence: Evidence) -> bool:
    return raised.evidence.line == evidence.line or raised.record.line == evidence.line


def _of_exception(raised: ExceptionFact) -> dict[str, str]:
    """What an exception itself fills in."""
    message = raised.traceback.root.message
    return {"where": _own_frame(raised), "raised": raised.headline, **raised.row.fields(message)}


LIBRARIES = ("/site-packages/", "/dist-packages/", "/lib/python3")


def _own_frame(raised: ExceptionFact) -> str:
    """The deepest frame of the program's own, `file:line in function`; the deepest of all where it has none."""
    frames = raised.traceback.root.frames or raised.traceback.frames
    own = [f for f in frames if not any(part in f.file for part in LIBRARIES)]
    return f"{own[-1].file}:{own[-1].line} in {own[-1].function}" if own else raised.where


def _records(facts: Facts, file: int, line: int, raised: ExceptionFact | None) -> Iterator[Record]:
    """Records of a line; of an exception's, all that stand within it."""
    whole = facts.case.records.rows_of_file(file)
    lines = facts.case.records.rows["line"][whole]
    low, high = (raised.record.line, raised.record.line + WITHIN) if raised else (line, line)
    for row in np.flatnonzero((lines >= low) & (lines <= high)).tolist():
        record = facts.case.records[whole.start + row]
        if record.pattern.role in SPEAK and (record.line == line or (raised is not None and raised.covers(record))):
            yield record


WITHIN = 400
"""Lines of a traceback that are looked at."""


def _by_weight(records: Iterable[Record]) -> list[Record]:
    return sorted(records, key=lambda r: (r.pattern.role is not Role.CAUSE, -r.pattern.weight, r.line))
