"""Hands tasks to whatever runs them — this thread, processes, a cluster — and gives back outcomes as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from queue import Empty, SimpleQueue

from logtui.parsers.plan import Stage, Task
from logtui.parsers.task import Outcome, run_task

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
        self.failures: list[str] = []
        """Why some tasks were run again in this process, one entry for each of them."""

    def run(
        self, tasks: Sequence[Task], cancelled: Cancelled, later: Sequence[Task] = ()
    ) -> Iterator[tuple[Task, Outcome]]:
        """Outcomes in the order they come; ends early when cancelled.

        Those `later` are handed out when somebody has come back for more after all of the files' tails.
        A task whose worker died or refused it is run again here, without native code if it was the worker that died.
        """
        if self._executor is None:
            yield from self._run_here([*tasks, *later], self._engine, cancelled)
            return
        failed: dict[str, list[Task]] = {self._engine: [], "numpy": []}
        for task, future in self._finished(self._executor, tasks, later, cancelled):
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
            future: Future[Outcome] = Future()
            future.set_exception(error)
            return future

    def _run_here(self, tasks: Sequence[Task], engine: str, cancelled: Cancelled) -> Iterator[tuple[Task, Outcome]]:
        for task in tasks:
            outcome = run_task(task, engine, self._digest, cancelled)
            if cancelled():
                return
            yield task, outcome

    def _finished(
        self, executor: Executor, tasks: Sequence[Task], later: Sequence[Task], cancelled: Cancelled
    ) -> Iterator[tuple[Task, Future[Outcome]]]:
        """Tasks with their futures, as these finish."""
        done: SimpleQueue[Future[Outcome]] = SimpleQueue()
        waiting: dict[Future[Outcome], Task] = {}

        def hand_out(some: Sequence[Task]) -> None:
            for task in some:
                future = self._submit(executor, task)
                waiting[future] = task
                future.add_done_callback(done.put)

        try:
            hand_out(tasks)
            while (waiting or later) and not cancelled():
                if later and all(task.stage is not Stage.TAILS for task in waiting.values()):
                    hand_out(later)
                    later = ()
                try:
                    future = done.get(timeout=POLL_S)
                except Empty:
                    continue
                yield waiting.pop(future), future
        finally:
            for future in waiting if self._shared else ():
                future.cancel()


def _error(future: Future[Outcome]) -> BaseException | None:
    """Why a future that is over has no result."""
    if future.cancelled():
        return CancelledError("the workers are gone")
    return future.exception()


def _died(error: BaseException) -> bool:
    """Whether the worker's process died, of native code perhaps. The second name is Dask's, after some tries."""
    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"
