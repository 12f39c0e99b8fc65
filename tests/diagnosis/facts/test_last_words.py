"""What a rank said last, before its watchdog spoke for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from logtui.diagnosis.facts.identity import identify
from logtui.diagnosis.facts.last_words import words_in_file
from logtui.parsers.files.discover import discover
from logtui.parsers.scan.sweep import Sweep

LEFT = (
    "[rank0]:[W102 03:04:05.771203347 ProcessGroupNCCL.cpp:1476] Warning: WARNING: destroy_process_group() was not called "
    "before program exit, which can leak resources.\n"
)
ALARM = (
    "[rank0]:[E102 03:04:05.771203347 ProcessGroupNCCL.cpp:683] [Rank 0] Watchdog caught collective operation timeout: "
    "WorkNCCL(SeqNum=57, OpType=ALLREDUCE, NumelIn=7, NumelOut=7, Timeout(ms)=600000) ran for 600057 milliseconds\n"
)
SAID = "(VllmWorker rank=0 pid=4242) INFO 01-02 04:05:06 [gpu_worker.py:57] Available memory: 5.7 GiB\n"


@pytest.mark.parametrize(("watchdog", "line"), [(LEFT, 3), (ALARM, 1)], ids=["an exit", "an alarm"])
def test_what_a_watchdog_says_of_an_exit_is_no_alarm(watchdog: str, line: int, tmp_path: Path) -> None:
    """Another engine of the same script speaks as that rank later."""
    (tmp_path / "nohup.out").write_text(SAID + watchdog + SAID)
    run = Sweep(discover([tmp_path / "nohup.out"]), jobs=1)
    list(run.run())
    assert words_in_file(identify(run.case()), 0, {0}, 0.0)[0].cited.line == line
