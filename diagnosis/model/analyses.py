"""What single analyses add to the report, as frozen values: earlier attempts, odd lines, pace, witnesses.

Times are seconds since the epoch, wall clock taken as UTC unless `zoned`.
"""

from __future__ import annotations

from dataclasses import dataclass

from logtui.diagnosis.model.evidence import Evidence
from logtui.parsers.prefix.stamp import iso


@dataclass(frozen=True, slots=True)
class PhaseEnd:
    """A phase of an attempt and how it ended."""

    phase: str
    """`set-up`, `training`, `evaluation`, `export` or `teardown`."""
    ended: str
    """`well`, `failed`, `stopped` from outside, or `not known`."""


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
    phases: tuple[PhaseEnd, ...] = ()
    """In order."""


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


@dataclass(frozen=True, slots=True)
class OddLine:
    """A kind of line that few said, or that a healthy run did not have."""

    writers: tuple[str, ...]
    """Who said it: `rank 57`, or the name of a file whose lines name no rank; at most a few of them."""
    ranks: tuple[int, ...]
    """The ranks among them, ascending."""
    said_by: int
    """How many said it, of `peers`."""
    peers: int
    count: int
    """Lines of this kind in what was looked at."""
    folded: int
    """Other odd kinds that the same writer said right around it, and that are not listed for themselves."""
    evidence: Evidence
    """The first such line."""
    severe: bool
    """Whether it speaks of trouble."""
    late: bool
    """Whether its writer had said most of its lines before."""
    declared: bool
    """Whether a declared format knows it, so that rules weighed it too."""
    score: float
    """How much it stands out; lines are listed by it."""

    @property
    def why(self) -> str:
        """What is odd about it, in a few words."""
        who = "nobody else" if self.said_by == 1 else f"{self.said_by} of {self.peers}"
        words = [f"said by {who}" if self.peers > 1 else "new near the end" if self.late else "rare"]
        words += ["speaks of trouble"] if self.severe else []
        words += ["late"] if self.late and self.peers > 1 else []
        return ", ".join(words)


@dataclass(frozen=True, slots=True)
class Unsaid:
    """A kind of line that a rank stopped saying before the others did, or never said."""

    rank: int
    template: str
    evidence: Evidence
    """The last time it said so; of one that never did, such a line of another rank."""
    early_s: float | None
    """How long before the other ranks it stopped; None: it never said it."""
    others: int
    """How many other ranks say it."""


@dataclass(frozen=True, slots=True)
class LastWords:
    """The last line of a rank before watchdogs and teardown spoke."""

    rank: int
    evidence: Evidence
    silent_s: float | None
    """Until the last line of any rank; None where its time is not known."""


@dataclass(frozen=True, slots=True)
class Explained:
    """What the verdict makes of lines that look fatal and say the same."""

    verdict: str
    """`cause`, `consequence`, `survived`, `noise` or `unexplained`."""
    why: str
    what: str
    evidence: Evidence
    """The first of them."""
    count: int = 1


@dataclass(frozen=True, slots=True)
class OddLines:
    """All of it, and how much was looked at."""

    odd: tuple[OddLine, ...] = ()
    """What stands out most comes first."""
    unsaid: tuple[Unsaid, ...] = ()
    last_words: tuple[LastWords, ...] = ()
    """Who fell silent first comes first."""
    baseline: str | None = None
    """The healthy run it was compared with."""
    new: tuple[OddLine, ...] = ()
    """Kinds of lines that the healthy run does not have: the rarest first, then by time."""
    bytes_read: int = 0
    bytes_there: int = 0
    files: int = 0
    left_out: int = 0
    """Files that were not looked at for this."""
    lines: int = 0

    @property
    def compared(self) -> OddLines:
        """How much of the text was compared; a part of its own where it is written."""
        return self

    @property
    def looked_at(self) -> str:
        """The share of the text that was compared line by line, in words."""
        share = self.bytes_read / self.bytes_there if self.bytes_there else 1.0
        part = "all" if share >= 1 else f"{share:.0%}" if share >= 0.01 else f"{share:.3%}"
        left = f", {self.left_out} packed or unreadable files not" if self.left_out else ""
        ends = "" if share >= 1 else ": beginnings, ends, and what leads to the first sign of trouble"
        return f"{self.lines:,} lines of {self.files} files, {part} of their text{ends}{left}"


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
    def iso_time(self) -> str | None:
        """Its time as it is written."""
        return iso(self.time)

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


@dataclass(frozen=True, slots=True)
class Testimony:
    """What one witness says of who keeps the others waiting."""

    witness: str
    """`log`, `dumps` or `ras`."""
    ranks: tuple[int, ...]
    """() where it points at nobody."""
    what: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two witnesses that cannot both be right."""

    what: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Witnesses:
    """All that were heard, and where they contradict each other."""

    testimonies: tuple[Testimony, ...]
    disagreements: tuple[Disagreement, ...] = ()
