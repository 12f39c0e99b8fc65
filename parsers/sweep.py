"""Read all files of a case: in order of use, on all cores, with a first case to show after the tails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import monotonic

from logtui.parsers.case import Case
from logtui.parsers.dispatch import Dispatcher
from logtui.parsers.harvest import Harvest
from logtui.parsers.index_store import CASE_CAP_BYTES, IndexStore
from logtui.parsers.index_store import LEAST_BYTES as LEAST_INDEXED_BYTES
from logtui.parsers.plan import Stage, Task, aside, plan
from logtui.parsers.pool import ScanPool, cores, start_pool
from logtui.parsers.program import READERS, code
from logtui.parsers.progress import Progress
from logtui.parsers.registry import registry
from logtui.parsers.source import Discovery, FileKind, LogFile

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
    _case: Case | None = None
    _stage: Stage = Stage.TAILS
    _since: tuple[int, float] = (0, 0.0)
    """Bytes read when the stage began, and when that was, in seconds of a monotonic clock."""

    @cached_property
    def _files(self) -> list[LogFile]:
        """What is scanned, by paths that hold in any process."""
        return [replace(f, path=f.path.absolute()) for f in text_files(self.discovery.files)]

    @cached_property
    def _harvest(self) -> Harvest:
        return Harvest(self.discovery, self._files, registry())

    @cached_property
    def _store(self) -> IndexStore | None:
        worth_it = self.keep and sum(f.size for f in self._files) >= LEAST_INDEXED_BYTES
        return IndexStore(self._files) if worth_it else None

    def run(self, cancelled: Callable[[], bool] = lambda: False) -> Iterator[Progress]:
        """Scan every text file, reporting after each task; ends early when cancelled.

        Closing the generator, or an exception such as Ctrl-C, leaves no process behind.
        """
        jobs = self.jobs or cores()
        pool = self.pool
        try:
            tasks = self._tasks(jobs)
            left = self._harvest.bytes - self._harvest.bytes_read
            pool = pool or start_pool(left, jobs, self.executor, self.engine, self.polite, self.behind)
            first, later = aside(tasks, jobs) if pool and self.behind else (tasks, [])
            yield from self._run(first, later, pool.executor if pool else self.executor, cancelled)
        except BaseException:
            if pool:
                pool.stop()
            raise
        if pool:
            pool.stop() if cancelled() else pool.close()

    def _tasks(self, jobs: int) -> list[Task]:
        """The work that the index leaves to be done."""
        known = self._store.load() if self._store else {}
        self._harvest.start_from(known)
        new = [f for f in self._files if f.index not in known or known[f.index].since is not None]
        tasks = plan(new, jobs, {index: k.since for index, k in known.items() if k.since is not None})
        self._harvest.expect(tasks)
        return tasks

    def _run(
        self, tasks: Sequence[Task], later: Sequence[Task], executor: Executor | None, cancelled: Callable[[], bool]
    ) -> Iterator[Progress]:
        waiting = {stage: sum(t.stage is stage for t in (*tasks, *later)) for stage in Stage}
        self._begin(next((s for s in Stage if waiting[s]), Stage.REST))
        shared = executor is self.executor
        digest = code(READERS) if shared and executor else ""
        dispatcher = Dispatcher(executor, self.engine, digest, shared)
        self.failures = dispatcher.failures
        if not tasks:
            yield self._progress()
        for task, outcome in dispatcher.run(tasks, cancelled, later):
            self._case = None
            self._harvest.take(task, outcome)
            self.engines.add(outcome.engine)
            waiting[task.stage] -= 1
            stage = next((s for s in Stage if waiting[s]), Stage.REST)
            if stage is not self._stage:
                self._begin(stage)
            yield self._progress()

    def _begin(self, stage: Stage) -> None:
        self._stage, self._since = stage, (self._harvest.bytes_read, monotonic())

    def _progress(self) -> Progress:
        got, (before, begun) = self._harvest, self._since
        trouble = self.failures[-1] if self.failures else ""
        elapsed = monotonic() - begun
        return Progress(got.files_done, got.files, got.bytes_read, got.bytes, self._stage, elapsed, before, trouble)

    def case(self) -> Case:
        """The case as far as it has been read."""
        if self._case is None:
            kept = self._store is not None and self.size <= CASE_CAP_BYTES
            self._case = self._harvest.case(release=self._harvest.is_complete and not kept)
        return self._case

    @property
    def unread(self) -> bool:
        """Whether a file that could be opened before could not be read; it may be readable the next time."""
        return self._harvest.has_failed

    @property
    def size(self) -> int:
        """Bytes that the records take so far."""
        return self._harvest.size

    def save(self) -> bool:
        """Renew the index, if one is kept and anything is new; whether it was done."""
        return bool(self._store and self.engines and self._store.save(self._harvest.whole()))


def text_files(files: Sequence[LogFile]) -> list[LogFile]:
    """Those whose lines are scanned for declared patterns."""
    return [f for f in files if f.kind in TEXT_KINDS]
