"""What job to write: its size, its layout on disk, what goes wrong in it; and the truth about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from logtui.parsers.pattern import FailureClass

# -- The job to write

VERSIONS = ("1.12", "1.13", "2.0", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "2.8", "2.9", "2.10", "2.14")
"""PyTorch releases whose wordings are known and differ."""

Version = tuple[int, int]
"""A PyTorch release, comparable."""

MAX_WORLD = 16_384


class Fault(StrEnum):
    """What goes wrong in the jobs that benchmarks and tests go through."""

    DATA_STALL = "data_stall"
    """One rank waits for its data and never enters the collective."""
    STORAGE_STALL = "storage_stall"
    """Batches are cut short by AIStore; one rank waits for the rest and never enters the collective."""
    STRAGGLER_USER_CODE = "straggler_user_code"
    """One rank is stuck in checkpointing, evaluation or logging."""
    STRAGGLER_BEHIND = "straggler_behind"
    """One rank goes on enqueuing, but its GPU finishes nothing any more."""
    BROADCAST_ROOT_AHEAD = "broadcast_root_ahead"
    """One rank never enters a broadcast; its root is done with it and waits further on."""
    FABRIC = "fabric"
    """All ranks entered, none finishes."""
    MISMATCH = "mismatch"
    """One rank calls another collective, or another size, at the same sequence number."""
    CHAIN = "chain"
    """One rank stalls; the others wait for it through tensor, data and pipeline groups."""
    EXCEPTION_ONE_RANK = "exception_one_rank"
    DATALOADER_EXCEPTION = "dataloader_exception"
    GPU_OOM = "gpu_oom"
    HOST_OOM = "host_oom"
    SIGKILL = "sigkill"
    SIGBUS_SHM = "sigbus_shm"
    ECC = "ecc"
    ILLEGAL_ACCESS = "illegal_access"
    WATCHDOG_STUCK = "watchdog_stuck"
    """One rank's process is wedged inside a CUDA call; its own monitor says so."""
    LINK_DOWN = "link_down"
    """One network port goes down; its peers' transport errors out, the rest times out."""
    UNEVEN_INPUTS = "uneven_inputs"
    """Some ranks run out of data before the others and leave the training loop."""
    BAD_MOUNT = "bad_mount"
    """Every rank of one node misses a file that the others find."""
    NAN = "nan"
    DISK_FULL = "disk_full"
    TIME_LIMIT = "time_limit"
    PREEMPTED = "preempted"
    CANCELLED = "cancelled"
    NODE_FAILURE = "node_failure"
    RENDEZVOUS_TIMEOUT = "rendezvous_timeout"
    PORT_IN_USE = "port_in_use"
    SLOW = "slow"
    HEALTHY = "healthy"
    RESTART_THEN_FAIL = "restart_then_fail"


class Framework(StrEnum):
    """Whose headers and step lines the job prints."""

    MEGATRON = "megatron"
    NEMO = "nemo"
    LIGHTNING = "lightning"
    DEEPSPEED = "deepspeed"
    HUGGINGFACE = "huggingface"
    PLAIN = "plain"


class Layout(StrEnum):
    """How the lines reach files; it implies the launcher."""

    PER_NODE = "per_node"
    """torchrun under srun: `error-JOB-N.out` and `output-JOB-N.out` for each node, srun's own lines apart."""
    MERGED = "merged"
    """`srun --label`, one task a rank, one file."""
    TORCHRUN_TREE = "torchrun_tree"
    """torchrun `--log-dir`: `RUN_RANDOM/attempt_0/LOCAL/stderr.log`, one random folder a node."""
    TEE = "tee"
    """torchrun `--tee`: one file a node, `[default3]:` before each line."""
    PDSH = "pdsh"
    """DeepSpeed's launcher: one file, `host: ` before each line."""


class Survivors(StrEnum):
    """What becomes of the ranks that outlive a crash on another node."""

    TIMEOUT = "timeout"
    """They wait until their own watchdogs fire."""
    TERMINATED = "terminated"
    """srun ends them within seconds (`--kill-on-bad-exit`)."""


@dataclass(frozen=True, slots=True)
class JobSpec:
    """One job to write. Equal specs give equal bytes."""

    name: str = "job"
    fault: str = Fault.DATA_STALL
    """One of `Fault`, or a name that another module of `faults/` tells."""
    world_size: int = 8
    gpus_per_node: int = 8
    framework: Framework = Framework.PLAIN
    pytorch: str = "2.7"
    culprits: tuple[int, ...] = ()
    """Global ranks to blame; empty: one is drawn from the seed."""
    layout: Layout = Layout.PER_NODE
    elastic: bool = True
    """torchrun hands out node ranks in order of arrival: node file 0 may hold ranks 8 to 15."""
    seed: int = 0
    job_id: int = 4821
    start: float = 1_771_942_560.0
    """First line, in seconds since the epoch, wall clock taken as UTC (default 2026-02-24 14:16:00)."""
    timeout_s: int = 600
    """Limit of a collective."""
    seq: int = 1234
    """Sequence number of the collective that the fault meets."""
    op: str = "ALLREDUCE"
    step_s: float = 10.3
    """Time of a normal step."""
    ahead: int = 0
    """How many innocent ranks have more operations queued behind the one they wait in."""
    tensor_parallel: int = 1
    pipeline_parallel: int = 1
    survivors: Survivors = Survivors.TIMEOUT
    recorder: bool | None = None
    """Flight recorder on: stack traces in the log, dumps. None: as the PyTorch release has it by default."""
    attempts: int = 2
    """How often a restarted job is started; the verdict is about the last time."""
    recurring: bool = False
    """A restarted job fails of the same rank each time; otherwise of another one before the last time."""
    slow_from: int = 0
    """Step from which a slow job is slow; 0: half way."""
    slow_ratio: float = 3.2
    size_bytes: int = 0
    """Pad with harmless lines to about this size."""
    noise: bool = True
    """NCCL INFO, warnings, progress bars with carriage returns, colours, records glued together."""

    def __post_init__(self) -> None:
        """Refuse what cannot be a job. Raises ValueError."""
        if self.pytorch not in VERSIONS:
            raise ValueError(f"PyTorch {self.pytorch} is not one of {', '.join(VERSIONS)}")
        if not 1 <= self.world_size <= MAX_WORLD or self.gpus_per_node < 1:
            raise ValueError(f"world size {self.world_size} is not within 1 to {MAX_WORLD}")
        model = self.tensor_parallel * self.pipeline_parallel
        if model < 1 or self.world_size % model:
            raise ValueError(
                f"{self.world_size} ranks do not divide into TP {self.tensor_parallel} × PP {self.pipeline_parallel}"
            )
        if any(not 0 <= r < self.world_size for r in self.culprits):
            raise ValueError(f"culprits {self.culprits} are outside the {self.world_size} ranks")
        if self.attempts < 2:
            raise ValueError(f"a job that is restarted has at least 2 attempts, not {self.attempts}")
        if self.fault == Fault.CHAIN and self.tensor_parallel < 2:
            raise ValueError("a chain of waits needs tensor_parallel of at least 2")

    @property
    def version(self) -> Version:
        """The PyTorch release as numbers: `2.10` is later than `2.9`."""
        major, minor = self.pytorch.split(".")
        return int(major), int(minor)

    @property
    def records_flight(self) -> bool:
        """The flight recorder is on: asked for, or the release's default (from 2.11)."""
        return self.version >= (2, 11) if self.recorder is None else self.recorder


# -- The truth about it


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a written file. Lines count from 1."""

    file: str
    line: int
    text: str
    """What the line holds, without the prefixes that the layout puts before it."""


@dataclass(frozen=True, slots=True)
class NcclState:
    """Sequence numbers of one rank in one process group, as its log prints them."""

    pg: str
    """`default_pg`, or the group's description."""
    enqueued: int
    completed: int
    guid: str = "0"


@dataclass(frozen=True, slots=True)
class Truth:
    """The answer that a diagnosis is measured against."""

    cls: FailureClass
    title: str
    undecidable: str = ""
    """What the files do not hold: naming nobody, and saying so, is as right as naming the culprit. "" where they do."""
    accept: tuple[FailureClass, ...] = ()
    """Other classes that the lines equally support."""
    culprit_ranks: tuple[int, ...] = ()
    culprit_hosts: tuple[str, ...] = ()
    first_bad_line: Place | None = None
    """The earliest line that shows the cause."""
    also_first: tuple[Place, ...] = ()
    """Lines that are as good an answer."""
    nccl_state: Mapping[int, NcclState] = field(default_factory=dict)
    """By rank, where the log prints counters; none before PyTorch 2.3."""
    watchdog_ranks: tuple[int, ...] = ()
    observed_ranks: tuple[int, ...] = ()
    last_step: int | None = None
    last_steps: Mapping[int, int] = field(default_factory=dict)
    """Last step that each rank's own lines show; ranks that print none are absent."""
    places: Mapping[str, Place] = field(default_factory=dict)
    """Named lines: `timeout.57`, `status.57`, `observed.57`, `exception.3`, `exit.3`, `cancel`, `last_words.57` …"""
    hosts: Mapping[int, str] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    bytes: int = 0

    def as_dict(self) -> dict[str, Any]:
        """As a case's `truth.json` holds it."""
        return {
            "class": self.cls.value,
            "class_accept": [c.value for c in (self.cls, *self.accept)],
            "root_cause": self.title,
            "established_by": "generated",
            "culprit_ranks": list(self.culprit_ranks),
            "culprit_hosts": list(self.culprit_hosts),
            "first_bad_line": _place(self.first_bad_line),
            "also_first": [_place(p) for p in self.also_first],
            "nccl_state": {str(r): _state(s) for r, s in sorted(self.nccl_state.items())} or None,
            "watchdog_ranks": list(self.watchdog_ranks),
            "observed_ranks": list(self.observed_ranks),
            "last_step": self.last_step,
        }


def _place(place: Place | None) -> dict[str, Any] | None:
    return None if place is None else {"file": place.file, "line": place.line}


def _state(state: NcclState) -> dict[str, Any]:
    return {"pg": state.pg, "enqueued": state.enqueued, "completed": state.completed}
