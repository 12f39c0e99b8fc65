"""Read all files of a case: in order of use, on all cores, with a first case to show after the tails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from time import monotonic

from logtui.parsers.case import Case
from logtui.parsers.discover import Discovery
from logtui.parsers.dispatch import Dispatcher
from logtui.parsers.plan import Stage, Task, plan
from logtui.parsers.pool import LEAST_BYTES, ScanPool, cores
from logtui.parsers.registry import registry
from logtui.parsers.scan import RangeScan
from logtui.parsers.source import FileKind, LogFile, Unread
from logtui.parsers.table import build_case
from logtui.parsers.task import Outcome

TEXT_KINDS = frozenset({FileKind.WORKER, FileKind.LAUNCHER, FileKind.SCHEDULER, FileKind.KERNEL, FileKind.EVENTS})


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the reading is. Bytes as stored on disk."""

    files_done: int
    files: int
    bytes_done: int
    bytes: int
    stage: Stage = Stage.REST
    """What is being read; `REST` also when all is read."""
    elapsed_s: float = 0.0

    @property
    def share(self) -> float:
        """0.0 to 1.0."""
        return self.bytes_done / self.bytes if self.bytes else 1.0

    @property
    def bytes_per_s(self) -> float:
        """0.0 before anything is read."""
        return self.bytes_done / self.elapsed_s if self.elapsed_s else 0.0

    @property
    def remaining_s(self) -> float | None:
        """At the rate so far; None before there is one."""
        return (self.bytes - self.bytes_done) / self.bytes_per_s if self.bytes_per_s else None


@dataclass
class Sweep:
    """The state of one scan over a case."""

    discovery: Discovery
    engine: str = "auto"
    jobs: int | None = None
    """Worker processes; None for one per core."""
    executor: Executor | None = None
    """Where to scan, if not in processes of its own; it stays open."""
    polite: bool = False
    """Scan at low priority."""
    unread: list[Unread] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    """Why ranges were scanned a second time in this process: a worker died, or has another version."""
    engines: set[str] = field(default_factory=set)
    """Which engines did the work."""
    _parts: dict[int, list[RangeScan]] = field(default_factory=dict)
    _left: dict[int, int] = field(default_factory=dict)
    _read_bytes: int = 0
    _case: Case | None = None

    def run(self, cancelled: Callable[[], bool] = lambda: False) -> Iterator[Progress]:
        """Scan every text file, reporting after each task; ends early when cancelled.

        Closing the generator, or an exception such as Ctrl-C, leaves no process behind.
        """
        files = text_files(self.discovery.files)
        jobs = self.jobs or cores()
        tasks = plan(files, jobs, {})
        for task in tasks:
            for piece in task.pieces:
                self._left[piece.file.index] = self._left.get(piece.file.index, 0) + 1
        total = sum(f.size for f in files)
        own = None
        if self.executor is None and jobs > 1 and total >= LEAST_BYTES:
            own = ScanPool(jobs, self.engine, self.polite)
        try:
            yield from self._run(tasks, own.executor if own else self.executor, total, cancelled)
        except BaseException:
            if own:
                own.stop()
            raise
        if own:
            own.stop() if cancelled() else own.close()

    def _run(
        self, tasks: Sequence[Task], executor: Executor | None, total: int, cancelled: Callable[[], bool]
    ) -> Iterator[Progress]:
        begun, waiting = monotonic(), {stage: sum(t.stage is stage for t in tasks) for stage in Stage}
        dispatcher = Dispatcher(executor, self.engine, registry().digest)
        for task, outcome in dispatcher.run(tasks, cancelled):
            self._take(task, outcome)
            waiting[task.stage] -= 1
            self.failures = dispatcher.failures
            stage = next((s for s in Stage if waiting[s]), Stage.REST)
            done = sum(n == 0 for n in self._left.values())
            yield Progress(done, len(self._left), self._read_bytes, total, stage, monotonic() - begun)

    def _take(self, task: Task, outcome: Outcome) -> None:
        self._case = None
        self.engines.add(outcome.engine)
        for part in outcome.parts:
            self._parts.setdefault(part.file, []).append(part)
        self.unread += [Unread(self.discovery.files[file].name, why) for file, why in outcome.unread]
        for piece in task.pieces:
            self._left[piece.file.index] -= 1
            self._read_bytes += piece.bytes

    def case(self) -> Case:
        """The case as far as it has been read."""
        if self._case is None:
            complete = {file for file, left in self._left.items() if left == 0}
            wanted = sum(f.size for f in text_files(self.discovery.files))
            share = self._read_bytes / wanted if wanted else 1.0
            self._case = build_case(self.discovery, self._parts, self.unread, registry(), complete, share)
        return self._case


def text_files(files: Sequence[LogFile]) -> list[LogFile]:
    """Those whose lines are scanned for declared patterns."""
    return [f for f in files if f.kind in TEXT_KINDS]
