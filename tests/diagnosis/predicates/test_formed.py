"""A port that was taken, or a host that could not be reached, where the ranks came to their own work later."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

TAKEN = "[W socket.cpp:426] [c10d] The server socket has failed to bind to [::]:29500 (errno: 98 - Address already in use).\n"
LAUNCHER = (
    "Traceback (most recent call last):\n"
    '  File "/usr/lib/python3.11/site-packages/torch/distributed/launch.py", line 57, in <module>\n'
    "    main()\n"
    "RuntimeError: The server socket has failed to listen on any local network address. The server socket has failed "
    "to bind to [::]:29500 (errno: 98 - Address already in use).\n"
)
HEAD = 'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\n    build()\n'
LATER = {
    "data": "FileNotFoundError: [Errno 2] No such file or directory: '/data/shard57_doc_idx.npy'\n",
    "gpu-oom": "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 5.00 GiB\n",
    "storage-io": "OSError: [Errno 28] No space left on device: '/ckpt/57.pt'\n",
}


@pytest.mark.parametrize("cls", LATER)
def test_what_the_ranks_raised_at_their_work_is_the_cause(cls: str, report_of: ReportOf) -> None:
    report = report_of({"job.log": TAKEN + LAUNCHER + "building the data sets\n" + HEAD + LATER[cls]})
    assert report.verdict.cls == cls


@pytest.mark.parametrize("raised", ["RuntimeError: Socket Timeout\n", "ModuleNotFoundError: No module named 'run57'\n"])
def test_what_waits_in_vain_or_is_not_installed_is_no_work(raised: str, report_of: ReportOf) -> None:
    report = report_of({"job.log": TAKEN + LAUNCHER + HEAD + raised})
    assert report.verdict.cls == "init-rendezvous"
