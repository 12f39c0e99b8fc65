"""What NCCL, drivers and schedulers say of what failed, and what they only pass on: small logs, whole verdicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

NCCL = "node007:4411:4602 [1] "
RAISED = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/train.py", line 7, in main\n'
    "    work = default_pg.barrier(opts=opts)\n"
)
LOST = (
    RAISED
    + "torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:57, internal "
    "error, NCCL version 2.14.3\n"
    "ncclInternalError: Internal check failed.\n"
    "Last error:\n"
    "Net : Connection closed by remote peer node009<46776>\n"
)
RESET = (
    NCCL + "misc/socket.cc:57 NCCL WARN Net : Call to recv from 10.0.0.9<46776> failed : Broken pipe\n"
    "RuntimeError: NCCL error in: ../torch/csrc/distributed/c10d/NCCLUtils.hpp:57, internal error, NCCL version 2.14.3\n"
    "ncclInternalError: Internal check failed.\n"
)
AV = (
    "[1,7]<stdout>:"
    + NCCL
    + "create_nccl_ofi_component:57 NCCL WARN NET/OFI Couldn't open AV. RC: -22, ERROR: Invalid argument\n"
)
PREVIOUS = "kernel: NVRM: Xid (PCI:0000:91:00): 45, pid=4242, name=python3, Ch 00000001 caused by previous Xid 149\n"
UNREACHABLE = (
    RAISED + "RuntimeError: CUDA error: unspecified launch failure\n"
    "Unable to determine the device handle for GPU0000:91:00.0: Unknown Error\n"
)
SCRIPT = "slurmstepd: error: execve(): /var/spool/slurmd/job4821/slurm_script: No such file or directory\n"
HIP = "Cannot retrieve Static function, error: 218\nAborted (core dumped)\n"


@pytest.mark.parametrize(
    ("text", "expected", "line"),
    [
        (LOST, "unknown", None),
        (RESET, "unknown", None),
        (AV, "network", 1),
        (PREVIOUS, "gpu-hardware", 1),
        (UNREACHABLE, "gpu-hardware", 5),
        (SCRIPT, "infrastructure", 1),
        (HIP, "cuda-software", 1),
    ],
    ids=["last-error", "peer-reset", "libfabric", "xid-45-of-149", "gpu-unreachable", "slurm-script", "hip-code"],
)
def test_verdict(text: str, expected: str, line: int | None, report_of: ReportOf) -> None:
    verdict = report_of({"job.log": text}).verdict
    first = verdict.first_evidence
    assert verdict.cls == expected
    assert line is None or (first is not None and first.line == line)


def test_continuation_lines_belong_to_the_exception(report_of: ReportOf) -> None:
    """`Last error:` names the transport, where the exception's first line says only that a call failed."""
    text = LOST.replace("internal error", "unhandled system error").replace(
        "Net : Connection closed by remote peer node009<46776>",
        "NET/IB : Got completion from peer 10.0.0.9<46776> with error 4, opcode 0, len 0, vendor err 81 (Send)",
    )
    assert report_of({"job.log": text}).verdict.cls == "network"
