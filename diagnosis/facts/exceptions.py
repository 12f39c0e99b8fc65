"""Python exceptions with their true origin: one fact per traceback, classified, with the line that names it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from itertools import pairwise

from logtui.diagnosis.evidence import cite, cite_line, cite_unknown
from logtui.diagnosis.facts.collectives import Collectives
from logtui.diagnosis.facts.events import Event
from logtui.diagnosis.facts.exits import is_single_node
from logtui.diagnosis.facts.identity import Identity, node_key
from logtui.diagnosis.facts.java_causes import caused_by
from logtui.diagnosis.facts.relaunches import told_by_hydra
from logtui.diagnosis.facts.steps import Progress
from logtui.diagnosis.facts.survived import (
    CALL_WITHIN,
    DROPPED,
    ERROR_LINES,
    LOGGED,
    OF_JAVA,
    PASSED_OVER,
    caught_by_library,
    counted_past,
    feeds,
    logged_in_java,
    of_closed_pipe,
    of_logging,
    tried_on,
    was_expected,
    was_logging,
)
from logtui.diagnosis.facts.task_ranks import world_size
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.rules.ranking import BARE_DISCOUNT
from logtui.parsers.exceptions.declaration import ExceptionKind
from logtui.parsers.pattern import FailureClass, Mark, Role
from logtui.parsers.prefix.origin import RankFrom, split
from logtui.parsers.prefix.stamp import LOOKED_AT, TimeFrom, find_stamp
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex
from logtui.parsers.source import FileKind
from logtui.parsers.structure.classification import classify, classify_line, failed_in_handler
from logtui.parsers.structure.clues import asked_other_server
from logtui.parsers.tracebacks.traceback import HEADER, LINKS, Traceback, assemble, is_warning

# -- Ranks that a text names for the traceback it quotes, whoever prints it

_OF_RANK = regex(re.escape(HEADER) + r": \(RANK (\d{1,6})\)")
"""A distributed checkpoint's exception quotes what each rank raised: torch.distributed.checkpoint.api."""
_IN_BLOCK = regex(r"traceback {0,40}: " + re.escape(HEADER))
"""A worker's entry in torchrun's failure report, with `@record`."""
_ENTRY_RANK = regex(r"\s*rank *: (\d{1,6}) \(local_rank: \d+\)")
ENTRY_LINES = 6
"""Lines of an entry from its number to its traceback."""


def rank_of_traceback(identity: Identity, record: Record) -> tuple[int | None, RankFrom]:
    """Whose exception a `Traceback` header begins: the rank its text names, else the one that wrote it."""
    if found := _OF_RANK.search(record.first_line):
        return int(found[1]), RankFrom.TEXT
    if (rank := _entry_rank(identity, record)) is not None:
        return rank, RankFrom.TEXT
    return identity.rank_of(record)


_OF_CHILD = regex(r"-- Process (\d{1,4}) terminated with the following error:")
"""What torch.multiprocessing.spawn quotes a child's traceback under."""


def _child_quoted(identity: Identity, record: Record) -> tuple[int | None, RankFrom]:
    """The rank of a child whose traceback is quoted: of one node's children the place."""
    place = next((int(m[1]) for line in identity.case.preceding(record, 2) if (m := _OF_CHILD.search(line))), None)
    return (place, RankFrom.TEXT) if place is not None and is_single_node(identity) else (None, RankFrom.NONE)


_OF_COMMAND = regex(r"--local[_-]rank[=', ]{1,4}(\d{1,3})\b")


def _commanded(identity: Identity, said: Traceback) -> tuple[int | None, RankFrom]:
    """The rank of a child whose command torch.distributed.launch quotes as what failed: of one node's children."""
    told = _OF_COMMAND.search(said.message) if said.exception.endswith("CalledProcessError") else None
    return (int(told[1]), RankFrom.TEXT) if told and is_single_node(identity) else (None, RankFrom.NONE)


def quotes_rank(record: Record) -> bool:
    """Whether a `Traceback` header begins what another exception quotes of a rank."""
    return bool(_OF_RANK.search(record.first_line))


def _entry_rank(identity: Identity, record: Record) -> int | None:
    if "traceback" not in record.first_line or not _IN_BLOCK.search(record.first_line):
        return None
    above = reversed(identity.case.preceding(record, ENTRY_LINES))
    return next((int(m[1]) for line in above if (m := _ENTRY_RANK.match(split(line).body))), None)


# -- Tracebacks, and exception lines that stand alone

WINDOW = 400
"""Lines after the header that are read; other ranks' lines stand between."""
MOST = 1024
"""Tracebacks that are assembled; each rank's first one comes before anybody's second."""
DATED = frozenset({TimeFrom.ZONED, TimeFrom.DATED, TimeFrom.YEARLESS})
FRAMES_ABOVE = 14
"""Lines above a bare exception in which its last frames may stand."""
FRAME = regex(r' *File "(?P<file>[^"]{1,300})", line \d+, in (?P<function>\S+)')
IGNORED_BEFORE = (
    "Exception ignored in", "--- Logging error ---", "Error in sys.excepthook", "Exception in callback ",
    "Task exception was never retrieved", "Future exception was never retrieved", "ask was destroyed but it is pending",
    "Jax plugin configuration error",  # it computes on what is left
    ".pth:",  # a line of a site's own that Python could not run as it started: the rest of that file is passed over
)  # fmt: skip
"""What stands before a traceback that its program survived."""
IN_THREAD = "Exception in thread"
"""What stands before one that ended a thread: the program may wait for it for ever, or not miss it."""


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
    in_thread: bool = False
    """It ended a thread of the program, not the process."""
    by_hydra: bool = False
    """Hydra printed it, which shows the program's own frames alone, and ended."""
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
        return self.record.order

    @property
    def headline(self) -> str:
        """`ValueError: cannot decode sample`, from where the exception began."""
        root = self.traceback.root
        first = root.message.split("\n", 1)[0]
        if Mark.UNCAUGHT in self.record.pattern.marks:
            return first  # of another language: its type is not told
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
    _set_threads_back(found)
    for event in events:
        if event.role is Role.CAUSE and event.cls is not None and (fact := index.fact_of(event.record)) is not None:
            _sharpen(identity, fact, event)
    return sorted(found, key=lambda e: e.order)


def _set_threads_back(found: Iterable[ExceptionFact]) -> None:
    """Let what ended a thread count as survived where the same file has a later failure, and as less sure elsewhere."""
    last = {f.record.file: f.record.line for f in sorted(found, key=lambda f: f.record.line) if _ends_process(f)}
    for fact in found:
        if fact.in_thread:
            fact.ignored = fact.ignored or fact.record.line < last.get(fact.record.file, 0)
            fact.row = replace(fact.row, weight=max(0, fact.row.weight - BARE_DISCOUNT))


_STATE = regex(r"\| {0,8}(\d{1,9})/\d{1,9} \[\d")
WIDE, MOVES = 20_000, 3
"""Characters of a line whose bars are looked at; so many times one goes on that moves."""
CUT = "exception.cut"
"""A traceback without its exception: as likely the thread's own."""


def _ends_process(fact: ExceptionFact) -> bool:
    """Whether a process failed of it: one that was told to end had perhaps waited for the thread."""
    told = fact.row.cls is FailureClass.INFRASTRUCTURE or fact.row.name == CUT
    return fact.row.role is Role.CAUSE and not (fact.ignored or fact.in_thread or told)


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
    told, other_server = fact.traceback, event.cls is FailureClass.STORAGE_IO and asked_other_server(fact.traceback)
    at = event.record.line - fact.record.line
    translated = any(one.exception_index == at and told.foresees(one) for one in told.chain)
    translated |= at == told.exception_index and failed_in_handler(told, told.root)
    if event.name == "py.exception" or other_server or translated:
        return
    if fact.row.role is Role.CAUSE and event.weight > fact.row.weight:
        said = event.record.pattern
        fact.row = replace(
            fact.row, name=event.name, cls=event.cls, weight=event.weight, title=event.title,
            note=said.note, advice=said.advice,
        )  # fmt: skip
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
        row = classify_line(name, message, _frames_above(identity, record))
        if row.vague and _is_chained(identity, record):
            continue  # what was raised from it says more
        root = caused_by(identity.case, record) if row.vague and "." in name else None
        if root is not None:
            _, name, message = root
            row = classify_line(name, message)
        rank, source = identity.rank_of(record)
        lines = identity.case.following(record, ERROR_LINES)
        yield ExceptionFact(
            record,
            Traceback(name, message, (), 0, 0, 0),
            replace(row, weight=max(0, row.weight - BARE_DISCOUNT)),
            rank,
            source,
            identity.host_of(record),
            cite(identity.case, record, rank) if root is None else cite_unknown(identity.case, record.file, root[0]),
            _was_harmless(lines[:CALL_WITHIN])
            or _ignored(identity, record)
            or counted_past(identity.case.preceding(record, 1), lines),
        )


CLOSES = "Failed to execute operation Close"
"""NCCL's proxy, where another process of the job was gone before it: there is no work in a connection that closes."""


def _was_harmless(behind: Sequence[str]) -> bool:
    """Whether what stands behind an exception says that only a log line, or an end that came anyway, was lost of it."""
    return was_logging(behind) or any(CLOSES in line for line in behind)


def _is_chained(identity: Identity, record: Record) -> bool:
    """Whether a traceback goes on from it: what an extension raises has no frames, and no header of its own."""
    return any(link in line for line in identity.case.following(record, 3)[1:] for link in LINKS)


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
    found = classify(traceback)
    in_thread = _stands_below(identity, record, (IN_THREAD,)) and not feeds(traceback)
    behind = lines[traceback.last_index + 1 :]
    first = traceback.first if found.said is traceback.root and _tells_of_quoted(traceback.first) else found.said
    at = first.exception_index if first.exception_index is not None else first.last_index
    rank, source = rank_of_traceback(identity, record)
    if rank is None:
        rank, source = _child_quoted(identity, record)
    if rank is None:
        rank, source = _commanded(identity, traceback.root)
    return ExceptionFact(
        record,
        traceback,
        found.kind,
        rank,
        source,
        identity.host_of(record),
        cite_line(identity.case, record, record.line + at, lines[at] if at < len(lines) else "", rank),
        _ignored(identity, record)
        or of_logging(traceback, lines)
        or is_warning(lines[0].partition(HEADER)[0])
        or caught_by_library(traceback, behind)
        or was_expected(before := identity.case.preceding(record, 2), behind)
        or tried_on(before, behind)
        or of_closed_pipe(traceback)
        or (in_thread and _bar_moves(behind)),
        in_thread,
        told_by_hydra(lines, traceback),
        _next_time(identity, record, behind),
    )


def _bar_moves(lines: Iterable[str]) -> bool:
    """Whether a bar fills on in some lines: what ended was a thread that the program does not miss."""
    states = [int(m[1]) for line in lines for m in _STATE.finditer(line[:WIDE])]
    return sum(after > before for before, after in pairwise(states)) >= MOVES


def _tells_of_quoted(first: Traceback) -> bool:
    """Whether an exception names what it quotes, as PyTorch's workers and replicas do; Ray's line names a task."""
    return first.original is None or first.message.startswith("Caught ")


def _next_time(identity: Identity, record: Record, lines: list[str]) -> float | None:
    """The first dated stamp in some lines; those without a year take the one of the record's time. Where a collector
    dates every line, another clock's stamps are no help."""
    if record.time is not None and identity.case.files[record.file].wrapping:
        return None
    mtime = identity.case.files[record.file].mtime
    year = datetime.fromtimestamp(record.time if record.time is not None else mtime, UTC).year
    for line in lines:
        if (time := _date_of(line[:LOOKED_AT], year)) is not None:
            return time
    return None


@lru_cache(maxsize=1 << 11)
def _date_of(line: str, year: int) -> float | None:
    """The date of a line, which the tracebacks of all ranks above it ask for."""
    stamp = find_stamp(line, 0, year)
    return stamp.epoch if stamp is not None and stamp.source in DATED else None


def _ignored(identity: Identity, record: Record) -> bool:
    if LOGGED.search(record.first_line) or DROPPED.search(record.first_line):
        return True
    if _stands_below(identity, record, IGNORED_BEFORE):
        return True
    above = "".join(identity.case.preceding(record, 1))
    java = OF_JAVA.match(record.first_line) is not None
    return PASSED_OVER.search(above) is not None or (
        java and logged_in_java(above, identity.case.following(record, WINDOW))
    )


def _stands_below(identity: Identity, record: Record, marks: Sequence[str]) -> bool:
    before = identity.case.preceding(record, 2)
    return any(mark in line for line in before for mark in marks)


# -- Whose an exception without a prefix is: of one rank, if all others of its node timed out

SURVIVED = ("ImportError", "ModuleNotFoundError")
"""What programs catch and print on every rank."""


def attribute(
    exceptions: Iterable[ExceptionFact], identity: Identity, collectives: Collectives, progress: Progress
) -> None:
    """Set the rank of exceptions that only one rank of the node can have raised.

    That is: raised once, before the node's first timeout, after training, where every other rank waited.
    """
    waited = collectives.timed_out
    if not waited:
        return
    lone = [e for e in exceptions if e.rank is None and not e.ignored and e.row.role is Role.CAUSE]
    often = Counter((e.record.file, e.key) for e in lone)
    for fact in lone:
        if often[fact.record.file, fact.key] > 1 or fact.traceback.root.exception.endswith(SURVIVED):
            continue
        if progress.went_on_after(fact.record, fact.until) or after_timeout(fact, collectives):
            continue
        node = _node_ranks(identity, fact)
        left = node - waited
        if len(left) == 1 and len(node) > 1:
            fact.rank = next(iter(left))


def _node_ranks(identity: Identity, fact: ExceptionFact) -> set[int]:
    key = node_key(identity.case.files[fact.record.file], fact.record)
    known = {rank for (node, _), rank in identity.by_local.items() if node == key}
    return known or (set(range(world_size(identity.case) or 0)) if is_single_node(identity) else set())


def after_timeout(fact: ExceptionFact, collectives: Collectives) -> bool:
    """Whether a rank's timeout stands above the exception in its file."""
    records = (t.record for g in collectives.groups.values() for t in g.timeouts.values())
    return any(r.file == fact.record.file and r.line < fact.record.line for r in records)
