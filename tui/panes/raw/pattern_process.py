"""Expressions that a user typed, run where they can do no harm: in a process that is killed when it takes too long.

Python's expressions backtrack: `(a+)+$` on one line of forty letters runs for years, and in this process it would hold
the interpreter's lock all the while. A second of processor time is a hundred times what a block usually takes.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any

from logtui.tui.panes.raw.line_search import Answer, Cancelled, Job, LineBlock, Overtime, inline, shown_text

BUDGET_S = 2.0
"""Processor time for a block, and as much again for every megabyte that its longest line makes it larger."""
GRACE_S = 0.2
"""How long a process that is no longer wanted may take to come to the end of its block."""
POLL_S = 0.05
IDLE_KEPT = 2
_COMMAND = (sys.executable, "-P", "-m", "logtui.tui.panes.raw.pattern_process")
"""-P: nothing is imported from the folder that the user stands in, which may be the one with the logs."""


class PatternProcess:
    """One process; answers block by block."""

    def __init__(self) -> None:
        """Raises OSError where no process can be started."""
        self._process = subprocess.Popen(
            _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        assert self._process.stdin is not None, "asked for"
        assert self._process.stdout is not None, "asked for"
        with self._process.stdin as questions, self._process.stdout as answers:
            self._to = Connection(os.dup(questions.fileno()), readable=False)
            self._from = Connection(os.dup(answers.fileno()), writable=False)
        self.ready = True
        """Whether it waits for the next block."""

    def begin(self, job: Job[Any]) -> None:
        """What to do with the blocks that follow."""
        self._to.send(job)

    def ask(self, block: LineBlock, cancelled: Cancelled) -> Any:
        """What the job says of a block; None where that is no longer wanted.

        Raises:
            Overtime: if it used up its time; the process is gone then.
        """
        self.ready = False
        try:
            self._to.send((block.line, len(block.data)))
            self._to.send_bytes(block.data)
            if not self._wait(cancelled):
                return None
            answer = self._from.recv()
        except (EOFError, OSError) as error:
            raise Overtime(block, self._ended()) from error
        self.ready = True
        return answer

    def _wait(self, cancelled: Cancelled) -> bool:
        while not self._from.poll(POLL_S):
            if cancelled():
                return self._from.poll(GRACE_S)
        return True

    def _ended(self) -> str:
        status = self._process.wait()
        return "takes too long" if status == -signal.SIGVTALRM else f"could not be run (status {status})"

    def close(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        self._to.close()
        self._from.close()


class _Shelf:
    """Processes that wait for the next expression: one takes a tenth of a second to start."""

    def __init__(self) -> None:
        self._idle: list[PatternProcess] = []
        self._lock = Lock()

    def take(self) -> PatternProcess:
        """One that waits, or a new one."""
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return PatternProcess()

    def give_back(self, process: PatternProcess) -> None:
        """Keep it, if it waits and there are not too many."""
        with self._lock:
            if process.ready and len(self._idle) < IDLE_KEPT:
                self._idle.append(process)
                return
        process.close()


_SHELF = _Shelf()


def apart(job: Job[Answer], blocks: Iterator[LineBlock], cancelled: Cancelled) -> Iterator[tuple[LineBlock, Answer]]:
    """Run in a process; here, where none can be started.

    Raises:
        Overtime: if a block used up its time.
    """
    try:
        process = _SHELF.take()
    except OSError:
        yield from inline(job, blocks, cancelled)
        return
    try:
        process.begin(job)
        for block in blocks:
            if cancelled():
                return
            answer = process.ask(block, cancelled)
            if not process.ready:
                return
            yield block, answer
    finally:
        _SHELF.give_back(process)


def _serve() -> None:
    """Answer until the parent is gone. The timer ends the process whatever it is doing then, holding a lock or not."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    questions, answers = Connection(0, writable=False), Connection(1, readable=False)
    job: Job[Any] | None = None
    while True:
        try:
            question = questions.recv()
        except EOFError:
            return
        if not isinstance(question, tuple):
            job = question
            continue
        assert job is not None, "a job comes before its blocks"
        line, size = question
        data = questions.recv_bytes() if size else b""
        signal.setitimer(signal.ITIMER_VIRTUAL, BUDGET_S * (1 + size / (1 << 20)))
        answer = job(shown_text(data), line)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        answers.send(answer)


if __name__ == "__main__":
    _serve()
