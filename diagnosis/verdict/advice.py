"""What to do about a class of failure where the rule has nothing more specific to say."""

from __future__ import annotations

from logtui.diagnosis.verdict.rule import Advice
from logtui.parsers.pattern import FailureClass as C

BY_CLASS: dict[C, tuple[Advice, ...]] = {
    C.STORAGE_IO: (
        Advice(
            "storage",
            "check the storage behind the cited path or URL for that minute: capacity, quota, errors, restarts",
        ),
        Advice("client", "retry reads with a deadline, and make a read that gives up name its object"),
    ),
    C.NETWORK: (
        Advice(
            "infrastructure",
            "check the cited host's adapter, cable and switch port; run a two-node NCCL test between the named peers",
        ),
    ),
    C.GPU_HARDWARE: (
        Advice(
            "hardware",
            "drain the host, read its kernel log for Xid lines, run GPU diagnostics before it takes jobs again",
        ),
    ),
    C.GPU_OOM: (
        Advice(
            "training",
            "lower the memory of the cited rank: micro batch, activation checkpointing, sharding; compare ranks for imbalance",
        ),
        Advice("infrastructure", "make sure that no process of an earlier run still holds memory on that GPU"),
    ),
    C.CUDA_SOFTWARE: (
        Advice(
            "training",
            "rerun the failing step with CUDA_LAUNCH_BLOCKING=1 to find the kernel; check library versions against PyTorch's",
        ),
    ),
    C.HOST_OOM: (
        Advice("infrastructure", "raise the memory limit of the job or container, and the size of /dev/shm"),
        Advice("training", "use fewer loader workers, and shard what a single rank gathers on the CPU"),
    ),
    C.DATA: (
        Advice("training", "repair or skip the named sample or file, and check that every node sees the same files"),
    ),
    C.DATA_LOADING_STALL: (
        Advice("client", "give every read a timeout, so that a stalled read becomes an error that names its object"),
        Advice("storage", "look at what served the cited object in that minute"),
    ),
    C.COLLECTIVE_MISMATCH: (
        Advice(
            "training",
            "make every rank take the same branch around that collective; rerun with TORCH_DISTRIBUTED_DEBUG=DETAIL",
        ),
    ),
    C.INIT_RENDEZVOUS: (
        Advice(
            "infrastructure", "check that all nodes start within the rendezvous timeout and reach the endpoint's port"
        ),
    ),
    C.SOFTWARE: (Advice("training", "fix the cited line of code; everything after it is consequence"),),
    C.CONFIG: (Advice("training", "correct the cited setting and start again; no hardware is to blame"),),
    C.INFRASTRUCTURE: (
        Advice("infrastructure", "resubmit from the last complete checkpoint; exclude the named host if there is one"),
    ),
    C.SLOW_TRAINING: (
        Advice("infrastructure", "compare the hosts of the slow span with the fast ones: clocks, links, storage"),
    ),
}
