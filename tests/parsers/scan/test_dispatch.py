"""Who gets which task when."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from logtui.parsers.scan.plan import Piece, Stage, Task
from logtui.parsers.scan.task import Outcome
from logtui.parsers.scan.workers import Dispatcher
from logtui.parsers.source import LogFile


class Noting(Executor):
    """Does nothing, at once, and notes what it was given; breaks after so many tasks."""

    def __init__(self, breaks_after: int = 99) -> None:
        self.given: list[Task] = []
        self._breaks_after = breaks_after

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if len(self.given) == self._breaks_after:
            raise RuntimeError("it is gone")
        self.given.append(args[0])
        future: Future[Any] = Future()
        future.set_result(Outcome())
        return future


def task(stage: Stage, name: str) -> Task:
    return Task(stage, (Piece(LogFile(0, Path("/gone"), name, 1, 0.0), 0, 1),))


TAILS = [task(Stage.TAILS, "a"), task(Stage.TAILS, "b")]
LONG = task(Stage.REST, "long")
LATER = [task(Stage.HEADS, "c"), task(Stage.REST, "d")]


def test_what_is_for_later_waits_until_somebody_comes_back_after_the_tails() -> None:
    workers = Noting()
    coming = Dispatcher(workers, "auto", "").run([*TAILS, LONG], lambda: False, LATER)
    assert [next(coming)[0], next(coming)[0]] == TAILS
    assert workers.given == [*TAILS, LONG]
    assert [t for t, _ in coming] == [LONG, *LATER]


@pytest.mark.parametrize("takes", [0, 1, 3, 4])
def test_everything_is_done_though_the_workers_go(takes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("logtui.parsers.scan.workers.run_task", lambda *_: Outcome())
    run = Dispatcher(Noting(takes), "auto", "").run([*TAILS, LONG], lambda: False, LATER)
    assert {t.pieces[0].file.name for t, _ in run} == {"a", "b", "c", "d", "long"}


def test_without_workers_all_is_done_here_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("logtui.parsers.scan.workers.run_task", lambda *_: Outcome())
    run = Dispatcher(None, "auto", "").run(TAILS, lambda: False, LATER)
    assert [t for t, _ in run] == [*TAILS, *LATER]
