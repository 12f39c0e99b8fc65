"""A bound on what an expression may take while a frame is drawn.

Python's expressions look now and then whether a signal came in, and give way to what its handler raises; so a timer
can end them, in the main thread alone, which is where frames are drawn.
"""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

LIMIT_S = 0.05
"""Processor time for one line."""
_armed = False


def _on_time(signum: int, frame: FrameType | None) -> None:
    if _armed:
        raise TimeoutError


@contextmanager
def time_limit(seconds: float = LIMIT_S) -> Iterator[None]:
    """Raise TimeoutError if an expression below takes longer. Without a bound where signals are not to be had."""
    global _armed
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGVTALRM, _on_time)
    _armed = True
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        _armed = False
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def bounded(passes: Callable[[str], bool]) -> Callable[[str], bool]:
    """The same question about lines that are drawn; yes for all of them once one took too long."""
    too_slow = False

    def answer(text: str) -> bool:
        nonlocal too_slow
        try:
            with time_limit():
                return too_slow or passes(text)
        except TimeoutError:
            too_slow = True
            return True

    return answer


class Spotter:
    """Where an expression matches in lines that are drawn; nowhere any more once it took too long on one."""

    def __init__(self, regex: re.Pattern[str]) -> None:
        self.regex = regex
        self.too_slow = False

    def spans(self, text: str) -> list[tuple[int, int]]:
        """(start, end) of each match that is not empty."""
        if self.too_slow:
            return []
        try:
            with time_limit():
                return [m.span() for m in self.regex.finditer(text) if m.end() > m.start()]
        except TimeoutError:
            self.too_slow = True
            return []
