"""Workers: who gets which task when; ended at any moment, and forked from a process that has imported what they need."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from logtui.parsers.scan.dispatcher import Dispatcher
from logtui.parsers.scan.plan import Piece, Stage, Task
from logtui.parsers.scan.task import Outcome
from logtui.parsers.scan.workers import ScanPool
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
    dispatcher = Dispatcher(workers, "auto", "")
    dispatcher.begin([*TAILS, LONG])
    coming = dispatcher.run(lambda: False, LATER)
    assert [next(coming)[0], next(coming)[0]] == TAILS
    assert workers.given == [*TAILS, LONG]
    assert [t for t, _ in coming] == [LONG, *LATER]


@pytest.mark.parametrize("takes", [0, 1, 3, 4])
def test_everything_is_done_though_the_workers_go(takes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("logtui.parsers.scan.dispatcher.run_task", lambda *_: Outcome())
    dispatcher = Dispatcher(Noting(takes), "auto", "")
    dispatcher.begin([*TAILS, LONG])
    assert {t.pieces[0].file.name for t, _ in dispatcher.run(lambda: False, LATER)} == {"a", "b", "c", "d", "long"}


def test_without_workers_all_is_done_here_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("logtui.parsers.scan.dispatcher.run_task", lambda *_: Outcome())
    dispatcher = Dispatcher(None, "auto", "")
    dispatcher.begin(TAILS)
    assert [t for t, _ in dispatcher.run(lambda: False, LATER)] == [*TAILS, *LATER]


@pytest.mark.parametrize("_again", range(3))
def test_workers_may_be_ended_while_they_send_results(_again: int) -> None:
    mine = ScanPool(2)
    first, *_ = [mine.executor.submit(bytes, 1 << 24) for _ in range(40)]
    assert len(first.result(20)) == 1 << 24
    ending = threading.Thread(target=mine.stop, daemon=True)
    ending.start()
    ending.join(20)
    assert not ending.is_alive()


SCRIPT = """
import sys, threading
from logtui.parsers.scan import fork_server
from logtui.parsers.scan.workers import ScanPool

def main():
    fork_server.start()
    threading.Thread(target=threading.Event().wait, daemon=True).start()
    pool = ScanPool(1)
    print(*pool.executor.submit(eval, "sorted(__import__('sys').modules)").result(60))
    pool.stop()

if __name__ == "__main__":
    main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the fork server starts as it likes")
def test_workers_find_what_they_need_and_nothing_where_the_user_is(tmp_path: Path) -> None:
    for name in ("numpy", "logtui", "socket"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('taken from the directory of the logs')")
    script = tmp_path / "scripts" / "run.py"
    script.parent.mkdir()
    script.write_text(SCRIPT)
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert run.stderr == ""
    assert "logtui.parsers.scan.preloaded" in run.stdout.split()


def test_starting_the_fork_server_leaves_the_environment_alone() -> None:
    script = "import os; before = dict(os.environ)\n"
    script += "from logtui.parsers.scan import fork_server; fork_server.start()\nassert dict(os.environ) == before"
    for said in ({}, {"PYTHONSAFEPATH": "x"}):
        run = subprocess.run([sys.executable, "-c", script], env=os.environ | said, check=False)
        assert run.returncode == 0
