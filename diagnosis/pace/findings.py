"""The pace of training, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass

from logtui.diagnosis.report import Evidence


@dataclass(frozen=True, slots=True)
class StepTime:
    """A stretch of the run: when it ended, and how long a step took in it."""

    time: float
    step: int
    ms: float
    slow: bool


@dataclass(frozen=True, slots=True)
class PaceChange:
    """From some step on, steps take longer, or less."""

    step: int
    time: float | None
    before_ms: float
    after_ms: float
    evidence: Evidence
    nearby: tuple[Evidence, ...] = ()
    """Lines that came just before it, and that were not usual till then."""

    @property
    def ratio(self) -> float:
        """How many times as long as before."""
        return self.after_ms / self.before_ms

    @property
    def what(self) -> str:
        """One sentence."""
        times = f"{self.after_ms:,.0f} ms a step, {self.before_ms:,.0f} ms before"
        return f"from step {self.step} on {times} ({self.ratio:.2f} ×)"


@dataclass(frozen=True, slots=True)
class SlowRank:
    """A rank that takes longer than the others, as a line says."""

    rank: int
    what: str
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Pace:
    """All of it."""

    strip: tuple[StepTime, ...] = ()
    """The longest series of step times with dates, at most a few hundred stretches."""
    changes: tuple[PaceChange, ...] = ()
    slow_ranks: tuple[SlowRank, ...] = ()
