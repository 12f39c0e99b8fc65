"""Told to end in a moment at which Python lets nothing be raised."""

from __future__ import annotations

import signal
import sys
import time
import weakref
from collections.abc import Callable

import pytest

from logtui.tui.told_to_end import ending_in_order

PATIENCE_S = 30.0


class Finalised:
    """Told to end while it goes away."""

    def __init__(self, number: signal.Signals) -> None:
        self.number = number

    def __del__(self) -> None:
        signal.raise_signal(self.number)


class Watched:
    """What a weak reference points at, as the lock of an import."""


def in_a_finaliser(number: signal.Signals) -> None:
    Finalised(number)


def in_a_callback(number: signal.Signals) -> None:
    watched = Watched()
    reference = weakref.ref(watched, lambda _: signal.raise_signal(number))
    del watched
    assert reference() is None


@pytest.mark.parametrize("lose", [in_a_finaliser, in_a_callback])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda s: s.name)
def test_what_is_raised_where_nothing_may_be_is_raised_again(
    lose: Callable[[signal.Signals], None], number: signal.Signals
) -> None:
    before = signal.signal(number, signal.SIG_DFL)
    try:
        with pytest.raises(SystemExit) as told, ending_in_order():
            lose(number)
            time.sleep(PATIENCE_S)
        assert told.value.code == 128 + number
    finally:
        signal.signal(number, before)


def test_so_is_an_interrupt() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), ending_in_order():
            in_a_finaliser(signal.SIGINT)
            time.sleep(PATIENCE_S)
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_errors_of_finalisers_are_told_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: told.append(lost.exc_type))

    class Broken:
        def __del__(self) -> None:
            raise ValueError

    with ending_in_order():
        Broken()
    assert told == [ValueError]
