"""Looks how the files are in a process of its own, while this one still imports what will show or print them.

A thousand files take as long to look at as the screen takes to import. The process writes nothing but its answer, and
does not outlive who asked.
"""

from __future__ import annotations

import os
import select
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from logtui.diagnosis.options import Options
    from logtui.diagnosis.report.kept.key import Look


class Lookahead:
    """A look that is on its way."""

    def __init__(self, pid: int, answer: int) -> None:
        """`answer` is the descriptor on which the process will tell."""
        self.pid, self._answer = pid, answer

    @cached_property
    def look(self) -> Look | None:
        """Waits for it; None where it cannot be had."""
        from logtui.diagnosis.report.kept.key import Look

        with open(self._answer, "rb", closefd=False) as source:
            words = source.read().decode().split()

        return Look(int(words[0]), words[1], words[2] == "True") if len(words) == 3 else None

    def has_found(self) -> bool:
        """Whether it is known by now that a report is kept."""
        is_there = select.select([self._answer], [], [], 0)[0]
        return bool(is_there and self.look and self.look.found)

    def close(self) -> None:
        """End the process, and wait until it has ended."""
        with suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)
        with suppress(OSError):
            os.waitpid(self.pid, 0)
        os.close(self._answer)


@contextmanager
def looking_ahead(paths: Sequence[Path], options: Options) -> Iterator[Lookahead | None]:
    """Begin to look at all files; None where nothing is kept, or other threads may hold locks."""
    ahead = None if options.no_cache or threading.active_count() > 1 else _begin(paths, options)
    try:
        yield ahead
    finally:
        if ahead is not None:
            ahead.close()


def _begin(paths: Sequence[Path], options: Options) -> Lookahead | None:
    answer, out = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        os.close(answer)
        pid = -1
    if pid == 0:
        _answer(paths, options, out)
    os.close(out)
    return Lookahead(pid, answer) if pid > 0 else None


def _answer(paths: Sequence[Path], options: Options, out: int) -> NoReturn:
    """In the new process: it leaves without a word, and does not do what the other one has to do at its end."""
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        from logtui.diagnosis.report.kept.store import store_for

        look = store_for(paths, options).look()
        os.write(out, b"" if look is None else " ".join(map(str, look)).encode())
    finally:
        os._exit(0)
