"""Whole verdicts on small jobs: the class, the ranks to blame, the first line that shows the cause, and how sure it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

QUOTA = (
    "  0%|          | 0/570 [00:00<?, ?it/s]\n 42%|####      | 240/570 [05:11<07:09,  1.31s/it]Traceback (most recent call last):\n"
    '  File "/workspace/train.py", line 88, in <module>\n'
    "    trainer.save(path)\n"
    "OSError: [Errno 122] Disk quota exceeded: '/scratch/out'\n"
)
SMI = (
    "==============NVSMI LOG==============\n\n"
    "Driver Version                            : 570.57.01\n"
    "Attached GPUs                             : {gpus}\n"
    "GPU 00000000:06:00.0\n"
    "            DRAM Uncorrectable            : 57\n"
)
REPORTED = (
    'worker-7 on 10.0.0.7 restart 0 fails: {\n  "57": {\n    "local_rank": 1,\n    "exitcode": -6,\n    "message": {\n'
    '      "message": "RuntimeError: CUDA error: uncorrectable ECC error encountered\\\\n"\n    }\n  }\n}\n'
)
EXITED = (
    "srun: error: node001: task 0: Exited with exit code {code}\nsrun: error: node002: task 1: Aborted (core dumped)\n"
)
ABORTED = "node002:4411:4602 [0] NCCL INFO comm 0x55d0aa10 rank 1 nranks 2 cudaDev 0 busId 1b000 - Abort COMPLETE\n"
MLPERF = ':::MLLOG {{"namespace": "", "time_ms": 1764000000000, "event_type": "INTERVAL_END", "key": "run_stop", "value": null, "metadata": {{"status": "{status}"}}}}\n'
ENDED = "ENDING TIMING RUN AT 2026-02-24 03:22:25 PM\n"
AGENT = "E1121 04:12:1{n}.014000 11807 torch/distributed/elastic/multiprocessing/api.py:1002] failed (exitcode: {code}) local_rank: {r} (pid: 42{r}) of binary: /usr/bin/python3\n"
RANKS = "".join(
    f"[default{r}]:[rank{r}]:[W1121 04:12:09.112358132 socket.cpp:207] [c10d] The hostname of the client socket cannot be "
    "retrieved. err=-3\n"
    for r in range(8)
)
IMPORT = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/train.py", line 7, in <module>\n'
    "    import fused_adam\n"
    "ImportError: /opt/venv/lib/python3.12/site-packages/fused_adam.so: undefined symbol: _ZN3c105ErrorE\n"
)
STORE = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/train.py", line 4, in <module>\n'
    "    dist.init_process_group()\n"
    "torch.distributed.DistStoreError: Timed out after 121 seconds waiting for clients. 1/2 clients joined.\n"
)
CLIENT = (
    "[E1121 04:12:09.301344821 socket.cpp:1011] [c10d] The client socket has timed out after 120000ms while trying to "
    "connect to (node001, 29500).\n"
)
WARN = "node001:4411:4602 [1] include/socket.h:403 NCCL WARN Connect to 10.0.0.9<56821> failed : Connection refused\n"
SYSTEM = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/train.py", line 4, in <module>\n'
    "    dist.barrier()\n"
    "RuntimeError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:825, unhandled system error, NCCL version 2.7.8\n"
)
UCX = (
    "0: [1764000000.838971] [node001:4411:2]    cuda_ipc_md.c:62   UCX  ERROR cuCtxGetDevice(&cu_device) is failed. ret:invalid "
    "device context\n1: hello\n"
    "0: [node001:4411:2:4455] Caught signal 11 (Segmentation fault: address not mapped to object at address 0x20)\n"
    "srun: error: node001: task 0: Segmentation fault\n"
)
NODE_LOST = "terminate called after throwing an instance of 'c10::CUDAError'\n  what():  CUDA error: unknown error\nsrun: error: Node failure on node007\n"
ACTOR = "(Trainer pid={pid}) "
RAY = (
    ACTOR.format(pid=4242)
    + CLIENT
    + ACTOR.format(pid=4243)
    + "[rank1]:[W1121 04:22:52.871983384 TCPStore.cpp:125] [c10d] recvValue failed on SocketImpl(fd=81, addr=[node001]:50270, "
    "remote=[node001]:29500): Failed to recv, got 0 bytes.\n"
    "(raylet) A worker died or was killed while executing a task by an unexpected system error.\n"
)
DRIVER = (
    'RuntimeError: p INTERNAL ASSERT FAILED at "../c10/cuda/driver_api.cpp":27, please report a bug to PyTorch. Can\'t find '
    "nvmlDeviceGetNvLinkState_v9: /lib64/libnvidia-ml.so.1: undefined symbol: nvmlDeviceGetNvLinkState_v9\n"
)


PORT = "node001:4411:4602 [0] transport/net_ib.cc:94 NCCL WARN NET/IB : mlx5_0:1 Got async event : port error\n"
NO_ANSWER = (
    "node000:4411:4602 [0] transport/net_ib.cc:1295 NCCL WARN NET/IB : Got completion from peer 10.14.0.5<40731> with "
    "status=12 opcode=0 len=0 vendor err 129 (Recv)\n"
)
INIT = "".join(
    f"node00{6 + r // 4}:424{r}:99 [{r % 4}] NCCL INFO ncclCommInitRank comm 0x55d0 rank {r} nranks 8 cudaDev {r % 4} nvmlDev "
    f"{r % 4} busId {bus}000 commId 0xaa - Init COMPLETE\n"
    for r, bus in enumerate(("11", "51", "91", "b1") * 2)
)
XID = "Nov 21 04:02:00 node007 kernel: NVRM: Xid (PCI:0000:91:00): 79, pid=4242, name=python3, GPU has fallen off the bus.\n"


def iterations(*loss: str) -> str:
    """Megatron's lines, one an iteration."""
    return "".join(
        f" [2026-11-21 03:{n // 60:02d}:{n % 60:02d}] iteration {n:8d}/     500 | consumed samples: {n * 64:12d} | elapsed time "
        f"per iteration (ms): 3512.4 | learning rate: 1.0E-04 | global batch size:    64 | lm loss: {text} | loss scale: 1.0 | "
        f"grad norm: 0.812 | number of skipped iterations:   0 | number of nan iterations:   {int(text == 'NaN')} |\n"
        for n, text in enumerate(loss, 1)
    )


LIMIT = "slurmstepd: error: *** JOB 4821 ON node007 CANCELLED AT 2026-11-21T03:11:00 DUE TO TIME LIMIT ***\n"


DONE = "{'train_runtime': 57.1, 'train_samples_per_second': 8.1, 'train_steps_per_second': 1.0, 'train_loss': 1.91, 'epoch': 3.0}\n"
NO_ROOM = "cp: error writing '/ckpt/a': No space left on device\n"


@dataclass(frozen=True)
class Job:
    """Some logs, and what must be said of them; None where a test does not care."""

    id: str
    logs: Mapping[str, str]
    cls: str
    ranks: tuple[int, ...] | None = None
    first: str | None = None
    confidence: str | None = None


JOBS = (
    Job("one process", {"train.log": QUOTA}, "storage-io", (0,), "train.log:5"),
    Job("one of several, unknown", {"train.log": QUOTA.replace("/workspace/train.py", "/opt/megatron/train.py")}, "storage-io", ()),
    Job("several processes", {"train.log": "srun: error: node001: task 0: Killed\n" + QUOTA}, "storage-io", ()),
    Job("a node of one GPU", {"ecc.txt": SMI.format(gpus=1)}, "gpu-hardware", (0,), "ecc.txt:6"),
    Job("a node of eight GPUs", {"ecc.txt": SMI.format(gpus=8)}, "gpu-hardware", ()),
    Job("told to the job master", {"master.log": REPORTED}, "gpu-hardware", (57,)),
    Job("ended first, no traceback", {"slurm.out": ABORTED, "slurm.err": EXITED.format(code=1)}, "unknown", (0,), "slurm.err:1", "low"),
    Job("ended first, a code of its own", {"slurm.out": ABORTED, "slurm.err": EXITED.format(code=3)}, "software", (0,), "slurm.err:1"),
    Job("short of its target", {"result.txt": MLPERF.format(status="aborted") + ENDED}, "unknown", (), "result.txt:1"),
    Job("reached its target", {"result.txt": MLPERF.format(status="success") + ENDED}, "healthy", ()),
    Job("killed, nobody says why", {"job.log": RANKS + AGENT.format(n=2, r=2, code=-9)}, "host-oom", (2,), "job.log:9", "low"),
    Job("killed together", {"job.log": RANKS + "".join(AGENT.format(n=r, r=r, code=-9) for r in (2, 3, 4))}, "infrastructure", (2, 3, 4)),
    Job("an import ended all", {"job.log": IMPORT * 8 + AGENT.format(n=2, r=2, code=1)}, "software", (), "job.log:4"),
    Job("the client knows", {"rank0.log": STORE, "rank1.log": CLIENT}, "init-rendezvous", (1,), "rank1.log:1"),
    Job("the store alone", {"rank0.log": STORE}, "init-rendezvous", None, "rank0.log:4"),
    Job("NCCL warned before", {"debug.txt": WARN, "python.txt": SYSTEM}, "network", None, "debug.txt:1"),
    Job("complained before it crashed", {"slurm.out": UCX}, "software", (0,), "slurm.out:1"),
    Job("the node's GPUs went first", {"job.log": NODE_LOST}, "infrastructure", None, "job.log:2"),
    Job("the other actor", {"driver.log": RAY}, "init-rendezvous", (0,), "driver.log:1"),
    Job("a port failed", {"a.log": NO_ANSWER, "b.log": PORT}, "network", None, "b.log:1"),
    Job("a peer does not answer", {"a.log": NO_ANSWER}, "network", None, "a.log:1"),
    Job("a GPU by its address", {"dmesg.txt": XID, "job.log": INIT}, "gpu-hardware", (6,), "dmesg.txt:1"),
    Job("a GPU of another node", {"dmesg.txt": XID.replace("node007", "node009"), "job.log": INIT}, "gpu-hardware", ()),
    Job("NaN ever since", {"job.log": iterations(*["2.31E+00"] * 9, *["NaN"] * 30)}, "software", None, "job.log:10"),
    Job("NaN once, and at the end", {"job.log": iterations("2.31E+00", "NaN", *["2.31E+00"] * 30, "NaN")}, "software", None, "job.log:33"),
    Job("a limit, and no word of what ran", {"slurm.out": LIMIT}, "infrastructure", (), "slurm.out:1", "low"),
    Job("a limit that met steps", {"slurm.out": iterations(*["2.31E+00"] * 30) + LIMIT}, "infrastructure", (), "slurm.out:31", "high"),
    Job("saved, and no room for it", {"job.log": DONE + NO_ROOM}, "storage-io", None, "job.log:2"),
    Job("no room once, and done", {"job.log": NO_ROOM + DONE}, "healthy", ()),
    Job("neither done nor stopped", {"job.log": "[ASYNC] Training completed or interrupted\n(raylet) The actor is dead because its worker process has died.\n"}, "unknown", ()),
    Job("an old driver", {"job.log": DRIVER}, "cuda-software", None, "job.log:1", "medium"),
)  # fmt: skip


@pytest.mark.parametrize("job", JOBS, ids=lambda j: j.id)
def test_a_verdict(report_of: ReportOf, job: Job) -> None:
    verdict = report_of(job.logs).verdict
    assert verdict.cls == job.cls, verdict.title
    if job.ranks is not None:
        assert verdict.culprit_ranks == job.ranks
    if job.first is not None:
        assert verdict.first_evidence is not None and verdict.first_evidence.place == job.first
    if job.confidence is not None:
        assert verdict.confidence == job.confidence


def test_one_monitor_among_many_silent_ranks_decides_nothing(report_of: ReportOf) -> None:
    text = (
        "[rank25]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:1895] [PG ID 0 PG GUID 0(default_pg) Rank 25] "
        "ProcessGroupNCCL's watchdog got stuck for 480 seconds without making progress in monitoring enqueued collectives.\n"
    )
    assert report_of({"rank25.log": text}).verdict.cls == "unknown"
