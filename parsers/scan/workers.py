"""Processes that run tasks: started early, stopped at once, never left behind.

Where the process still has one thread, workers are forked: they share the compiled patterns and start in
milliseconds. Later, forking could copy a lock that another thread holds, so a fork server is used instead.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait

from logtui.parsers.scan.fork_server import preload
from logtui.parsers.scan.memory import keep_pages

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


def start_method() -> str:
    """How worker processes are best started from here, at this moment."""
    if sys.platform == "linux" and threading.active_count() == 1:
        return "fork"
    return "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


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
