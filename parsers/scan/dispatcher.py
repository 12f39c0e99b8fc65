"""Hands tasks to whatever runs them: this thread, processes or a cluster. Small jobs import nothing of the latter."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from logtui.parsers.scan.plan import Stage, Task
from logtui.parsers.scan.task import Outcome, run_task

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from logtui.parsers.scan.workers import ScanPool

POLL_S = 0.05
"""How soon a cancellation is noticed while workers are busy."""

Cancelled = Callable[[], bool]


class Dispatcher:
    """Runs tasks on an executor, or in the calling thread if there is none."""

    def __init__(self, executor: Executor | None, engine: str, digest: str, shared: bool = False) -> None:
        """A `shared` executor goes on after this, so tasks that are left are taken back from it. Another is about to be
        stopped as a whole; it then fails all its futures, which a cancelled one would refuse."""
        self._executor = executor
        self._shared = shared
        self._engine = engine
        self._digest = digest
        self._here: Sequence[Task] = ()
        """Tasks for this process."""
        self._waiting: dict[Future[Outcome], Task] = {}
        self._done: SimpleQueue[Future[Outcome]] = SimpleQueue()
        self.failures: list[str] = []
        """Why some tasks were run again in this process, one entry for each of them."""

    def begin(self, tasks: Sequence[Task]) -> None:
        """Hand tasks out, that others run them while the caller does something else; where there are no others, `run`
        does."""
        if self._executor is None:
            self._here = tasks
            return
        for task in tasks:
            future = self._submit(self._executor, task)
            self._waiting[future] = task
            future.add_done_callback(self._done.put)

    def run(self, cancelled: Cancelled, later: Sequence[Task] = ()) -> Iterator[tuple[Task, Outcome]]:
        """Outcomes of what was begun, in the order they come; ends early when cancelled.

        Those `later` are handed out when somebody has come back for more after all of the files' tails.
        A task whose worker died or refused it is run again here, without native code if it was the worker that died.
        """
        if self._executor is None:
            yield from self._run_here([*self._here, *later], self._engine, cancelled)
            return
        failed: dict[str, list[Task]] = {self._engine: [], "numpy": []}
        for task, future in self._finished(later, cancelled):
            error = _error(future)
            if error is None:
                yield task, future.result()
            else:
                failed["numpy" if _died(error) else self._engine].append(task)
                self.failures.append(str(error) or type(error).__name__)
        for engine, left in failed.items():
            yield from self._run_here(left, engine, cancelled)

    def _submit(self, executor: Executor, task: Task) -> Future[Outcome]:
        try:
            return executor.submit(run_task, task, self._engine, self._digest)
        except RuntimeError as error:  # a worker has died already, or the cluster is gone
            from concurrent.futures import Future

            future: Future[Outcome] = Future()
            future.set_exception(error)
            return future

    def _run_here(self, tasks: Sequence[Task], engine: str, cancelled: Cancelled) -> Iterator[tuple[Task, Outcome]]:
        for task in tasks:
            outcome = run_task(task, engine, self._digest, cancelled)
            if cancelled():
                return
            yield task, outcome

    def _finished(self, later: Sequence[Task], cancelled: Cancelled) -> Iterator[tuple[Task, Future[Outcome]]]:
        """Tasks with their futures, as these finish."""
        try:
            while (self._waiting or later) and not cancelled():
                if later and all(task.stage is not Stage.TAILS for task in self._waiting.values()):
                    self.begin(later)
                    later = ()
                try:
                    future = self._done.get(timeout=POLL_S)
                except Empty:
                    continue
                yield self._waiting.pop(future), future
        finally:
            for future in self._waiting if self._shared else ():
                future.cancel()


def _error(future: Future[Outcome]) -> BaseException | None:
    """Why a future that is over has no result."""
    if future.cancelled():
        from concurrent.futures import CancelledError

        return CancelledError("the workers are gone")
    return future.exception()


def _died(error: BaseException) -> bool:
    """Whether the worker's process died, of native code perhaps. The second name is Dask's, after some tries."""
    from concurrent.futures import BrokenExecutor

    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"


# -- Whether there are processes

LEAST_BYTES = 32 << 20
"""Less than this is read by the calling process, before workers would have started."""


def start_pool(
    size: int, jobs: int | None, executor: Executor | None, engine: str, polite: bool, behind: bool
) -> ScanPool | None:
    """Workers for so many bytes; None where they are scanned elsewhere, or before workers would have started."""
    jobs = jobs or cores()
    wanted = executor is None and jobs > 1 and size >= LEAST_BYTES
    if not wanted:
        return None
    from logtui.parsers.scan.workers import ScanPool  # small jobs need none of what starts processes

    return ScanPool(jobs, engine, polite, behind)


def cores() -> int:
    """Processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
