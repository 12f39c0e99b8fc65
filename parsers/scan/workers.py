"""What runs tasks: this thread, processes or a cluster; started early, stopped at once, never left behind."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from queue import Empty, SimpleQueue

from logtui.parsers.scan.fork_server import preload
from logtui.parsers.scan.memory import keep_pages
from logtui.parsers.scan.plan import Stage, Task
from logtui.parsers.scan.task import Outcome, run_task

# -- Tasks, handed to whatever runs them

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
        return CancelledError("the workers are gone")
    return future.exception()


def _died(error: BaseException) -> bool:
    """Whether the worker's process died, of native code perhaps. The second name is Dask's, after some tries."""
    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"


# -- Processes
#
# Where the process still has one thread, workers are forked: they share the compiled patterns and start in
# milliseconds. Later, forking could copy a lock that another thread holds, so a fork server is used instead.

LEAST_BYTES = 32 << 20
"""Less than this is read by the calling process, before workers would have started."""
NICENESS = 10
BEHIND = 4
"""Workers behind a screen take a little less than the process that draws it: a third of a core it has to share."""


class ScanPool:
    """Worker processes behind the interface of `concurrent.futures`."""

    def __init__(self, jobs: int, engine: str = "auto", polite: bool = False, behind: bool = False) -> None:
        """Start the workers; call it before other threads start, and it takes milliseconds.

        `polite` gives them a low priority, as is due on a login node that others share; `behind` one below that of the
        calling process, which has something to show meanwhile.
        """
        method = start_method()
        context = multiprocessing.get_context(method)
        if method == "fork":
            from logtui.parsers.scan import task  # numpy with it: workers of a fork server bring their own

            task.scanner(engine)  # made once, inherited by all
        elif method == "forkserver":
            preload()
        niceness = NICENESS if polite else BEHIND if behind else 0
        stop, self._stop = context.Pipe(duplex=False)
        self.executor: Executor = ProcessPoolExecutor(
            jobs, mp_context=context, initializer=_begin, initargs=(stop, niceness)
        )  # fmt: skip
        with _held_back(), warnings.catch_warnings():  # numpy's idle threads hold no lock of ours
            warnings.simplefilter("ignore", DeprecationWarning)
            self._first = self.executor.submit(os.getpid)

    def close(self) -> None:
        """Let idle workers go at once; nothing may be pending."""
        self.executor.shutdown(wait=False)
        self._stop.send(None)  # by themselves they go when their manager's thread finds the time

    def stop(self) -> None:
        """End the workers now, whatever they are doing, and wait until they are gone."""
        self._stop.send(None)
        self._end_results()
        self.executor.shutdown(wait=True, cancel_futures=True)

    def _end_results(self) -> None:
        """Let go of the writing end of the queue of results, or half a result would be waited for without end: of one
        that its worker was writing when it left."""
        queue = getattr(self.executor, "_result_queue", None)
        if writer := getattr(queue, "_writer", None):
            writer.close()


def start_pool(
    size: int, jobs: int | None, executor: Executor | None, engine: str, polite: bool, behind: bool
) -> ScanPool | None:
    """Workers for so many bytes; None where they are scanned elsewhere, or before workers would have started."""
    jobs = jobs or cores()
    wanted = executor is None and jobs > 1 and size >= LEAST_BYTES
    return ScanPool(jobs, engine, polite, behind) if wanted else None


def start_method() -> str:
    """How worker processes are best started from here, at this moment."""
    if sys.platform == "linux" and threading.active_count() == 1:
        return "fork"
    return "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


def cores() -> int:
    """Processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def _held_back() -> Iterator[None]:
    """What would end this process waits meanwhile: workers that are there, without the thread that looks after them
    yet, would be waited for at the exit without end."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(stop: Connection, niceness: int) -> None:
    """Prepare a worker: the terminal's Ctrl-C is the parent's business, and it must not outlive the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP):  # the parent's handlers came with the fork
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
    keep_pages()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()
    if niceness:
        os.nice(niceness)
    threading.Thread(target=_leave_with_parent, args=(stop,), daemon=True).start()


def _leave_with_parent(stop: Connection) -> None:
    parent = multiprocessing.parent_process()
    wait([stop, *([parent.sentinel] if parent else [])])
    os._exit(0)
