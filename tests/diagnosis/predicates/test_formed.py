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


FEW = "WARNING 01-02 03:04:05 [ray_utils.py:315] The number of required GPUs exceeds the total number of available GPUs in the placement group.\n"
WAITING = "".join(
    f"INFO 01-02 03:{n:02d}:15 [ray_utils.py:212] Waiting for creating a placement group of specs for {n * 60} seconds.\n"
    for n in range(5, 9)
)
STOPPED = HEAD + "KeyboardInterrupt\n"
MET = (
    "INFO 01-02 03:10:05 [parallel_state.py:1004] rank 0 in world size 2 is assigned as DP rank 0, PP rank 0, TP rank 0\n"
    "INFO 01-02 03:14:05 [loader.py:458] Loading weights took 12.57 seconds\n"
    "INFO 01-02 03:15:05 [api_server.py:1090] Starting vLLM API server on http://0.0.0.0:8000\n"
    "INFO:     Application startup complete.\n"
    'INFO:     127.0.0.1:50112 - "POST /v1/chat/completions HTTP/1.1" 200 OK\n'
)


@pytest.mark.parametrize(
    ("behind", "cls"),
    [(WAITING, "config"), (WAITING + STOPPED, "config"), (WAITING + MET, "healthy")],
    ids=["it waits", "somebody stopped it", "they came"],
)
def test_an_engine_that_waits_for_devices(behind: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({"serve.log": FEW + behind}).verdict.cls == cls
