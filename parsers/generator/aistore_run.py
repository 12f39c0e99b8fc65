"""One daemon process of a generated cluster, and what it says."""

from __future__ import annotations

from dataclasses import dataclass, field

from logtui.parsers.generator.aistore_counters import Counters


@dataclass(slots=True)
class Said:
    """One record. Times are true UTC epochs."""

    time: float
    severity: str
    source: str
    """`file:line`; "" for redacted files."""
    message: str
    mark: str = ""
    """Name under which the truth knows the line."""


@dataclass
class Run:
    """One process of a node."""

    node: str
    letter: str
    host: str
    start: float
    end: float
    stopped: bool = False
    """Says that it terminates."""
    said: list[Said] = field(default_factory=list)
    counters: Counters = field(default_factory=Counters)

    def say(self, time: float, severity: str, source: str, message: str, mark: str = "") -> None:
        """Add a record; those outside the process's life are never written."""
        if self.start <= time <= self.end:
            self.said.append(Said(time, severity, source, message, mark))
