"""A collective that does not end: who waits in it and who never came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from logtui.parsers.generator.world import Group


@dataclass(frozen=True, slots=True)
class Stuck:
    """A collective that one rank entered and that did not end."""

    rank: int
    group: Group
    seq: int
    enqueued: int
    completed: int
    entered: float
    """When the rank enqueued it."""
    op: str = "ALLREDUCE"
    numel_in: int = 4096
    numel_out: int = 4096


@dataclass(frozen=True)
class Hang:
    """The state of all ranks while the job hangs."""

    timeout_s: int
    stuck: tuple[Stuck, ...]
    """Ranks that wait; each prints the watchdog's family when its limit is over."""
    idle: Mapping[int, int] = field(default_factory=dict)
    """Ranks outside any collective: the last one each completed of the default group."""
    default: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """Enqueued and completed of the default group, for ranks that wait in another one."""

    @property
    def fired(self) -> float:
        """When the first watchdog fires."""
        return min(s.entered for s in self.stuck) + self.timeout_s
