"""One pass over a daemon log: its parts, their dates, where the counters are, and the messages that matter.

A log is read as blocks of whole lines, whatever it is packed in; many are read on all cores where that pays. Bytes are
looked at in columns; Python touches only lines that hold an anchor. Days stay relative to the part until a header, a
marker or a neighbour file dates it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from logtui.parsers.clean import clean
from logtui.parsers.daemons.grammar import GLOG_HOST, RECORD, Header, read_header, read_marker, read_title
from logtui.parsers.daemons.layout import DAY, DayCounter, Ints, Layout, lay_out
from logtui.parsers.daemons.scanned import FileScan, RawMessage, RawPart, Span, StatsAt, Zone
from logtui.parsers.daemons.unknown import UnknownFolder
from logtui.parsers.errors import LogtuiError
from logtui.parsers.files.archive import open_stream
from logtui.parsers.files.reading import PlainSource, TextStream
from logtui.parsers.pattern import Pattern, Scope
from logtui.parsers.regex import regex
from logtui.parsers.registry import Registry, registry
from logtui.parsers.scan.dispatcher import cores
from logtui.parsers.scan.engine import Engine
from logtui.parsers.scan.memory import keep_pages
from logtui.parsers.scan.proof import make_engine
from logtui.parsers.scan.rows import Folding
from logtui.parsers.source import LogFile

BLOCK = 1 << 19
"""Bytes per read: the columns made from a block stay in the cache, and their memory is used again."""
CARRY_CAP = 8 << 20
"""A line longer than this is taken in pieces."""
_STAMP = rb"(?:[IWE] (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6} |Started up at 20|Rotated at 20)"
_PREFIXED = regex(rb"^(.{1,120}? )" + _STAMP, re.M)
_PLAIN = regex(rb"^" + _STAMP, re.M)
TEXT_CAP = 4096
"""Bytes of a message that are kept."""
COMPACT = 1 << 14
"""Messages added before those are dropped that will not be kept."""
KEEP_FIRST, KEEP_LAST = 256, 128
"""Kept of each pattern in each file; counts stay exact."""
_HEADERS = (b"Started up at 20", b"Rotated at 20", b"Log file created at: 20")
_TITLES = (b"], Version ", b"Running on machine: ")
_MARKERS = (b" =============",)
_LOUD = np.frombuffer(b"EW", np.uint8)
"""Letters of records that say that something is wrong."""
LEAST_BYTES = 256 << 20
"""Less than this is read sooner than other processes would have read it."""

Scanned = tuple[int, FileScan | str]
"""Index of the file in the case, and its scan, or why there is none."""


def whole_line_blocks(file: LogFile, found: FileScan) -> Iterator[tuple[int, bytes]]:
    """Blocks that end at a newline, the last one perhaps not; damage is noted in `found`."""
    stream: TextStream = _PlainStream(file) if file.in_place else open_stream(file)
    try:
        at, carry = 0, b""
        while fresh := stream.read(BLOCK):
            cut = fresh.rfind(b"\n") + 1 or (len(fresh) if len(carry) + len(fresh) >= CARRY_CAP else 0)
            if not cut:
                carry += fresh
                continue
            block = b"".join((carry, memoryview(fresh)[:cut]))
            yield at, block
            at, carry = at + len(block), fresh[cut:]
        if carry:
            yield at, carry
        found.damage = stream.damage
        found.size = at + len(carry)
    finally:
        stream.close()


class _PlainStream:
    """A plain file from its start."""

    damage: str | None = None

    def __init__(self, file: LogFile) -> None:
        self._source = PlainSource(file.path)
        self._at = 0

    def read(self, count: int) -> bytes:
        block = self._source.read_at(self._at, count)
        self._at += len(block)
        return block

    def close(self) -> None:
        self._source.close()


def collector_prefix(block: bytes) -> tuple[int, str]:
    """Length and first text of what a collector (`kubectl logs --timestamps`, `--prefix`) puts before each line."""
    head = block[:16384]
    if _PLAIN.search(head):
        return 0, ""
    prefixes = [m[1] for m in _PREFIXED.finditer(head)]
    lengths = [len(p) for p in prefixes]
    if not lengths:
        return 0, ""
    common = max(set(lengths), key=lengths.count)
    return common, clean(next(p for p in prefixes if len(p) == common))


class FileScanner:
    """Scans daemon logs; one per thread or process."""

    def __init__(self, known: Registry, engine: str = "auto") -> None:
        self._known = known
        structure = [*_HEADERS, *_TITLES, *_MARKERS]
        self._anchors = [*structure, *(a for a in known.anchors if a not in structure)]
        self._users = [known.users[known.anchors.index(a)] if a in known.anchors else () for a in self._anchors]
        self._engine: Engine = make_engine(self._anchors, engine)

    def scan(self, file: LogFile, cancelled: Callable[[], bool] = lambda: False) -> FileScan:
        """Read a file from start to end.

        Raises:
            PathUnreadable: if it cannot be opened.
            ArchiveRefused: if it is an archive's member and cannot be read.
        """
        found = FileScan(file.index)
        walker = _Walker(found, self._known.patterns, self._users)
        for offset, block in whole_line_blocks(file, found):
            if offset == 0:
                found.indent, found.prefix = collector_prefix(block)
            walker.take(offset, block, self._engine.scan(block, len(block)).tolist())
            if cancelled():
                break
        walker.finish()
        return found


class _Walker:
    """Turns successive blocks into parts, spans, stats positions and messages."""

    def __init__(self, found: FileScan, patterns: Sequence[Pattern], users: list[tuple[int, ...]]) -> None:
        self._found = found
        self._patterns = patterns
        self._users = users
        self._folding = Folding(patterns, KEEP_FIRST, KEEP_LAST)
        self._fold_at = COMPACT
        self._unknown = UnknownFolder()
        self._titles = len(_HEADERS)
        self._markers = self._titles + len(_TITLES)
        self._structural = self._markers + len(_MARKERS)

    def take(self, offset: int, block: bytes, hits: list[int]) -> None:
        """Add one block that begins at `offset` and ends at a line's end."""
        layout = lay_out(block, self._found.indent)
        view = _PlacedBlock(block, offset, self._found.lines, layout, self._found.indent)
        days = np.zeros(len(layout.records), np.int64)
        at = 0
        for hit in hits:
            anchor, place = hit & 0xFFFF, (hit >> 16) - 1
            if anchor >= self._structural:
                continue
            if anchor < self._titles and (header := read_header(view.line(place))):
                at = self._walk(view, days, at, int(np.searchsorted(layout.records, place)))
                self._open(header, view, place)
            elif self._titles <= anchor < self._markers:
                self._name(view.line(place))
            elif anchor >= self._markers:
                at = self._mark_hour(view, days, at, place)
        self._walk(view, days, at, len(layout.records))
        self._match(view, days, hits)
        if len(self._found.messages) > self._fold_at:
            self._fold()
            self._fold_at = len(self._found.messages) + COMPACT
        self._found.lines += len(layout.newlines) + (not block.endswith(b"\n"))
        self._found.records += len(layout.records)

    def _part(self) -> RawPart:
        if not self._found.parts:
            self._found.parts.append(RawPart(None, 1, 0, DayCounter(None), None))
        return self._found.parts[-1]

    def _open(self, header: Header, view: _PlacedBlock, place: int) -> None:
        day, clock = divmod(int(header.time), DAY)
        start = view.block.rfind(b"\n", 0, place) + 1
        offset = view.offset + start
        if self._found.parts:
            self._found.parts[-1].end = offset
        self._found.parts.append(RawPart(header, view.line_number(place), offset, DayCounter(clock, offset), day))

    def _name(self, line: str) -> None:
        part = self._part()
        if title := read_title(line):
            part.title = part.title or title
        elif (m := GLOG_HOST.match(line)) and part.header and not part.header.host:
            part.header = Header(part.header.opening, part.header.time, m["host"])

    def _walk(self, view: _PlacedBlock, days: Ints, start: int, stop: int) -> int:
        """Date the records [start, stop) of the block, all of one part; note its span and its stats lines."""
        if stop <= start:
            return start
        layout, part = view.layout, self._part()
        clocks, places = layout.clocks[start:stop], layout.records[start:stop]
        days[start:stop] = part.days.days(clocks, places + view.offset)
        whole = days[start:stop] * DAY + clocks
        index = len(self._found.parts) - 1
        first, after = int(places[0]), layout.end_of(int(places[-1]))
        indent = view.indent_at(first)
        place, length = view.offset + first - indent, after - first + indent
        low, high = float(whole.min()), float(whole.max())
        self._found.spans.append(Span(index, place, length, view.line_number(first), int(days[start]), low, high))
        part.first = float(whole[0]) if part.first is None else part.first
        part.last, part.records = float(whole[-1]), part.records + stop - start
        for record, lines, end, cut in layout.stats(start, stop):
            at = int(layout.records[record])
            clock = float(whole[record - start]) + view.fraction(at)
            line = view.lines_before + lines + 1
            self._found.stats.append(StatsAt(index, line, view.offset + at, end - at, clock, cut))
        return stop

    def _mark_hour(self, view: _PlacedBlock, days: Ints, at: int, place: int) -> int:
        """Walk up to a marker's record, then check the date against it."""
        record = view.layout.record_at(place)
        parsed = view.record(record) if record >= 0 else None
        marker = read_marker(parsed["message"]) if parsed else None
        if marker is None or parsed is None:
            return at
        at = self._walk(view, days, at, record + 1)
        part = self._part()
        clock, day = int(view.layout.clocks[record]), int(days[record])
        part.marker_line = view.line_number(place) if part.base is None else part.marker_line
        part.base = part.days.check(marker, part.base, day, clock, view.offset + int(view.layout.records[record]))
        part.zones.append(Zone(marker.zone, view.line_number(place), float(day * DAY + clock), parsed[0]))
        return at

    def _match(self, view: _PlacedBlock, days: Ints, hits: list[int]) -> None:
        """Give each record with a hit to the first pattern, in the registry's order, that matches it."""
        candidates: dict[int, set[int]] = {}
        for hit in hits:
            if users := self._users[hit & 0xFFFF]:
                record = view.layout.record_at((hit >> 16) - 1)
                if record >= 0:
                    candidates.setdefault(record, set()).update(users)
        read: set[int] = set()
        for record, users_of_record in candidates.items():
            if (parsed := view.record(record)) is None:
                continue
            for user in sorted(users_of_record):
                if self._patterns[user].compiled.search(parsed["message"]):
                    self._confirm(view, days, record, user, parsed)
                    read.add(record)
                    break
        self._fold_unknown(view, days, read)

    def _fold_unknown(self, view: _PlacedBlock, days: Ints, read: set[int]) -> None:
        """Warnings and errors that no pattern has read."""
        letters = np.frombuffer(view.block, np.uint8)[view.layout.records]
        for record in np.flatnonzero(np.isin(letters, _LOUD)).tolist():
            if self._unknown.full:
                return
            if record not in read and (parsed := view.record(record)) is not None:
                place = int(view.layout.records[record])
                clock = float(days[record] * DAY + view.layout.clocks[record])
                part, line = self._part_at(view.offset + place), view.line_number(place)
                self._unknown.add(parsed, part, clock, line, view.offset + place)

    def _confirm(self, view: _PlacedBlock, days: Ints, record: int, user: int, parsed: re.Match[str]) -> None:
        place = int(view.layout.records[record])
        part = self._part_at(view.offset + place)
        clock = float(days[record] * DAY + view.layout.clocks[record]) + int(parsed["us"]) / 1e6
        self._found.counts[user] = self._found.counts.get(user, 0) + 1
        head, line = parsed.string[: parsed.start("message")], view.line_number(place)
        said = RawMessage(part, user, line, view.offset + place, clock, parsed["severity"], head, parsed["message"])
        self._found.messages.append(said)

    def _part_at(self, offset: int) -> int:
        parts = self._found.parts
        index = len(parts) - 1
        while index > 0 and parts[index].offset > offset:
            index -= 1
        return index

    def _fold(self) -> None:
        """Keep the first and the last messages of each pattern; all of them are one writer's."""
        messages = self._found.messages
        patterns = np.array([m.pattern for m in messages], np.int64)
        kept = self._folding.kept(patterns, np.zeros_like(patterns))
        if kept is not None:
            self._found.messages = [m for m, is_kept in zip(messages, kept.tolist(), strict=True) if is_kept]

    def finish(self) -> None:
        """Forget the middle of storms and close the last part."""
        self._fold()
        self._found.unknown = list(self._unknown.found.values())
        if self._found.parts:
            self._found.parts[-1].end = self._found.size


@dataclass(slots=True)
class _PlacedBlock:
    """A block with its place in the file."""

    block: bytes
    offset: int
    lines_before: int
    layout: Layout
    indent: int

    def line_number(self, place: int) -> int:
        return self.lines_before + self.layout.line_of(place) + 1

    def line(self, place: int) -> str:
        """The text of the line around a byte, without the collector's prefix."""
        start = self.block.rfind(b"\n", 0, place) + 1
        end = self.block.find(b"\n", place)
        return clean(self.block[start + self.indent : end if end >= 0 else len(self.block)][:TEXT_CAP])

    def record(self, index: int) -> re.Match[str] | None:
        """A record, parsed."""
        place = int(self.layout.records[index])
        return RECORD.match(clean(self.block[place : min(self.layout.end_of(place), place + TEXT_CAP)]))

    def fraction(self, place: int) -> float:
        """Microseconds of a record, in seconds."""
        digits = self.block[place + 11 : place + 17]
        return int(digits) / 1e6 if digits.isdigit() else 0.0

    def indent_at(self, place: int) -> int:
        """Length of the prefix before a record; none before a glued one."""
        return 0 if place in self.layout.glued else self.indent


@lru_cache(maxsize=2)
def _scanner(engine: str) -> FileScanner:
    keep_pages()  # what is read again for details goes block by block as well
    return FileScanner(registry(Scope.DAEMONS), engine)


def scan_all(
    files: Sequence[LogFile],
    engine: str = "auto",
    cancelled: Callable[[], bool] = lambda: False,
    jobs: int | None = None,
) -> dict[int, FileScan | str]:
    """Scan files; by index, in their order. Files not reached before a cancel are absent. `jobs` None: one per core."""
    jobs = min(jobs or cores(), len(files))
    if jobs > 1 and sum(f.size for f in files) >= LEAST_BYTES:
        found = dict(_in_processes(files, engine, cancelled, jobs))
    else:
        found = dict(_here(files, engine, cancelled))
    return {f.index: found[f.index] for f in files if f.index in found}


def _here(files: Sequence[LogFile], engine: str, cancelled: Callable[[], bool]) -> Iterator[Scanned]:
    for file in files:
        if cancelled():
            return
        yield scan_batch([file], engine)[0]


def _in_processes(files: Sequence[LogFile], engine: str, cancelled: Callable[[], bool], jobs: int) -> Iterator[Scanned]:
    from concurrent.futures import as_completed

    from logtui.parsers.scan.workers import ScanPool

    _scanner(engine)  # made once, inherited by workers that are forked
    pool = ScanPool(jobs, engine)
    try:
        waiting = [pool.executor.submit(scan_batch, batch, engine) for batch in _batches(files)]
        for done in as_completed(waiting):
            yield from done.result()
            if cancelled():
                break
    except BaseException:
        pool.stop()
        raise
    pool.stop() if cancelled() else pool.close()


def _batches(files: Sequence[LogFile]) -> list[list[LogFile]]:
    """Largest first, to end together; members of one archive stay together, since it is read from its start."""
    groups: dict[object, list[LogFile]] = {}
    for file in files:
        groups.setdefault(file.path if file.member else file.index, []).append(file)
    return sorted(groups.values(), key=lambda g: -sum(f.size for f in g))


def scan_batch(files: Sequence[LogFile], engine: str) -> list[Scanned]:
    """Scan some files in this process."""
    out: list[Scanned] = []
    for file in files:
        try:
            out.append((file.index, _scanner(engine).scan(file)))
        except (LogtuiError, OSError) as error:
            out.append((file.index, str(error)))
    return out
