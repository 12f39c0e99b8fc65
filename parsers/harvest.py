"""What the ranges of a case have given so far, and how much is still to come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from logtui.parsers.case import Case
from logtui.parsers.flight_recorder.dating import dumped_at
from logtui.parsers.fold import Folding
from logtui.parsers.index_store import Known
from logtui.parsers.merge import fold_early, join, join_narrowly, runs
from logtui.parsers.narrow import MANY
from logtui.parsers.plan import Task
from logtui.parsers.record import ROW
from logtui.parsers.registry import Registry
from logtui.parsers.scan import RangeScan
from logtui.parsers.source import Discovery, LogFile, Unread
from logtui.parsers.table import TableBuilder
from logtui.parsers.task import Outcome

FOLDED_FROM = 1 << 17
"""Rows of one file from which on it is folded before all of it is there."""


class Harvest:
    """The parts of all files, as they come in."""

    def __init__(self, discovery: Discovery, files: Sequence[LogFile], known: Registry) -> None:
        """`files` are those that are scanned."""
        self._discovery = discovery
        self._registry = known
        self._parts: dict[int, list[RangeScan]] = {}
        self._left = dict.fromkeys((f.index for f in files), 0)
        self._unread: dict[int, Unread] = {}
        self.bytes = sum(f.size for f in files)
        """On disk, all files together."""
        self.bytes_read = 0
        self.files_done = len(files)
        """Files of which nothing is left to do."""
        self._folding = Folding(known.patterns)
        self._rows: dict[int, int] = {}
        self._limits: dict[int, int] = {}
        self._anchor: tuple[float | None] | None = None

    def start_from(self, known: Mapping[int, Known]) -> None:
        """Take what an index holds."""
        for file, found in known.items():
            self._parts[file] = list(found.parts)
            self.bytes_read += self._discovery.files[file].size if found.since is None else found.since

    def expect(self, tasks: Iterable[Task]) -> None:
        """Note the work that is to be done."""
        for task in tasks:
            for piece in task.pieces:
                self.files_done -= self._left[piece.file.index] == 0
                self._left[piece.file.index] += 1

    def take(self, task: Task, outcome: Outcome) -> None:
        """Add what a task gave."""
        for part in outcome.parts:
            self._parts.setdefault(part.file, []).append(part)
            self._fold(part)
        for file, why in outcome.unread:
            self._unread.setdefault(file, Unread(self._discovery.files[file].name, why))
        for piece in task.pieces:
            self._left[piece.file.index] -= 1
            self.files_done += self._left[piece.file.index] == 0
            self.bytes_read += piece.bytes

    def _fold(self, new: RangeScan) -> None:
        """Keep a storm of any length in bounded memory: fold whenever the rows of a file have doubled."""
        parts = self._parts[new.file]
        self._rows[new.file] = self._rows.get(new.file, 0) + len(new.rows)
        if self._rows[new.file] > self._limits.get(new.file, FOLDED_FROM):
            self._rows[new.file] = left = fold_early(parts, self._folding)
            self._limits[new.file] = max(FOLDED_FROM, 2 * left)

    @property
    def files(self) -> int:
        """Files that are scanned."""
        return len(self._left)

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to do at all."""
        return self.files_done == self.files

    @property
    def has_failed(self) -> bool:
        """Whether a file could not be read, or not to its end."""
        return bool(self._unread)

    def whole(self) -> dict[int, list[RangeScan]]:
        """The parts of each file that was read to its end, joined; a line being written stays a part of its own. Uses
        the parts up."""
        found = {}
        for file, parts in self._parts.items():
            joined = _joined(parts, self._folding) if self._has_all(file) else None
            parts.clear()
            if joined:
                found[file] = joined
        return found

    @property
    def size(self) -> int:
        """Bytes that the parts take in an index."""
        return sum(len(p.rows) * ROW.itemsize + len(p.blob) for parts in self._parts.values() for p in parts)

    def _dumped_at(self) -> float | None:
        """When the dumps of the case were written; asked once."""
        if self._anchor is None:
            self._anchor = (dumped_at(self._discovery.files),)
        return self._anchor[0]

    def _has_all(self, file: int) -> bool:
        return self._left[file] == 0 and file not in self._unread

    def case(self, release: bool = False) -> Case:
        """The case as far as it has been read.

        With `release` the parts are given up as they are used, so that ten million rows are never held twice; nothing
        can be asked or added after that.
        """
        builder = TableBuilder(self._registry, sum(len(p.rows) for some in self._parts.values() for p in some))
        for file in self._discovery.files:
            if parts := self._parts.get(file.index):
                builder.add(file, parts, self._has_all(file.index), release)
                if release:
                    self._parts[file.index] = []
        problems = (*self._discovery.unread, *self._unread.values(), *builder.damaged)
        share = self.bytes_read / self.bytes if self.bytes else 1.0
        return Case(self._discovery.files, builder.table(self._dumped_at), builder.indexes, problems, share)


def _joined(parts: Sequence[RangeScan], folding: Folding) -> list[RangeScan] | None:
    """[whole lines], [whole lines, unfinished line] or [unfinished line]; None if there is a gap, or a line was still
    being written when the range after it was scanned."""
    found = list(runs(parts))
    if len(found) != 1 or any(p.unfinished for p in found[0][:-1]):
        return None
    *most, last = found[0]
    join_all = join_narrowly if sum(len(p.rows) for p in found[0]) >= MANY else join
    if not last.unfinished:
        return [join_all(found[0], folding)]
    return [join_all(most, folding), last] if most else [last]
