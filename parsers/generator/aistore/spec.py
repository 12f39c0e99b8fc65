"""Which AIStore daemons to write, and what really happened in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

VERSIONS = ("4.1", "4.2", "4.4", "4.6", "4.9", "5.0")
"""Releases whose words are known."""


class AisFault(StrEnum):
    """What goes wrong on the storage side."""

    HEALTHY = "healthy"
    """Nothing: batches are served, the job ends."""
    DISK_PRESSURE = "disk_pressure"
    """All disks of one target saturate; another target waits for it, then cuts a batch short."""
    SLOW_DISK = "slow_disk"
    """One disk of one target saturates, with the same end."""
    PEER_RESTART = "peer_restart"
    """One target's process is replaced in the middle of a batch."""
    CLIENT_GONE = "client_gone"
    """The clients die first; the targets only notice."""


class Packing(StrEnum):
    """How the files reach the engineer."""

    DIRECTORIES = "directories"
    """One directory per node, as unpacked."""
    ARCHIVES = "archives"
    """`aistarget-<id>.tar.gz` per node, flat, as `ais log get cluster DIR` leaves them."""
    SINGLE = "single"
    """Only the newest INFO file of each node, without extension, as `ais log get NODE DIR` leaves it."""
    STREAM = "stream"
    """One concatenated stream per node, each line stamped by the collector, as `kubectl logs --timestamps` prints."""


@dataclass(frozen=True, slots=True)
class AisSpec:
    """One cluster to write. Times are true UTC epochs. Equal specs give equal bytes."""

    version: str = "4.1"
    """One of `VERSIONS`: their wordings differ."""
    fault: AisFault = AisFault.DISK_PRESSURE
    failure: float = 1_773_274_622.9
    """When the first batch is cut short (default 2026-03-12 00:17:02.9 UTC)."""
    history_s: float = 5_760.0
    """How long the daemons had run by then."""
    aftermath_s: float = 1_500.0
    """How long they run on."""
    job_s: float = 5_100.0
    """How long the job had read by the failure."""
    targets: int = 3
    disks: int = 10
    ranks: int = 16
    """Clients of the job."""
    zone: str = "UTC"
    """Abbreviation that the hourly markers print."""
    zone_s: int = 0
    """Seconds that the daemons' zone is ahead of UTC."""
    skew_s: int = 0
    """Seconds that their clocks go fast."""
    max_size: int = 0
    """Bytes after which a file rotates; 0: never."""
    error_files: bool = False
    """Also the ERROR files; downloads do not hold them."""
    packing: Packing = Packing.DIRECTORIES
    clean_stop: bool = True
    """Whether a replaced process says that it terminates."""
    decoy_restart: bool = True
    """A harmless restart of another target, long after the failure."""
    job_ids: bool = True
    """Whether the clients' errors quote request ids."""
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be written. Raises ValueError."""
        if self.version not in VERSIONS:
            raise ValueError(f"AIStore {self.version} is not one of {', '.join(VERSIONS)}")
        if self.targets < 2 or self.disks < 1 or self.ranks < 2:
            raise ValueError("needs at least two targets, a disk each, and two ranks")


@dataclass(frozen=True, slots=True)
class ClientEvent:
    """One line that a rank prints, without any prefix or stamp."""

    time: float
    """True UTC epoch."""
    rank: int
    level: str
    """`WARNING` or `ERROR`."""
    text: str


@dataclass(frozen=True, slots=True)
class AisPlace:
    """A line of a written file, before packing."""

    file: str
    line: int
    time: float
    """True UTC epoch."""


@dataclass(frozen=True, slots=True)
class AisFile:
    """One written file and the time it covers."""

    name: str
    """As logtui shows it, packing included."""
    node: str
    opening: str
    start: float
    end: float
    """Epochs by the daemon's own clock, taken as UTC."""


@dataclass(frozen=True, slots=True)
class AisTruth:
    """What a diagnosis of the written cluster must find."""

    implicated: bool
    """Whether the storage side is to blame for the clients' errors."""
    culprit: str
    """Node ID to blame; "" for none."""
    assembler: str
    """Node ID of the designated target that cut the batch; "" for none."""
    nodes: Mapping[str, str]
    """Node ID → shortened host."""
    files: tuple[AisFile, ...]
    restarts: Mapping[str, float]
    """Node ID → start of its second process, by its own clock."""
    clients: tuple[ClientEvent, ...]
    places: Mapping[str, AisPlace] = field(default_factory=dict)
    """Named lines: `pressure`, `cut`, `abort` …"""
    counters: Mapping[str, int] = field(default_factory=dict)
    """Final values of the assembler's counters."""
