"""What to do about a class of failure, where neither the rule nor any line that it cites says anything more specific."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass as C

BY_CLASS: dict[C, tuple[Advice, ...]] = {
    C.STORAGE_IO: (
        Advice("storage", "check the storage[ behind {line}] for that minute: capacity, quota, errors, restarts"),
        Advice("client", "retry reads with a deadline, and make a read that gives up name its object"),
    ),
    C.NETWORK: (
        Advice(
            "infrastructure",
            "check adapters, cables and switch ports[ of {host}], and run a two-node NCCL test[ between {host} and a peer]",
        ),
    ),
    C.GPU_HARDWARE: (
        Advice(
            "hardware",
            "look at the kernel log[ of {host}] for Xid lines, and run GPU diagnostics before it takes jobs again",
        ),
    ),
    C.GPU_OOM: (
        Advice(
            "training",
            "lower the memory needed[ on {rank}]: micro batch, activation checkpointing, sharding; compare ranks for imbalance",
        ),
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
    C.DATA: (Advice("training", "repair or skip what[ {line}] names, and check that every node sees the same files"),),
    C.DATA_LOADING_STALL: (
        Advice("client", "give every read a timeout, so that a stalled read becomes an error that names its object"),
        Advice("storage", "look at what served[ {object}] in that minute[, to {rank}]"),
    ),
    C.COLLECTIVE_MISMATCH: (
        Advice("training", "make every rank take the same branch around that collective, the same number of times"),
    ),
    C.INIT_RENDEZVOUS: (
        Advice(
            "infrastructure", "check that all nodes start within the rendezvous timeout and reach the master's port"
        ),
    ),
    C.SOFTWARE: (
        Advice("training", "fix what stopped the program[ at {where}][: {raised}]; all after it is consequence"),
    ),
    C.CONFIG: (Advice("training", "correct the setting[ that {line} names] and start again; no hardware is to blame"),),
    C.INFRASTRUCTURE: (Advice("infrastructure", "resubmit from the last complete checkpoint[, without {host}]"),),
    C.UNKNOWN: (
        Advice(
            "training",
            "[read what stands round {line}; ]if it hangs again, take stacks[ of {rank}][ on {host}] before it is killed: "
            "py-spy dump --pid PID",
        ),
    ),
    C.SLOW_TRAINING: (
        Advice("infrastructure", "compare the hosts of the slow span with the fast ones: clocks, links, storage"),
    ),
}
