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
NODE_GONE = (
    "2026-01-02 03:04:05,678\tWARNING worker.py:57 -- The node with node id: ab57 and address: 10.0.0.7 and node name: 10.0.0.7 "
    "has been marked dead because the detector has missed too many heartbeats from it.\n"
    "ray.exceptions.RayActorError: The actor died unexpectedly before finishing this task.\n"
    "The actor is dead because its node has died.\n"
)
MPICH = "=   RANK 5 PID 4242 RUNNING AT node007\n=   KILLED BY SIGNAL: {signal}\n"
RICH = "RuntimeError: Broken pipe\n\nRendezvousConnectionError: The connection to the C10d store has failed.\n"
UMC = "[57.1] amdgpu 0000:c9:00.0: amdgpu: 2 uncorrectable hardware errors detected in umc block\n"
CCL = (
    "2026:01:02-03:04:05:(4242) |CCL_ERROR| global.cpp:57 getenv_local_coord: condition failed\n"
    "to get local_idx/count from ATL, set CCL_ZE_IPC_EXCHANGE=sockets explicitly\n"
)
SLOTS = "There are not enough slots available in the system to satisfy the 57\nslots that were requested by the application:\n"


@pytest.mark.parametrize(
    ("text", "expected", "line"),
    [
        (NODE_GONE, "infrastructure", 1),
        (MPICH.format(signal="9 (Killed)"), "host-oom", 2),
        (MPICH.format(signal="11 (Segmentation fault)"), "software", 2),
        (RICH, "unknown", None),
        (UMC, "gpu-hardware", 1),
        (CCL, "config", None),
        (SLOTS, "config", 1),
        (LOST, "unknown", None),
        (RESET, "unknown", None),
        (AV, "network", 1),
        (PREVIOUS, "gpu-hardware", 1),
        (UNREACHABLE, "gpu-hardware", 5),
        (SCRIPT, "infrastructure", 1),
        (HIP, "cuda-software", 1),
    ],
    ids=[
        "ray-node",
        "mpich-killed",
        "mpich-crashed",
        "store-gone",
        "amd-memory",
        "oneccl",
        "slots",
        "last-error",
        "peer-reset",
        "libfabric",
        "xid-45-of-149",
        "gpu-unreachable",
        "slurm-script",
        "hip-code",
    ],
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


FAULT = "Sep 03 02:14:17 node007 kernel: NVRM: Xid (PCI:0000:4e:00): {xid}, pid=4242, name=python3, Timeout after 45s of waiting\n"


@pytest.mark.parametrize(
    ("xid", "expected"), [("119", "gpu-hardware"), ("31", "cuda-software")], ids=["fault", "program"]
)
def test_the_driver_overrules_what_the_program_raised(xid: str, expected: str, report_of: ReportOf) -> None:
    """A traceback has no time, so that it would count as the earliest."""
    raised = RAISED + "RuntimeError: CUDA error: unspecified launch failure\n"
    assert report_of({"train.log": raised, "kern.log": FAULT.format(xid=xid)}).verdict.cls == expected


WAITED = (
    "[rank{r}]:[E909 09:55:29.307629539 ProcessGroupNCCL.cpp:607] [Rank {r}] Watchdog caught collective operation timeout: "
    "WorkNCCL(SeqNum=57, OpType=REDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600034 milliseconds before timing out.\n"
)


def test_ranks_that_are_not_heard_of_may_be_the_ones_waited_for(report_of: ReportOf) -> None:
    """Ranks 4 to 7 wait: a job of eight at least, and nothing says that the first four wait as well."""
    assert report_of({"job.log": "".join(WAITED.format(r=r) for r in range(4, 8))}).verdict.cls == "unknown"


TASK = (
    "1: [rank1]: Traceback (most recent call last):\n"
    '1: [rank1]:   File "/opt/job/train.py", line 7, in main\n'
    "1: [rank1]:     assert warmup < decay\n"
    "1: [rank1]: AssertionError\n"
    "srun: error: node007: task 1: Exited with exit code 1\n"
)
LIMIT = "slurmstepd: error: *** JOB 4821 ON node007 CANCELLED AT 2026-01-02T03:04:05 DUE TO TIME LIMIT ***\n"


@pytest.mark.parametrize(
    ("text", "expected"), [(TASK + LIMIT, "software"), (LIMIT + TASK, "infrastructure")], ids=["before", "after"]
)
def test_a_time_limit_that_met_a_failed_job(text: str, expected: str, report_of: ReportOf) -> None:
    assert report_of({"job.log": text}).verdict.cls == expected


LEFT = (
    "[rank0]:[W612 20:29:34.939253344 ProcessGroupNCCL.cpp:1566] Warning: WARNING: destroy_process_group() was not called "
    "before program exit, which can leak resources.\n"
)


@pytest.mark.parametrize(("text", "expected"), [(LEFT, "healthy"), (RAISED + "ValueError: 57\n" + LEFT, "software")])
def test_processes_that_leave_quietly(text: str, expected: str, report_of: ReportOf) -> None:
    assert report_of({"job.log": "shape (16, 32)\n" + text}).verdict.cls == expected


def test_no_network_plugin_is_no_wrong_use(report_of: ReportOf) -> None:
    text = LOST.replace("internal error", "invalid usage").replace(
        "ncclInternalError: Internal check failed", "ncclInvalidUsage: x"
    )
    text = text.replace("Net : Connection closed by remote peer node009<46776>", "Failed to initialize any NET plugin")
    assert report_of({"job.log": text}).verdict.cls == "network"


def test_python_without_its_script(report_of: ReportOf) -> None:
    text = "python: can't open file '/opt/job/train.py': [Errno 2] No such file or directory\n"
    assert report_of({"job.log": text}).verdict.cls == "config"
