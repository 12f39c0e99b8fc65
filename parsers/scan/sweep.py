"""Read all files of a case: in order of use, on all cores, with a first case to show after the tails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING

from logtui.parsers.files.case import Case
from logtui.parsers.files.dates import dated_at
from logtui.parsers.records.columns import MANY
from logtui.parsers.records.record import ROW
from logtui.parsers.registry import Registry, registry
from logtui.parsers.scan.dispatcher import Dispatcher, cores, start_pool
from logtui.parsers.scan.index_store import CASE_CAP_BYTES, IndexStore, Known
from logtui.parsers.scan.index_store import LEAST_BYTES as LEAST_INDEXED_BYTES
from logtui.parsers.scan.plan import Progress, Stage, Task, aside, plan
from logtui.parsers.scan.program import READERS, code
from logtui.parsers.scan.rows import Folding
from logtui.parsers.scan.scanner import RangeScan
from logtui.parsers.scan.table import TableBuilder, fold_early, join, join_narrowly, runs
from logtui.parsers.scan.task import Outcome
from logtui.parsers.source import Discovery, FileKind, LogFile, Unread

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from logtui.parsers.scan.workers import ScanPool

# -- What the ranges of a case have given so far

FOLDED_FROM = 1 << 17
"""Rows of one file from which on it is folded before all of it is there."""


class PartialCase:
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
        """When the dumps of the case were written, or else the time that was asked for, or a date that stands in any
        line of it; found once."""
        if self._anchor is None:
            files = self._discovery.files
            dumped = _dumped_at(files)
            asked = self._discovery.window
            if dumped is None and asked is not None:
                dumped = asked.until if asked.since is None else asked.since
            self._anchor = (dated_at(files) if dumped is None else dumped,)
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
        found = self._discovery
        table = builder.table(self._dumped_at)
        return Case(found.files, table, builder.indexes, problems, share, found.window)


def _dumped_at(files: Sequence[LogFile]) -> float | None:
    """When the newest dump among some files was written; None where there is none that tells."""
    if not any(file.kind is FileKind.FLIGHT_RECORDER for file in files):
        return None
    from logtui.parsers.dumps.reading import dumped_at  # most jobs come without dumps

    return dumped_at(files)


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


# -- The sweep

TEXT_KINDS = frozenset({FileKind.WORKER, FileKind.LAUNCHER, FileKind.SCHEDULER, FileKind.KERNEL, FileKind.EVENTS})


@dataclass
class Sweep:
    """One scan over a case."""

    discovery: Discovery
    engine: str = "auto"
    jobs: int | None = None
    """Worker processes; None for one per core."""
    executor: Executor | None = None
    """Where to scan, if not in processes of its own; it stays open."""
    polite: bool = False
    """Scan at low priority."""
    behind: bool = False
    """Scan at a priority below that of the calling process."""
    pool: ScanPool | None = None
    """Workers started before, which this ends."""
    keep: bool = False
    """Start from the index on disk, and let `save` renew it."""
    failures: list[str] = field(default_factory=list)
    """Why ranges were scanned a second time in this process: a worker died, or has another version."""
    engines: set[str] = field(default_factory=set)
    """Which engines did the work; none if all was known from the index."""
    _begun: tuple[Dispatcher, Sequence[Task], Sequence[Task]] | None = None
    """The work that was handed out, and what is to be handed out later."""
    _case: Case | None = None
    _stage: Stage = Stage.TAILS
    _since: tuple[int, float] = (0, 0.0)
    """Bytes read when the stage began, and when that was, in seconds of a monotonic clock."""

    @cached_property
    def _files(self) -> list[LogFile]:
        """What is scanned, by paths that hold in any process."""
        return [replace(f, path=f.path.absolute()) for f in text_files(self.discovery.files)]

    @cached_property
    def _partial(self) -> PartialCase:
        return PartialCase(self.discovery, self._files, registry())

    @cached_property
    def _store(self) -> IndexStore | None:
        worth_it = self.keep and sum(f.size for f in self._files) >= LEAST_INDEXED_BYTES
        return IndexStore(self._files) if worth_it else None

    def begin(self) -> None:
        """Hand out the work, that other processes read while the caller goes on; `run` does it too, if nobody has."""
        if self._begun is not None:
            return
        jobs = self.jobs or cores()
        try:
            tasks = self._tasks(jobs)
            left = self._partial.bytes - self._partial.bytes_read
            args = (self.executor, self.engine, self.polite, self.behind)
            self.pool = pool = self.pool or start_pool(left, jobs, *args)
            first, later = aside(tasks, jobs) if pool and self.behind else (tasks, [])
            self._begun = self._handed_out(first, pool.executor if pool else self.executor), first, later
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Leave no process behind, whatever it is doing."""
        if self.pool:
            self.pool.stop()

    def run(self, cancelled: Callable[[], bool] = lambda: False) -> Iterator[Progress]:
        """Scan every text file, reporting after each task; ends early when cancelled.

        Closing the generator, or an exception such as Ctrl-C, leaves no process behind.
        """
        self.begin()
        try:
            yield from self._run(cancelled)
        except BaseException:
            self.stop()
            raise
        if self.pool:
            self.pool.stop() if cancelled() else self.pool.close()

    def _tasks(self, jobs: int) -> list[Task]:
        """The work that the index leaves to be done."""
        known = self._store.load() if self._store else {}
        self._partial.start_from(known)
        new = [f for f in self._files if f.index not in known or known[f.index].since is not None]
        tasks = plan(new, jobs, {index: k.since for index, k in known.items() if k.since is not None})
        self._partial.expect(tasks)
        return tasks

    def _handed_out(self, tasks: Sequence[Task], executor: Executor | None) -> Dispatcher:
        self._begin(tasks[0].stage if tasks else Stage.REST)
        shared = executor is self.executor
        dispatcher = Dispatcher(executor, self.engine, code(READERS) if shared and executor else "", shared)
        self.failures = dispatcher.failures
        dispatcher.begin(tasks)
        return dispatcher

    def _run(self, cancelled: Callable[[], bool]) -> Iterator[Progress]:
        assert self._begun is not None, "whoever runs has begun"
        dispatcher, tasks, later = self._begun
        waiting = {stage: sum(t.stage is stage for t in (*tasks, *later)) for stage in Stage}
        if not tasks:
            yield self._progress()
        for task, outcome in dispatcher.run(cancelled, later):
            self._case = None
            self._partial.take(task, outcome)
            self.engines.add(outcome.engine)
            waiting[task.stage] -= 1
            stage = next((s for s in Stage if waiting[s]), Stage.REST)
            if stage is not self._stage:
                self._begin(stage)
            yield self._progress()

    def _begin(self, stage: Stage) -> None:
        self._stage, self._since = stage, (self._partial.bytes_read, monotonic())

    def _progress(self) -> Progress:
        got, (before, begun) = self._partial, self._since
        trouble = self.failures[-1] if self.failures else ""
        elapsed = monotonic() - begun
        return Progress(got.files_done, got.files, got.bytes_read, got.bytes, self._stage, elapsed, before, trouble)

    def case(self) -> Case:
        """The case as far as it has been read."""
        if self._case is None:
            kept = self._store is not None and self.size <= CASE_CAP_BYTES
            self._case = self._partial.case(release=self._partial.is_complete and not kept)
        return self._case

    @property
    def unread(self) -> bool:
        """Whether a file that could be opened before could not be read; it may be readable the next time."""
        return self._partial.has_failed

    @property
    def size(self) -> int:
        """Bytes that the records take so far."""
        return self._partial.size

    def save(self) -> bool:
        """Renew the index, if one is kept and anything is new; whether it was done."""
        return bool(self._store and self.engines and self._store.save(self._partial.whole()))


def text_files(files: Sequence[LogFile]) -> list[LogFile]:
    """Those whose lines are scanned for declared patterns."""
    return [f for f in files if f.kind in TEXT_KINDS]
