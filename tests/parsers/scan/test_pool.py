"""Workers: ended at any moment, and forked from a process that has imported what they need."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from logtui.parsers.scan.workers import ScanPool


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
