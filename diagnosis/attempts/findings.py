"""How the attempts of a job ended, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass

from logtui.diagnosis.report import Evidence


@dataclass(frozen=True, slots=True)
class AttemptSummary:
    """One attempt and how it ended."""

    number: int
    """From 1."""
    begins: Evidence | None
    """The line that shows that it began; None for the first one."""
    cls: str
    title: str
    confidence: str
    culprit_ranks: tuple[int, ...] = ()
    culprit_hosts: tuple[str, ...] = ()
    evidence: Evidence | None = None
    """The earliest line that shows the cause."""


@dataclass(frozen=True, slots=True)
class Recurring:
    """A rank or a host that is to blame in several attempts."""

    kind: str
    """`rank` or `host`."""
    name: str
    attempts: tuple[int, ...]
    """Their numbers, from 1."""
    evidence: tuple[Evidence, ...] = ()
    """A line of each."""
    of_the_machine: bool = False
    """Whether failures of this kind come from the machine rather than from the program."""

    @property
    def what(self) -> str:
        """One sentence."""
        times = ", ".join(str(n) for n in self.attempts)
        return f"{self.kind} {self.name} is to blame in attempts {times}"


@dataclass(frozen=True, slots=True)
class History:
    """All attempts, the last one included."""

    attempts: tuple[AttemptSummary, ...] = ()
    recurring: tuple[Recurring, ...] = ()
