"""Which job to write, and what is true of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from logtui.parsers.generator.aistore.spec import VERSIONS


class LabFault(StrEnum):
    """What happens to the cluster while the job reads from it."""

    HEALTHY = "healthy"
    """Nothing."""
    KILLED = "killed"
    """A target is killed, and started again 40 s later."""
    PAUSED = "paused"
    """A target does not answer for a minute, and is evicted."""
    CUT = "cut"
    """The network of a target is down for a minute."""
    RESTARTED = "restarted"
    """A target is restarted in order; what it held is not found meanwhile."""
    SLOW_DISK = "slow_disk"
    """The disks of a target deliver next to nothing."""
    DISK_FULL = "disk_full"
    """A disk of a target is full: checkpoints are refused."""
    DISK_LOST = "disk_lost"
    """A disk of a target gives I/O errors; the target takes it out."""
    PRIMARY = "primary"
    """The primary proxy, the only one that the job knows, is killed."""
    MISSING = "missing"
    """A rank asks for objects that never existed."""
    MEMORY = "memory"
    """All targets are short of memory and put requests off; the job does not mind."""
    REFUSED = "refused"
    """A change of settings is refused; no concern of the job."""
    MAINTENANCE = "maintenance"
    """Maintenance is refused while the job runs; no concern of the job."""


HARMLESS = frozenset({LabFault.HEALTHY, LabFault.MEMORY, LabFault.REFUSED, LabFault.MAINTENANCE})
"""After these the job ends well."""
SURVIVABLE = frozenset(
    {LabFault.KILLED, LabFault.PAUSED, LabFault.CUT, LabFault.RESTARTED, LabFault.SLOW_DISK, LabFault.PRIMARY}
)
"""These may end well: clients repeat their requests until they are served."""


@dataclass(frozen=True, slots=True)
class LabSpec:
    """One job to write. Times are true UTC epochs. Equal specs give equal bytes."""

    fault: LabFault = LabFault.HEALTHY
    version: str = "5.0"
    at: float = 1_772_451_194.4
    """When the fault begins (default 2026-03-02 11:33:14.4 UTC)."""
    before_s: float = 80.0
    """How long the cluster had been up by then; the job starts half a minute after the cluster."""
    after_s: float = 110.0
    """How long the daemons are watched from then on."""
    zone_s: int = 0
    """Seconds that the daemons' zone is ahead of UTC."""
    skew_s: int = 0
    """Seconds that the daemons' clocks go fast."""
    workers_s: int = 0
    """Seconds that the workers' zone is ahead of UTC."""
    recovers: bool = False
    """Clients repeat their requests until they are served, and the job ends well."""
    ranks: int = 4
    targets: int = 4
    rotates_at: int = 0
    """Bytes; 0: never."""
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be written. Raises ValueError."""
        if self.version not in VERSIONS:
            raise ValueError(f"AIStore {self.version} is not one of {', '.join(VERSIONS)}")
        if self.before_s < 80 or self.ranks < 2 or self.targets < 2:
            raise ValueError("needs 80 s before the fault, two ranks and two targets")
        if self.recovers and self.fault not in SURVIVABLE:
            raise ValueError(f"nothing to recover from in {self.fault}")

    @property
    def harmless(self) -> bool:
        """Whether the job ends well."""
        return self.recovers or self.fault in HARMLESS


@dataclass(frozen=True, slots=True)
class LabTruth:
    """What a diagnosis must find."""

    classes: tuple[str, ...]
    """Right ones, the best first."""
    culprit: str
    """Node ID; "" for none."""
    ranks: tuple[int, ...] | None
    """Culprits; None where the logs do not tell."""
    first: tuple[tuple[str, int], ...]
    """(file, line) of clients' first bad lines; empty where nothing failed."""
    nodes: dict[str, str] = field(default_factory=dict)
    """Node ID → name."""
