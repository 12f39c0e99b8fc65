"""The record table of a case, from the parts of all its files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from logtui.parsers.case import FileIndex
from logtui.parsers.fold import Folding
from logtui.parsers.matchers import Matchers
from logtui.parsers.merge import (
    apart,
    finish,
    first_byte,
    join,
    last_time,
    lines_before,
    move_texts,
    renumber_hosts,
    runs,
)
from logtui.parsers.narrow import MANY, AnyRows, NarrowRows, joined, narrowed, wide
from logtui.parsers.record import ROW, Count, RecordTable, Rows
from logtui.parsers.registry import Registry
from logtui.parsers.scan import RangeScan
from logtui.parsers.shapes import Shapes
from logtui.parsers.source import LogFile, Unread
from logtui.parsers.years import settle_years

NARROW_FROM = 1 << 21
"""Rows of a case from which on they are held narrowly."""


class TableBuilder:
    """Adds one file after the other; rows are written once, into their place in the table."""

    def __init__(self, known: Registry, rows: int) -> None:
        """`rows` is the most there can be."""
        self._patterns = known.patterns
        self._matchers = Matchers(known)
        self._shapes = Shapes()
        self._folding = Folding(known.patterns)
        self._place: _Place | _NarrowPlace = _Place(rows) if rows < NARROW_FROM else _NarrowPlace()
        self._blob = bytearray()
        self._hosts: dict[str, int] = {}
        self._counts: list[Count] = []
        self.indexes: dict[int, FileIndex] = {}
        self.damaged: list[Unread] = []

    def add(self, file: LogFile, parts: Sequence[RangeScan], complete: bool, release: bool = False) -> None:
        """Add all that is known of a file; files come in the order of the case. `release` uses the parts up."""
        counts: Counter[tuple[int, int]] = Counter()
        index = FileIndex(np.empty(0, np.int64), np.empty(0, np.int64), complete=complete)
        for run in runs(parts):
            if isinstance(self._place, _NarrowPlace) and sum(len(p.rows) for p in run) > MANY:
                scan = self._add_apart(run, file, release)
            else:
                scan = join(run, self._folding, self._place.room, release)
                scan = finish(scan, file, self._matchers, self._shapes, lines_before(scan))
                self._append(scan, file)
            _enter(scan, index)
            counts.update(scan.counts)
            if scan.damage:
                self.damaged.append(Unread(file.name, scan.damage))
        self.indexes[file.index] = index
        self._counts += [Count(self._patterns[p].name, file.index, rank, n) for (p, rank), n in counts.items()]

    def _add_apart(self, run: Sequence[RangeScan], file: LogFile, release: bool) -> RangeScan:
        """Add the rows of a run part by part; the run without them."""
        whole = join([replace(part, rows=part.rows[:0], blob=b"") for part in run], self._folding)
        lines, time = lines_before(whole), None
        for part in apart(run, self._folding, release):
            scan = finish(part, file, self._matchers, self._shapes, lines, time)
            lines += part.lines
            time = last_time(wide(scan.rows), time)
            self._append(scan, file)
        return whole

    def _append(self, scan: RangeScan, file: LogFile) -> None:
        """Number what a part's rows refer to."""
        rows = wide(scan.rows)
        rows["file"] = file.index
        move_texts(rows, len(self._blob))
        renumber_hosts(rows, scan.hosts, self._hosts)
        self._place.add(rows)
        self._blob += scan.blob

    def table(self, anchor: Callable[[], float | None] = lambda: None) -> RecordTable:
        """All rows added so far; `anchor` dates a case whose lines have no year."""
        rows = self._place.all()
        settle_years(rows, anchor)
        return RecordTable(rows, self._blob, list(self._hosts), self._patterns, self._counts)


class _Place:
    """One array, in which rows are made where they stay."""

    def __init__(self, rows: int) -> None:
        self._rows = np.empty(rows, ROW)
        self._used = 0

    @property
    def room(self) -> Rows | None:
        """Where the next rows are to be made."""
        return self._rows[self._used :]

    def add(self, rows: Rows) -> None:
        """Keep rows that stand at the beginning of the room."""
        self._used += len(rows)

    def all(self) -> AnyRows:
        """All rows; the last call."""
        return self._rows[: self._used]


class _NarrowPlace:
    """Rows made anywhere, and narrowed a good many at a time."""

    room: Rows | None = None

    def __init__(self) -> None:
        self._narrow: list[NarrowRows] = []
        self._wide: list[Rows] = []

    def add(self, rows: Rows) -> None:
        """Keep rows."""
        self._wide.append(rows)
        if sum(map(len, self._wide)) > MANY:
            self._narrow.append(narrowed(np.concatenate(self._wide)))
            self._wide = []

    def all(self) -> AnyRows:
        """All rows; the last call."""
        self._narrow.append(narrowed(np.concatenate([np.empty(0, ROW), *self._wide])))
        return joined(self._narrow, ROW)


def _enter(scan: RangeScan, index: FileIndex) -> None:
    """Note what a run of parts says about its file's layout."""
    if scan.start == 0:
        index.offsets, index.before = scan.block_offsets, scan.block_lines
        index.end, index.newlines = scan.end, scan.lines
    else:
        index.loose = (*index.loose, first_byte(scan))
    index.lines += scan.lines + scan.unfinished
    index.matched += scan.matched_lines
    index.nul_bytes = index.nul_bytes or scan.nul_bytes
