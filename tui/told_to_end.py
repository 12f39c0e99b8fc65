"""SIGTERM and SIGHUP end a run in order: the terminal is given back, processes and temporary files go with it."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.app import App

NUMBERS = (signal.SIGTERM, signal.SIGHUP)
INTERRUPTED = 128 + signal.SIGINT
AGAIN_S = 0.1
LOST_S = 0.01
Handler = Callable[[int, FrameType | None], None]


@contextmanager
def ending_in_order() -> Iterator[None]:
    """While this lasts, those signals raise `SystemExit` with the status a shell gives them; a second one ends at once.

    One that is ignored, as under `nohup`, stays so.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours = [number for number in NUMBERS if signal.getsignal(number) is signal.SIG_DFL]
    unraisable = sys.unraisablehook
    sys.unraisablehook = partial(_raise_later, unraisable)
    _handle(ours, _leave)
    try:
        yield
    finally:
        _handle(ours, signal.SIG_DFL)
        sys.unraisablehook = unraisable


@contextmanager
def app_ending_in_order(app: App[Any]) -> Iterator[None]:
    """While an app runs, it is asked to leave instead: what is raised somewhere in its loop may be lost, or stop it
    half way. `SystemExit` is raised afterwards."""
    ours = [number for number in NUMBERS if signal.getsignal(number) is _leave]
    told: list[int] = []
    over = threading.Event()

    def ask() -> None:
        while not over.wait(AGAIN_S):  # it may be about to start
            with suppress(RuntimeError):
                app.call_from_thread(app.exit)

    def leave(number: int, _frame: FrameType | None) -> None:
        told.append(number)
        _handle(ours, signal.SIG_DFL)
        threading.Thread(target=ask, name="told-to-end", daemon=True).start()

    _handle(ours, leave)
    try:
        yield
    finally:
        over.set()
        if not told:
            _handle(ours, _leave)
    if told:
        raise SystemExit(128 + told[0])


def status_told(error: BaseException | None) -> int | None:
    """The status to leave with where a signal or ctrl+c is what an error came of, else None.

    Python 3.11 says RuntimeError in the place of whatever is raised while an attribute of a new class learns its name,
    and a start makes many classes; 3.12 lets it pass.
    """
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return INTERRUPTED
        if isinstance(error, SystemExit) and isinstance(error.code, int):
            return error.code
        error = error.__cause__
    return None


def _leave(number: int, _frame: FrameType | None) -> None:
    _handle([each for each in NUMBERS if signal.getsignal(each) is _leave], signal.SIG_DFL)
    raise SystemExit(128 + number)


def _raise_later(before: Callable[[Any], object], lost: sys.UnraisableHookArgs) -> None:
    """Python drops what is raised in a finaliser or a callback of its own, as each import has one: were it a signal's
    doing, the run would go on as if nobody had told it to end."""
    number = (status_told(lost.exc_value) or 0) - 128
    if number not in (*NUMBERS, signal.SIGINT):
        before(lost)
        return
    if number in NUMBERS:
        _handle([signal.Signals(number)], _leave)
    told = threading.get_ident(), number
    _thread.start_new_thread(_raise_again, told)  # of the module itself: nothing may be imported at this moment


def _raise_again(thread: int, number: int) -> None:
    time.sleep(LOST_S)  # until that callback is over
    signal.pthread_kill(thread, number)  # the thread may be waiting, which a mere flag would not end


def _handle(numbers: list[signal.Signals], handler: Handler | signal.Handlers) -> None:
    for number in numbers:
        signal.signal(number, handler)
