"""What NCCL, drivers and schedulers say of what failed, and what they only pass on: small logs, whole verdicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

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


CACHED = "Using the latest cached version of the dataset since a/b couldn't be found on the Hugging Face Hub (offline mode is enabled).\n"
AT_EXIT = (
    "Exception ignored in atexit callback: <function f at 0x7f>\n"
    + RAISED
    + "FileNotFoundError: [Errno 2] No such file\n"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LEFT, "healthy"),
        (CACHED + LEFT, "healthy"),
        (AT_EXIT + LEFT, "healthy"),
        (RAISED + "ValueError: 57\n" + LEFT, "software"),
    ],
)
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


NAME = "The hostname of the client socket cannot be retrieved. err=-3"


@pytest.mark.parametrize("other", [57, 58, 1211], ids=["together", "root of a broadcast", "scattered"])
def test_nobody_is_blamed_where_the_others_wait_in_different_places(other: int, report_of: ReportOf) -> None:
    """Ranks 4 and 5 time out in nothing; the others wait in one operation, or rank 0 in one of its own."""
    waiting = "".join(WAITED.format(r=r) for r in (1, 2, 3, 6, 7))
    odd = WAITED.format(r=0).replace("SeqNum=57", f"SeqNum={other}")
    spoke = "".join(f"[rank{r}]:[W909 09:45:02.307629539 socket.cpp:57] [c10d] {NAME}\n" for r in range(8))
    text = (spoke + odd + waiting).replace("REDUCE", "ALLREDUCE")
    ranks = report_of({"job.log": text}).verdict.culprit_ranks
    assert ranks == ((4, 5) if other < 1211 else ())


HELPER = "Traceback (most recent call last):\n  File \"<stdin>\", line 5, in <module>\nKeyError: 'GPU_IDS'\n"
START = "[2026-01-02 03:04:05,678] [INFO] [launch.py:57:main] WORLD INFO DICT: {'node006': [0, 1], 'node007': [0, 1]}\n"


def test_a_helper_that_failed_before_the_ranks_were_started(report_of: ReportOf) -> None:
    failed = RAISED + "FileNotFoundError: [Errno 2] No such file or directory: '/data/index_doc_idx.npy'\n"
    text = HELPER + START + "".join(f"[rank4]: {line}\n" for line in failed.splitlines())
    assert report_of({"job.log": text}).verdict.culprit_ranks == (4,)
    assert report_of({"job.log": HELPER + START}).verdict.cls == "software"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("run.sh: line 7:  4242 Hangup                  python train.py\n", "infrastructure"),
        ("run.sh: line 7: MASTER_ADDR: unbound variable\n", "config"),
    ],
)
def test_words_of_the_shell(line: str, expected: str, report_of: ReportOf) -> None:
    assert report_of({"job.log": line + "resetting clocks\n" * 5}).verdict.cls == expected


INDUCTOR = "[rank3]:W0619 13:43:42.034000 4242 torch/_inductor/codecache.py:1045] [1/2_1] {text}\n"


def test_what_torch_logs_as_a_warning_it_has_caught(report_of: ReportOf) -> None:
    failed = RAISED + "FileNotFoundError: [Errno 2] No such file or directory: '/tmp/fx/data.bin'\n"
    text = "".join(INDUCTOR.format(text=line) for line in ["unable to load compiled graph", *failed.splitlines()])
    assert report_of({"job.log": text}).verdict.cls in ("unknown", "healthy")
    assert report_of({"job.log": failed}).verdict.cls == "data"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            NCCL + "transport/p2p.cu:57 NCCL WARN failed to open CUDA IPC handle : 11 invalid argument\n",
            "cuda-software",
        ),
        ("node007: Test CUDA failure common.cu:57 'invalid device ordinal'\n", "config"),
        ("ORTE was unable to reliably start one or more daemons.\n", "init-rendezvous"),
        (RAISED.replace("train", "serialization") + "RuntimeError: File out/a.pt cannot be opened.\n", "storage-io"),
    ],
    ids=["ipc", "ordinal", "orte", "checkpoint"],
)
def test_words_of_libraries(line: str, expected: str, report_of: ReportOf) -> None:
    assert report_of({"job.log": line}).verdict.cls == expected


@pytest.mark.parametrize(
    ("event", "hosts"),
    [
        ("2m   Normal   NodeNotReady   node/node-07   Node node-07 status is now: NodeNotReady", ("node-07",)),
        ("2m   Warning   NodeNotReady   pod/llama-worker-3   Node is not ready", ("llama-worker-3",)),
        ("2m   Warning   Evicted   pod/llama-worker-3   The node was low on resource: memory.", ("llama-worker-3",)),
        ("2m   Normal   Preempted   pod/llama-worker-3   Preempted by ml/urgent-0 on node node-07", ()),
    ],
    ids=["node", "pod", "evicted", "preempted"],
)
def test_the_object_of_an_event_is_the_host(event: str, hosts: tuple[str, ...], report_of: ReportOf) -> None:
    head = "LAST SEEN   TYPE      REASON                 OBJECT                 MESSAGE\n"
    verdict = report_of({"events.log": head + event + "\n"}).verdict
    assert (verdict.rule, verdict.culprit_hosts) == ("scheduler-end", hosts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[Judge] Attempt 3/3\n", "healthy"),
        ("Attempt 3/3 failed: connection to the bucket was lost\n", "storage-io"),
        ("Retrying 3/3\n", "storage-io"),
    ],
)
def test_attempts_at_something_else_are_no_requests(text: str, expected: str, report_of: ReportOf) -> None:
    assert report_of({"job.log": "shape (16, 32)\n" + text}).verdict.cls == expected


SERVER = "(APIServer pid=4242) {level} 01-02 03:04:05 [system_utils.py:57] {text}\n"
QUOTED = "the limit is 1024: it can cause errors like `OSError: [Errno 24] Too many open files`"


MET = "accept failed: [Errno 24] Too many open files"


@pytest.mark.parametrize(
    ("level", "said", "expected"),
    [("WARNING", QUOTED, "infrastructure"), ("WARNING", MET, "infrastructure"), ("ERROR", MET, "software")],
    ids=["quoted", "warned of", "met"],
)
def test_what_a_server_of_several_processes_warns_of(level: str, said: str, expected: str, report_of: ReportOf) -> None:
    """Before the time limit ends it, hours later."""
    served = SERVER.format(level="INFO", text="Avg prompt throughput: 57.1 tokens/s, Running: 0 reqs") * 357
    limit = "slurmstepd: error: *** JOB 4821 ON node000 CANCELLED AT 2026-01-02T07:04:05 DUE TO TIME LIMIT ***\n"
    text = SERVER.format(level=level, text=said) + served + limit
    assert report_of({"server.out": text}).verdict.cls == expected
