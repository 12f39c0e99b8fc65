"""Children of torch.multiprocessing.spawn."""

from __future__ import annotations

from matching import matched


def test_signal_and_exit_code() -> None:
    by_signal = matched("torch.multiprocessing.spawn.ProcessExitedException: process 3 terminated with signal SIGKILL")
    by_code = matched("torch.multiprocessing.spawn.ProcessExitedException: process 3 terminated with exit code 1")
    assert by_signal["spawn.child_exit"] == {"index": "3", "signal": "SIGKILL"}
    assert by_code["spawn.child_exit"] == {"index": "3", "exitcode": "1"}


def test_exception_of_a_child() -> None:
    assert matched("-- Process 12 terminated with the following error:")["spawn.child_exception"] == {"index": "12"}
