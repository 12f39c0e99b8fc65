"""The record table of a case, from the parts of all its files."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from logtui.parsers.case import Case, FileIndex
from logtui.parsers.discover import Discovery
from logtui.parsers.fold import Folding
from logtui.parsers.matchers import Matchers
from logtui.parsers.merge import finished, first_byte, join, runs
from logtui.parsers.record import ROW, Count, RecordTable
from logtui.parsers.registry import Registry
from logtui.parsers.scan import RangeScan
from logtui.parsers.source import LogFile, Unread
from logtui.parsers.years import settle_years


class TableBuilder:
    """Adds one file after the other; rows are written once, into their place in the table."""

    def __init__(self, known: Registry, rows: int) -> None:
        """`rows` is the most there can be."""
        self._patterns = known.patterns
        self._matchers = Matchers(known)
        self._folding = Folding(known.patterns)
        self._rows = np.empty(rows, ROW)
        self._used = 0
        self._blob = bytearray()
        self._hosts: dict[str, int] = {}
        self._counts: list[Count] = []
        self.indexes: dict[int, FileIndex] = {}
        self.damaged: list[Unread] = []

    def add(self, file: LogFile, parts: Sequence[RangeScan]) -> None:
        """Add all that is known of a file; files come in the order of the case."""
        counts: dict[tuple[int, int], int] = {}
        index = FileIndex(np.empty(0, np.int64), np.empty(0, np.int64))
        for run in runs(parts):
            scan = finished(join(run, self._folding), file, self._matchers)
            self._append(scan)
            for key, count in scan.counts.items():
                counts[key] = counts.get(key, 0) + count
            _enter(scan, index)
            if scan.damage:
                self.damaged.append(Unread(file.name, scan.damage))
        self.indexes[file.index] = index
        self._counts += [Count(self._patterns[p].name, file.index, rank, n) for (p, rank), n in counts.items()]

    def _append(self, scan: RangeScan) -> None:
        place = slice(self._used, self._used + len(scan.rows))
        self._rows[place] = scan.rows
        rows = self._rows[place]
        rows["text"][rows["text"] >= 0] += len(self._blob)
        numbers = np.array([*(self._hosts.setdefault(h, len(self._hosts)) for h in scan.hosts), -1], np.int32)
        rows["host"] = numbers[rows["host"]]
        self._used += len(scan.rows)
        self._blob += scan.blob

    def table(self) -> RecordTable:
        """All rows added so far."""
        rows = self._rows[: self._used]
        settle_years(rows)
        return RecordTable(rows, self._blob, list(self._hosts), self._patterns, self._counts)


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


def build_case(
    discovery: Discovery,
    parts: Mapping[int, list[RangeScan]],
    unread: Sequence[Unread],
    known: Registry,
    complete: Collection[int],
    share_read: float,
) -> Case:
    """The case as far as its files have been scanned.

    `parts` holds the parts of each file by its index; when all are complete, they are given up as they are used, so
    that ten million rows are never held twice.
    """
    builder = TableBuilder(known, sum(len(p.rows) for some in parts.values() for p in some))
    for file in discovery.files:
        if some := parts.get(file.index):
            builder.add(file, some)
            builder.indexes[file.index].complete = file.index in complete
    problems = (*discovery.unread, *unread, *builder.damaged)
    return Case(discovery.files, builder.table(), builder.indexes, problems, share_read)
