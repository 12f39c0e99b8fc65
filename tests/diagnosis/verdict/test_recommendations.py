"""What to do: said by the line that calls for it, with what the line and the verdict name filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

STEPS = "2026-11-21 04:10:00,000 INFO train: step 7 loss 2.31\n2026-11-21 04:10:01,000 INFO train: step 8 loss 2.30\n"
RAISED = 'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\n    main()\n'
HUNG = "".join(
    f"[rank{r}]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:683] [Rank {r}] Watchdog caught collective operation timeout: "
    "WorkNCCL(SeqNum=57, OpType=ALLREDUCE, NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600031 milliseconds before "
    "timing out.\n"
    for r in range(4)
)
XID = "Nov 21 04:02:00 node007 kernel: NVRM: Xid (PCI:0000:91:00): 119, pid=4242, name=python3, Timeout after 6s of waiting.\n"
TRUNCATED = "node007:4411:4583 [1] misc/socket.cc:50 NCCL WARN Message truncated : received 1024 bytes instead of 256\n"
OOM = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 5.70 GiB. GPU 3 has a total capacity of 79.33 GiB of which "
    "57.00 MiB is free. Including non-PyTorch memory, this process has 79.00 GiB memory in use.\n"
)


def version(nccl: str) -> str:
    return f"node007:4411:4583 [1] NCCL INFO NCCL version {nccl}+cuda12.4\n"


@pytest.mark.parametrize(
    ("log", "said"),
    [
        ({"dmesg-node007.txt": XID}, ["Xid 119 on node007, GPU 0000:91:00", "NVreg_EnableGpuFirmware=0", "keep node007 out"]),
        ({"job.log": STEPS + TRUNCATED + version("2.20.5")}, ["upgrade NCCL to 2.21 or later (this job runs 2.20.5)"]),
        ({"job.log": STEPS + RAISED + OOM}, ["PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"]),
        ({"job.log": "PyTorch version: 2.10.0\n" + STEPS + RAISED + OOM}, ["set PYTORCH_ALLOC_CONF=expandable_segments:True"]),
        ({"job.log": STEPS + RAISED + "OSError: [Errno 98] Address already in use\n"}, ["a port of its own: --master_port"]),
        ({"job.log": HUNG}, ["TORCH_NCCL_TRACE_BUFFER_SIZE=2000", "TORCH_NCCL_DUMP_ON_TIMEOUT=1", "NCCL_DEBUG=INFO"]),
        ({"job.log": "PyTorch version: 2.8.0\n" + HUNG}, ["TORCH_FR_BUFFER_SIZE=2000"]),
        ({"job.log": "TORCH_NCCL_TRACE_BUFFER_SIZE=2000\n" + HUNG}, ["collect the flight-recorder dumps"]),
        ({"job.log": RAISED + "TypeError: 57\n"}, ["fix what stopped the program at /opt/job/train.py:57 in main: TypeError: 57"]),
    ],
    ids=["xid", "old-nccl", "oom", "oom-2.10", "port", "hang", "hang-2.8", "recorder-on", "program"],
)  # fmt: skip
def test_advice_is_that_of_the_line(report_of: ReportOf, log: Mapping[str, str], said: list[str]) -> None:
    told = " / ".join(r.what for r in report_of(log).recommendations)
    assert all(words in told for words in said), told


@pytest.mark.parametrize(
    ("log", "unsaid"),
    [
        ({"job.log": STEPS + TRUNCATED + version("2.24.3")}, "upgrade NCCL"),
        (
            {"job.log": "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True\n" + STEPS + RAISED + OOM},
            "expandable_segments",
        ),
        ({"job.log": "TORCH_NCCL_TRACE_BUFFER_SIZE=2000\n" + HUNG}, "let the next run record"),
        ({"job.log": "NCCL_DEBUG=INFO\n" + HUNG}, "rerun with NCCL_DEBUG"),
    ],
    ids=["new-nccl", "set-already", "recorder-on", "nccl-speaks"],
)
def test_nothing_is_advised_that_the_log_refutes(report_of: ReportOf, log: Mapping[str, str], unsaid: str) -> None:
    assert not any(unsaid in r.what for r in report_of(log).recommendations)


def test_each_cites_the_line_that_calls_for_it(report_of: ReportOf) -> None:
    report = report_of({"dmesg-node007.txt": XID, "job.log": STEPS})
    assert {e.place for r in report.recommendations for e in r.because} == {"dmesg-node007.txt:1"}


def test_a_cited_line_is_explained(report_of: ReportOf) -> None:
    report = report_of({"job.log": STEPS + TRUNCATED})
    assert any("2.20" in m.what for m in report.verdict.meanings)


def test_no_placeholder_is_left(report_of: ReportOf) -> None:
    report = report_of({"job.log": STEPS + RAISED + OOM + HUNG, "dmesg-node007.txt": XID})
    assert not any("{" in r.what or "[" in r.what for r in report.recommendations)
