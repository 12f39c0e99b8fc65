"""Python exceptions with their true origin: one fact per traceback, classified, with the line that names it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from logtui.diagnosis.events import Event
from logtui.diagnosis.evidence import cite, cite_line
from logtui.diagnosis.findings import Evidence
from logtui.diagnosis.identity import Identity
from logtui.diagnosis.rules.ranking import BARE_DISCOUNT
from logtui.diagnosis.told_ranks import rank_of_traceback
from logtui.parsers.exceptions.declaration import ExceptionKind
from logtui.parsers.exceptions.table import kind_of, kind_of_traceback, words_of_line
from logtui.parsers.origin import RankFrom, split
from logtui.parsers.pattern import Role
from logtui.parsers.record import Record
from logtui.parsers.source import FileKind
from logtui.parsers.stamp import TimeFrom, find_stamp
from logtui.parsers.tracebacks.repeated_head import is_warning
from logtui.parsers.tracebacks.traceback import HEADER, Traceback, assemble

WINDOW = 400
"""Lines after the header that are read; other ranks' lines stand between."""
MOST = 1024
"""Tracebacks that are assembled; each rank's first one comes before anybody's second."""
DATED = frozenset({TimeFrom.ZONED, TimeFrom.DATED, TimeFrom.YEARLESS})
FRAMES_ABOVE = 14
"""Lines above a bare exception in which its last frames may stand."""
FRAME = re.compile(r' *File "(?P<file>[^"]{1,300})", line \d+, in (?P<function>\S+)')
IGNORED_BEFORE = ("Exception ignored in", "--- Logging error ---", "Exception in thread", "Error in sys.excepthook")
"""What stands before a traceback that its program survived."""


@dataclass(slots=True)
class ExceptionFact:
    """One exception of one process."""

    record: Record
    """The `Traceback` header."""
    traceback: Traceback
    row: ExceptionKind
    """What it was taken for. A declared line inside the traceback may decide it: then with that pattern's name."""
    rank: int | None
    rank_from: RankFrom
    host: str | None
    evidence: Evidence
    """The line that names the exception."""
    ignored: bool = False
    """The program printed it and went on."""
    until: float | None = None
    """The first time that stands after it in the file: it happened no later."""

    def covers(self, record: Record) -> bool:
        """Whether a record is one of this traceback's own lines."""
        first = self.record.line
        inside = record.file == self.record.file and first <= record.line <= first + self.traceback.last_index
        return inside and (record.rank, record.host, record.task) == (
            self.record.rank,
            self.record.host,
            self.record.task,
        )

    @property
    def order(self) -> tuple[float, int, int]:
        """By time where it is known, then by place."""
        return (self.record.time or 0.0, self.record.file, self.record.line)

    @property
    def headline(self) -> str:
        """`ValueError: cannot decode sample`, from where the exception began."""
        root = self.traceback.root
        first = root.message.split("\n", 1)[0]
        return f"{root.exception.rsplit('.', 1)[-1]}: {first}" if first else root.exception

    @property
    def where(self) -> str:
        """The deepest frame, `file:line in function`."""
        frames = self.traceback.root.frames or self.traceback.frames
        return f"{frames[-1].file}:{frames[-1].line} in {frames[-1].function}" if frames else ""

    @property
    def key(self) -> tuple[str, str]:
        """Same exception at the same place, whichever rank."""
        return self.traceback.root.exception, self.where


def read_exceptions(identity: Identity, events: Iterable[Event] = ()) -> list[ExceptionFact]:
    """Assemble and classify tracebacks, then exception lines that stand alone; earliest first.

    Where one of a traceback's own lines is a declared cause that says more than its type, that decides its class.
    """
    found: list[ExceptionFact] = []
    done: set[tuple[int, int]] = set()
    for record in _by_rank_first(identity.case.records.of("py.traceback")):
        if len(found) >= MOST:
            break
        if (record.file, record.line) in done:
            continue
        lines = identity.case.following(record, WINDOW)
        traceback = assemble(lines) if lines else None
        if traceback is None:
            continue
        done.update((record.file, record.line + i) for i in traceback.headers)
        found.append(_fact(identity, record, traceback, lines))
    found += _bare(identity, Covered(found))
    index = Covered(found)
    for event in events:
        if event.role is Role.CAUSE and event.cls is not None and (fact := index.fact_of(event.record)) is not None:
            _sharpen(identity, fact, event)
    return sorted(found, key=lambda e: e.order)


class Covered:
    """Which traceback a line belongs to."""

    def __init__(self, facts: Iterable[ExceptionFact]) -> None:
        self._by_file: dict[int, list[ExceptionFact]] = {}
        for fact in sorted(facts, key=lambda f: f.record.line):
            self._by_file.setdefault(fact.record.file, []).append(fact)

    def fact_of(self, record: Record) -> ExceptionFact | None:
        """The traceback that holds a record's line, or None. Looks only at headers within a window above it."""
        near = self._by_file.get(record.file, [])
        first = bisect_left(near, record.line - WINDOW, key=lambda f: f.record.line)
        last = bisect_right(near, record.line, key=lambda f: f.record.line)
        return next((f for f in near[first:last] if f.covers(record)), None)


def _sharpen(identity: Identity, fact: ExceptionFact, event: Event) -> None:
    """Let a declared line inside a traceback say what the exception is; the cited line becomes that one."""
    if fact.row.role is Role.CAUSE and event.weight > fact.row.weight and event.name != "py.exception":
        fact.row = replace(fact.row, name=event.name, cls=event.cls, weight=event.weight, title=event.title)
        if abs(event.record.line - fact.evidence.line) > 2:
            fact.evidence = cite(identity.case, event.record, fact.rank)


def _bare(identity: Identity, covered: Covered) -> Iterator[ExceptionFact]:
    """Exception lines outside any traceback: cut logs, quotations, other languages' output."""
    for count, record in enumerate(identity.case.records.of("py.exception")):
        if count >= MOST:
            return
        if covered.fact_of(record) is not None or LOGGED.search(record.first_line):
            continue
        if identity.case.files[record.file].kind is FileKind.KERNEL:
            continue  # `LustreError: …` is no type of Python's
        name, message = record.fields.get("exc", ""), record.fields.get("msg", "")
        row = kind_of(*words_of_line(name, message, _frames_above(identity, record)))
        rank, source = identity.rank_of(record)
        yield ExceptionFact(
            record,
            Traceback(name, message, (), 0, 0, 0),
            replace(row, weight=max(0, row.weight - BARE_DISCOUNT)),
            rank,
            source,
            identity.host_of(record),
            cite(identity.case, record, rank),
        )


def _frames_above(identity: Identity, record: Record) -> list[str]:
    """What stands in for the frames of an exception without a header: those right above it, `path function`."""
    before = [split(line).body for line in identity.case.preceding(record, FRAMES_ABOVE)]
    return [f"{m['file']} {m['function']}" for line in before if (m := FRAME.match(line))]


def _by_rank_first(records: Iterable[Record]) -> Iterator[Record]:
    """Every writer's first traceback, then the rest."""
    seen: set[tuple[int, int | None]] = set()
    later: list[Record] = []
    for record in records:
        key = (record.file, record.rank)
        if record.rank is not None and key in seen:
            later.append(record)
        else:
            seen.add(key)
            yield record
    yield from later


def _fact(identity: Identity, record: Record, traceback: Traceback, lines: list[str]) -> ExceptionFact:
    first = traceback.first
    at = first.exception_index if first.exception_index is not None else first.last_index
    rank, source = rank_of_traceback(identity, record)
    return ExceptionFact(
        record,
        traceback,
        kind_of_traceback(traceback),
        rank,
        source,
        identity.host_of(record),
        cite_line(identity.case, record, record.line + at, lines[at] if at < len(lines) else "", rank),
        _ignored(identity, record) or is_warning(lines[0].partition(HEADER)[0]),
        _next_time(identity, record, lines[traceback.last_index + 1 :]),
    )


def _next_time(identity: Identity, record: Record, lines: list[str]) -> float | None:
    """The first dated stamp in some lines; those without a year take the one of the record's time. Where a collector
    dates every line, another clock's stamps are no help."""
    if record.time is not None and identity.case.files[record.file].wrapping:
        return None
    mtime = identity.case.files[record.file].mtime
    year = datetime.fromtimestamp(record.time if record.time is not None else mtime, UTC).year
    for line in lines:
        stamp = find_stamp(line, 0, year)
        if stamp is not None and stamp.source in DATED:
            return stamp.epoch
    return None


LOGGED = re.compile(r"\b[WIV]\d{4} \d\d:\d\d:\d\d\.\d+ \d+ torch/\S+\.py:\d+\] ")
"""torch's own log at a level below error: what it logs there it has caught."""


def _ignored(identity: Identity, record: Record) -> bool:
    if LOGGED.search(record.first_line):
        return True
    before = identity.case.preceding(record, 2)
    return any(mark in line for line in before for mark in IGNORED_BEFORE)
