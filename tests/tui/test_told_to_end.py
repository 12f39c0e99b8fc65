"""A signal that comes while a class is made: Python 3.11 puts an error of its own in its place."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Iterator

import pytest

from logtui.tui import cli


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
