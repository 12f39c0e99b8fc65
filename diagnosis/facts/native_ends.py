"""Ends by errors of other languages that nobody caught: what they say, classified as a Python exception's words are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from logtui.diagnosis.evidence import cite, cite_unknown
from logtui.diagnosis.facts.events import Event
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.facts.identity import Identity
from logtui.diagnosis.facts.java_causes import caused_by
from logtui.parsers.files.case import Case
from logtui.parsers.numbers import whole
from logtui.parsers.pattern import Mark, Role
from logtui.parsers.prefix.origin import RankFrom
from logtui.parsers.records.record import Record
from logtui.parsers.structure.classification import classify_line
from logtui.parsers.tracebacks.traceback import Traceback

MOST = 256
"""Of them that are read."""
BELOW = 8
"""Lines of which one says what a heading announces."""
_OF_PROCESS = re.compile(r"^\[\d{1,6}\] ?")
LONGEST = 600
"""Characters of a message."""
NEXT, FAR = 4, 15
"""Lines behind R's error among which its prompt stands again; those behind a thread's panic that others still say."""
_WRAPS = re.compile(
    r"\b(?:InvocationTarget|Execution|UndeclaredThrowable|ExceptionInInitializer|Completion|PrivilegedAction)(?:Exception|Error)\b"
)
_PROMPT = "> "
_WORKER_GONE = re.compile(r"Error in (?:un)?serialize\((?:data, )?node\$con")
"""R's master, which lost a worker or was stopped with it."""
NAMELESS = "RuntimeError"
"""As what errors are classified whose type is not told."""
ABORTED = 6
"""The signal."""
_THROWN = re.compile(r"terminate called after throwing an instance of '(?P<type>[^']{1,200})'")


def read_native_ends(identity: Identity, events: Iterable[Event]) -> Iterator[ExceptionFact]:
    """One for each last word that no declared line explains; those that echo another process are left out."""
    case = identity.case
    words = [*islice(case.records.of("cpp.what"), MOST), *islice(case.records.marked(Mark.UNCAUGHT), MOST)]
    known = {(e.record.file, e.record.line) for e in events if e.role in (Role.CAUSE, Role.SYMPTOM)} if words else set()
    for record in words:
        said = None if (record.file, record.line) in known else _said(case, record)
        kind = None if said is None else classify_line(said.exception, said.message)
        root = caused_by(case, record) if kind is not None and (kind.vague or _wraps(record)) else None
        if root is not None:
            said = _end(NAMELESS, f"{root[1]}: {root[2]}".removesuffix(": "))
            kind = classify_line(said.exception, said.message)
        if said is None or kind is None or kind.role is not Role.CAUSE:
            continue
        rank, source = _whose(identity, record)
        evidence = cite(case, record, rank) if root is None else cite_unknown(case, record.file, root[0])
        yield ExceptionFact(record, said, kind, rank, source, identity.host_of(record), evidence)


def _said(case: Case, record: Record) -> Traceback | None:
    """Type and message of what nobody caught; None where C++ does not say that it was thrown."""
    if _goes_on(case, record):
        return None
    message = record.fields.get("msg") or record.fields.get("said")
    if record.name == "cpp.what":
        thrown = _THROWN.search("\n".join(case.preceding(record, 1)))
        return None if thrown is None else _end(thrown["type"].replace("::", "."), message or "")
    if message is None:
        message = _below(case, record)
    return _end(NAMELESS, message or record.first_line.strip())


def _wraps(record: Record) -> bool:
    """Whether it says nothing of its own, but of the one that it was made of."""
    return _WRAPS.search(record.fields.get("msg") or "") is not None


def _goes_on(case: Case, record: Record) -> bool:
    """Whether the same program shows that it goes on: R at its prompt, or Rust, of which one thread panicked."""
    if record.name == "r.error":
        if _WORKER_GONE.search(record.first_line):
            return True
        return any(text.startswith(_PROMPT) for text in case.following(record, NEXT)[1:])
    alone = record.name == "rust.panic" and record.fields.get("thread") != "main"
    return alone and len(case.following(record, FAR)) > FAR


def _below(case: Case, record: Record) -> str:
    """What stands below a heading; where several processes write at once, below those of the others."""
    heading = record.pattern.compiled
    lines = (_OF_PROCESS.sub("", text).strip() for text in case.following(record, BELOW)[1:])
    return next((text for text in lines if text and not heading.search(text)), "")


def _end(name: str, message: str) -> Traceback:
    return Traceback(name, message[:LONGEST], (), 0, 0, 0)


def _whose(identity: Identity, record: Record) -> tuple[int | None, RankFrom]:
    """The rank that threw: as its line says, or as its launcher saw one process alone end."""
    if Mark.NAMES_RANK in record.pattern.marks and (named := record.number("rank")) is not None:
        return named, RankFrom.TEXT
    rank, source = identity.rank_of(record)
    records = identity.case.records
    if rank is not None or len(records.rows_marked(Mark.UNCAUGHT)) + len(records.indices("cpp.what")) > 1:
        return rank, source
    ended = {r.number("rank") for r in records.of("mpirun.ended") if r.number("signal") in (ABORTED, None)}
    ended |= {_of_task(identity, r.fields["tasks"]) for r in records.marked(Mark.TASK_EXIT)}
    one = ended.pop() if len(ended) == 1 else None
    return (None, source) if one is None else (one, RankFrom.TEXT)


def _of_task(identity: Identity, tasks: str) -> int | None:
    """The rank of a task; None where several are named."""
    task = whole(tasks)
    return None if task is None else identity.by_task.get(task)
