"""The record table of a case, from the parts of all its files."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from logtui.parsers.case import FileIndex
from logtui.parsers.fold import Folding
from logtui.parsers.matchers import Matchers
from logtui.parsers.merge import finish, first_byte, join, move_texts, renumber_hosts, runs
from logtui.parsers.record import ROW, Count, RecordTable
from logtui.parsers.registry import Registry
from logtui.parsers.scan import RangeScan
from logtui.parsers.shapes import Shapes
from logtui.parsers.source import LogFile, Unread
from logtui.parsers.years import settle_years


class TableBuilder:
    """Adds one file after the other; rows are written once, into their place in the table."""

    def __init__(self, known: Registry, rows: int) -> None:
        """`rows` is the most there can be."""
        self._patterns = known.patterns
        self._matchers = Matchers(known)
        self._shapes = Shapes()
        self._folding = Folding(known.patterns)
        self._rows = np.empty(rows, ROW)
        self._used = 0
        self._blob = bytearray()
        self._hosts: dict[str, int] = {}
        self._counts: list[Count] = []
        self.indexes: dict[int, FileIndex] = {}
        self.damaged: list[Unread] = []

    def add(self, file: LogFile, parts: Sequence[RangeScan], complete: bool, release: bool = False) -> None:
        """Add all that is known of a file; files come in the order of the case. `release` uses the parts up."""
        counts: dict[tuple[int, int], int] = {}
        index = FileIndex(np.empty(0, np.int64), np.empty(0, np.int64), complete=complete)
        for run in runs(parts):
            joined = join(run, self._folding, self._rows[self._used :], release)
            scan = finish(joined, file, self._matchers, self._shapes)
            self._append(scan, file)
            _enter(scan, index)
            for key, count in scan.counts.items():
                counts[key] = counts.get(key, 0) + count
            if scan.damage:
                self.damaged.append(Unread(file.name, scan.damage))
        self.indexes[file.index] = index
        self._counts += [Count(self._patterns[p].name, file.index, rank, n) for (p, rank), n in counts.items()]

    def _append(self, scan: RangeScan, file: LogFile) -> None:
        """Number what a part's rows, which stand in their place already, refer to."""
        scan.rows["file"] = file.index
        move_texts(scan.rows, len(self._blob))
        renumber_hosts(scan.rows, scan.hosts, self._hosts)
        self._used += len(scan.rows)
        self._blob += scan.blob

    def table(self, anchor: Callable[[], float | None] = lambda: None) -> RecordTable:
        """All rows added so far; `anchor` dates a case whose lines have no year."""
        rows = self._rows[: self._used]
        settle_years(rows, anchor)
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
