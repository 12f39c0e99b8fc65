"""What an exception is taken for where its traceback is cut or its text is another library's."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.report import Report

BOTO = (
    '  File "/opt/venv/lib/python3.12/site-packages/aiobotocore/httpsession.py", line 57, in send\n'
    "    raise ConnectTimeoutError(endpoint_url=url, error=e)\n"
    'botocore.exceptions.ConnectTimeoutError: Connect timeout on endpoint URL: "https://s3.example/a"\n'
)
WORKER = "[rank3]: FileNotFoundError: Caught FileNotFoundError in DataLoader worker process 2.\n"
CODE_IN_WORKER = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/train.py", line 7, in main\n'
    "AttributeError: Caught AttributeError in DataLoader worker process 0.\n"
    "Original Traceback (most recent call last):\n"
    '  File "/opt/job/dataset.py", line 7, in __getitem__\n'
    "AttributeError: 'Dataset' object has no attribute 'resize'\n"
)
ARROW = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/read.py", line 7, in read\n'
    "OSError: When reading information for key 'a/b' in bucket 'c': AWS Error NETWORK_CONNECTION during HeadObject "
    "operation: curlCode: 28, Timeout was reached\n"
)
GLOO = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/train.py", line 7, in main\n'
    "RuntimeError: [/opt/build/third_party/gloo/gloo/transport/tcp/pair.cc:799] connect [10.0.0.7]:13195: Connection "
    "refused\n"
)
HCCL = (
    "[rank1]: Traceback (most recent call last):\n"
    '[rank1]:   File "/opt/job/train.py", line 7, in main\n'
    "[rank1]: RuntimeError: InnerRunOpApi:torch_npu/csrc/framework/OpParamMaker.cpp:57 OPS function error: HcclAllreduce, "
    "error code is 6\n"
    "[rank1]: EI0006: [PID: 4242] 2026-01-02-03:04:05.678.901 Getting socket times out. Reason: Remote Rank did not send "
    "the data in time.\n"
)
CHILD = (
    "Traceback (most recent call last):\n"
    '  File "/opt/venv/lib/python3.8/site-packages/torch/distributed/launch.py", line 57, in main\n'
    "subprocess.CalledProcessError: Command '['python', 'train.py', '--local_rank=7']' died with <Signals.SIGSEGV: 11>.\n"
)
OLD_STORE = (
    "Traceback (most recent call last):\n"
    '  File "/opt/venv/lib/python3.9/site-packages/torch/distributed/elastic/rendezvous/c10d_rendezvous_backend.py", line 57, '
    "in _create_tcp_store\n"
    "RuntimeError: connect() timed out. Original timeout was 60000 ms.\n"
)
STALLED = (
    "WARNING: One or more tensors were submitted to be reduced, gathered or broadcasted by subset of ranks and are waiting\n"
    "Stalled ops:\nHorovodBroadcast_a_0 [missing ranks: 3]\nHorovodBroadcast_b_0 [missing ranks: 3]\n"
)
NPU_TAKEN = "EJ0001: 2026-01-02-03:04:05.678.901 Failed to initialize the HCCP process. Reason: Maybe the last\n"
MPI = "mpirun noticed that process rank 7 with PID 0 on node node007 exited on signal 9 (Killed).\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BOTO, "storage-io"),
        (WORKER, "data"),
        (CODE_IN_WORKER, "software"),
        (ARROW, "storage-io"),
        (GLOO, "init-rendezvous"),
        (HCCL, "unknown"),
        (CHILD, "software"),
        (CHILD.replace("SIGSEGV: 11", "SIGKILL: 9"), "host-oom"),
        (NPU_TAKEN, "init-rendezvous"),
        (OLD_STORE, "init-rendezvous"),
        (STALLED, "collective-mismatch"),
        (MPI, "infrastructure"),
    ],
    ids=[
        "frames-above",
        "worker",
        "code-in-worker",
        "arrow",
        "gloo",
        "hccl-victim",
        "crashed",
        "killed",
        "npu-taken",
        "old-store",
        "horovod",
        "mpirun",
    ],
)
def test_class(text: str, expected: str, report_of: Callable[[Mapping[str, str]], Report]) -> None:
    assert report_of({"job.log": text}).verdict.cls == expected


@pytest.mark.parametrize(("text", "rank"), [(MPI, 7), (STALLED, 3)], ids=["mpirun", "horovod"])
def test_the_rank_that_a_line_names(text: str, rank: int, report_of: Callable[[Mapping[str, str]], Report]) -> None:
    assert report_of({"job.log": text}).verdict.culprit_ranks == (rank,)
