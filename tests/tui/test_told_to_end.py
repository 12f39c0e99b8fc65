"""A signal that comes in a moment at which Python raises something else in its place, or nothing."""

from __future__ import annotations

import argparse
import signal
import sys
import time
import weakref
from collections.abc import Callable, Iterator

import pytest

from logtui.tui import cli
from logtui.tui.told_to_end import ending_in_order

PATIENCE_S = 30.0


class Interrupted:
    """A descriptor at whose naming a signal arrives."""

    def __init__(self, number: signal.Signals) -> None:
        self.number = number

    def __set_name__(self, owner: type, name: str) -> None:
        signal.raise_signal(self.number)


@pytest.fixture(autouse=True)
def heard() -> Iterator[None]:
    """Neither Ctrl+c nor a closed terminal is ignored, though a shell in the background, or nohup, does so."""
    interrupted = signal.signal(signal.SIGINT, signal.default_int_handler)
    hung_up = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, interrupted)
    signal.signal(signal.SIGHUP, hung_up)


def left_with() -> object:
    try:
        return cli.main(["logs"])
    except SystemExit as left:  # from Python 3.12 on it arrives as it was raised
        return left.code


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda s: s.name)
def test_it_is_no_fault_of_our_own(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def make_a_class(_args: argparse.Namespace) -> int:
        type("Row", (), {"field": Interrupted(number)})
        return 0

    monkeypatch.setattr(cli, "_run", make_a_class)
    assert left_with() == 128 + number
    assert capsys.readouterr().err == ""


def test_another_error_stays_a_fault(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(_args: argparse.Namespace) -> int:
        raise RuntimeError("ours") from ValueError("of another")

    monkeypatch.setattr(cli, "_run", fail)
    assert left_with() == cli.UNREADABLE
    assert "ours" in capsys.readouterr().err


# -- While nothing may be raised


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
    with pytest.raises(SystemExit) as told, ending_in_order():
        lose(number)
        time.sleep(PATIENCE_S)
    assert told.value.code == 128 + number


def test_so_is_an_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt), ending_in_order():
        in_a_finaliser(signal.SIGINT)
        time.sleep(PATIENCE_S)


def test_other_errors_of_finalisers_are_told_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: told.append(lost.exc_type))

    class Broken:
        def __del__(self) -> None:
            raise ValueError

    with ending_in_order():
        Broken()
    assert told == [ValueError]
