"""Ends by C++ exceptions that nobody caught: what they say, classified as a Python exception's words are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.events import Event
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.facts.identity import Identity
from logtui.parsers.pattern import Role
from logtui.parsers.prefix.origin import RankFrom
from logtui.parsers.records.record import Record
from logtui.parsers.structure.classification import classify_line
from logtui.parsers.tracebacks.traceback import Traceback

MOST = 256
"""Of them that are read."""
ABORTED = 6
"""The signal."""
_THROWN = re.compile(r"terminate called after throwing an instance of '(?P<type>[^']{1,200})'")


def read_native_ends(identity: Identity, events: Iterable[Event]) -> Iterator[ExceptionFact]:
    """One for each `what()` that no declared line explains; those that echo another process are left out."""
    if not len(identity.case.records.indices("cpp.what")):
        return
    known = {(e.record.file, e.record.line) for e in events if e.role in (Role.CAUSE, Role.SYMPTOM)}
    for count, record in enumerate(identity.case.records.of("cpp.what")):
        if count >= MOST:
            return
        thrown = _THROWN.search("\n".join(identity.case.preceding(record, 1)))
        if thrown is None or (record.file, record.line) in known:
            continue
        message = record.fields.get("msg", "")
        kind = classify_line(thrown["type"], message)
        if kind.role is Role.CAUSE:
            rank, source = _whose(identity, record)
            said = Traceback(thrown["type"].replace("::", "."), message, (), 0, 0, 0)
            evidence = cite(identity.case, record, rank)
            yield ExceptionFact(record, said, kind, rank, source, identity.host_of(record), evidence)


def _whose(identity: Identity, record: Record) -> tuple[int | None, RankFrom]:
    """The rank that threw: as its line says, or as mpirun saw the one process abort that did."""
    rank, source = identity.rank_of(record)
    records = identity.case.records
    if rank is not None or len(records.indices("cpp.what")) > 1:
        return rank, source
    aborted = {r.number("rank") for r in records.of("mpirun.ended") if r.number("signal") in (ABORTED, None)}
    return (aborted.pop(), RankFrom.TEXT) if len(aborted) == 1 else (None, source)
