"""The report: what the screen shows and `--json` prints, as frozen values.

Mirrors the machine-readable contract (schema 1). Unknown is None, never a missing key. Times are seconds since
the epoch, wall clock taken as UTC unless `zoned`; they become ISO 8601 text when written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from logtui.diagnosis.model.analyses import (
    AttemptSummary,
    Explained,
    History,
    OddLines,
    Pace,
    PaceChange,
    PhaseEnd,
    Recurring,
    SlowRank,
    Witnesses,
)
from logtui.diagnosis.model.evidence import Evidence
from logtui.parsers.prefix.stamp import iso
from logtui.parsers.source import Unread

SCHEMA = 1

INHERITED = frozenset({"line before", "line after"})
"""Where the time of an event comes from that its line does not say."""
HIGH, MEDIUM, LOW = "high", "medium", "low"


@dataclass(frozen=True, slots=True)
class JobFacts:
    """What is established about the job."""

    id: str | None = None
    framework: str | None = None
    framework_version: str | None = None
    launcher: str | None = None
    scheduler: str | None = None
    world_size: int | None = None
    nodes: int | None = None
    gpus_per_node: int | None = None
    started: float | None = None
    ended: float | None = None
    resumed_from: str | None = None
    last_step: int | None = None
    data_source: str | None = None
    pytorch: str | None = None
    attempts: int = 1
    activity: str | None = None
    """Training, fine-tuning or inference."""
    resumed: bool | None = None
    """Whether it went on from a checkpoint; None where neither a line nor the first step tells."""
    parallel: Mapping[str, int] = field(default_factory=dict)
    """Dimension → ranks in each of its groups, of those with several."""
    tensor_nodes: int = 1
    """Nodes over which a tensor-parallel group lies."""
    size_is_heard: bool = False
    """Whether nobody says the size: it is that of the ranks that lines speak of, and there may be a silent one."""
    zoned: bool = False
    """Whether its start and end are UTC; else they are of clocks whose lines tell no zone."""
    ahead_s: float = 0.0
    """Seconds by which those clocks are ahead of UTC, where lines tell that."""

    @property
    def iso_started(self) -> str | None:
        """When it started, as it is written."""
        return iso(self.started, self.zoned)

    @property
    def iso_ended(self) -> str | None:
        """When it ended, as it is written."""
        return iso(self.ended, self.zoned)


@dataclass(frozen=True, slots=True)
class Understood:
    """What some of the lines are understood as."""

    what: str
    share: float
    """Of the lines that were looked at, 0 to 1."""


@dataclass(frozen=True, slots=True)
class UnknownSentence:
    """Lines alike but for their numbers and paths that no format knows."""

    sentence: str
    share: float
    file: str
    line: int
    """Where the first of them stands."""


@dataclass(frozen=True, slots=True)
class ReadWindow:
    """The span of time of which lines were read, and what was left out for it: the report speaks of nothing else."""

    since: float | None
    until: float | None
    """Seconds since the epoch; None for an open end."""
    files_left_out: tuple[str, ...] = ()
    """Without a line in it."""
    files_read_whole: tuple[str, ...] = ()
    """Whose times cannot be compared."""
    lines_left_out: int = 0
    bytes_left_out: int = 0

    @property
    def iso_since(self) -> str | None:
        """As in reports."""
        return iso(self.since)

    @property
    def iso_until(self) -> str | None:
        """As in reports."""
        return iso(self.until)


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was read, and what was not."""

    files: int = 0
    files_unread: tuple[tuple[str, str], ...] = ()
    """(file, why)."""
    bytes: int = 0
    lines: int = 0
    lines_unparsed: int = 0
    ranks_expected: int | None = None
    ranks_expected_from: Evidence | None = None
    ranks_seen: int = 0
    ranks_missing: tuple[int, ...] = ()
    nodes_missing: tuple[str, ...] = ()
    share_read: float = 1.0
    """1.0 when every byte was read; less while a provisional report is shown."""
    site_formats: tuple[str, ...] = ()
    """Formats of the user's own that took part."""
    window: ReadWindow | None = None
    """Where only lines of a span of time were read."""
    understood: tuple[Understood, ...] = ()
    unknown_sentences: tuple[UnknownSentence, ...] = ()

    @property
    def unread(self) -> tuple[Unread, ...]:
        """What was not read, and why."""
        return tuple(Unread(file, why) for file, why in self.files_unread)


@dataclass(frozen=True, slots=True)
class RunnerUp:
    """A verdict that lost."""

    cls: str
    title: str
    why_not: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a cited line means beyond what it says, and its traps, in the words declared for it."""

    what: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the files establish about the failure."""

    cls: str
    title: str
    confidence: str
    culprit_ranks: tuple[int, ...] = ()
    culprit_hosts: tuple[str, ...] = ()
    first_evidence: Evidence | None = None
    runners_up: tuple[RunnerUp, ...] = ()
    missing: tuple[str, ...] = ()
    rule: str = ""
    supporting: tuple[Evidence, ...] = ()
    refuting: tuple[Evidence, ...] = ()
    meanings: tuple[Meaning, ...] = ()


@dataclass(frozen=True, slots=True)
class ChainStep:
    """One link from the trigger to the final crash."""

    step: int
    what: str
    time: float | None = None
    zoned: bool = False
    evidence: tuple[Evidence, ...] = ()
    leads_to: int | None = None
    inherited: bool = False
    """Whether the time is a neighbouring line's."""

    @property
    def iso_time(self) -> str | None:
        """Its time as it is written."""
        return iso(self.time, self.zoned)


@dataclass(frozen=True, slots=True)
class Symptom:
    """Loud lines that are not the cause."""

    what: str
    evidence: tuple[Evidence, ...] = ()
    meaning: str = ""
    """What such lines mean, in the words declared for them; "" where nothing is."""


@dataclass(frozen=True, slots=True)
class StuckOn:
    """The operation a rank waits in."""

    seq: int | None = None
    op: str | None = None
    numel_in: int | None = None
    numel_out: int | None = None
    timeout_ms: int | None = None


@dataclass(frozen=True, slots=True)
class GroupState:
    """One process group as one rank saw it."""

    group: str
    desc: str | None = None
    enqueued: int | None = None
    started: int | None = None
    completed: int | None = None
    stuck_on: StuckOn | None = None
    status: str = "silent"
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True)
class Exit:
    """How a rank's process ended."""

    code: int | None = None
    signal: str | None = None
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True)
class RankState:
    """One rank. `status` and `role` use the words of the contract."""

    rank: int
    host: str | None = None
    local_rank: int | None = None
    files: tuple[str, ...] = ()
    status: str = "silent"
    role: str = "silent"
    groups: tuple[GroupState, ...] = ()
    last_words: Evidence | None = None
    last_step: int | None = None
    exit: Exit | None = None
    errors: int = 0
    first_error: Evidence | None = None
    guessed: bool = False
    """Whether nothing names its number: it was worked out from a local rank or a task label."""


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """One line that matters, in order."""

    time: float | None
    time_from: str
    source: str
    """worker, nccl, launcher, scheduler, kernel, ais, …"""
    rank: int | None
    what: str
    file: str
    line: int
    zoned: bool = False
    severity: str = "info"
    """info, warning, error."""
    mark: str = ""
    """`restart`, `attempt`, `checkpoint` or `resumed`, where the event is one."""
    proof: bool = False
    """Whether the verdict or its chain cites the line."""

    @property
    def inherited(self) -> bool:
        """Whether the time is a neighbouring line's."""
        return self.time_from in INHERITED

    @property
    def iso_time(self) -> str | None:
        """Its time as it is written."""
        return iso(self.time, self.zoned)


@dataclass(frozen=True, slots=True)
class Clock:
    """How one source's clock relates to the job's."""

    source: str
    zone: str | None
    offset_s: float | None
    derived_from: tuple[Evidence, ...] = ()
    residual_s: float | None = None


@dataclass(frozen=True, slots=True)
class Retry:
    """The highest number of a retry that was counted, and how many there are at most."""

    max: int
    of: int | None
    exhausted: bool


@dataclass(frozen=True, slots=True)
class PatternCount:
    """How often a pattern matched, exactly."""

    pattern: str
    total: int
    by_file: dict[str, int] = field(default_factory=dict)
    by_rank: dict[int, int] = field(default_factory=dict)
    retry_max: int | None = None
    retry_of: int | None = None
    noise: bool = False

    @property
    def exhausted(self) -> bool:
        """Whether a retry used up its last attempt."""
        return self.retry_max is not None and self.retry_max == self.retry_of

    @property
    def retry(self) -> Retry | None:
        """None where nothing is tried again."""
        return None if self.retry_max is None else Retry(self.retry_max, self.retry_of, self.exhausted)


@dataclass(frozen=True, slots=True)
class ErrorType:
    """One type of exception, over all ranks; a launcher's copy of a traceback counts for itself."""

    name: str
    """`ValueError`, as the program raised it."""
    total: int
    ranks: tuple[int, ...]
    """Those that raised it, ascending, as far as known."""
    evidence: Evidence
    """The first line that names it."""


@dataclass(frozen=True, slots=True)
class SlowSpan:
    """Steps slower than the baseline."""

    from_step: int
    to_step: int
    ratio: float
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True)
class PeriodicSteps:
    """Single slow steps at equal distances."""

    every: int
    """Steps from one to the next."""
    ratio: float
    """Its time over the usual one."""
    evidence: Evidence
    """The first of them."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Training progress."""

    first: int | None
    last: int | None
    median_ms: float | None
    slow: tuple[SlowSpan, ...] = ()
    pace: Pace | None = None
    periodic: PeriodicSteps | None = None

    @property
    def changes(self) -> tuple[PaceChange, ...]:
        """Of pace, that last."""
        return self.pace.changes if self.pace else ()

    @property
    def slow_ranks(self) -> tuple[SlowRank, ...]:
        """Ranks that are said to be slow."""
        return self.pace.slow_ranks if self.pace else ()


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What to do, by side, and why."""

    side: str
    what: str
    because: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Verification:
    """Citations read again from disk."""

    checked: int = 0
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Revision:
    """A conclusion that changed."""

    was: str
    now: str
    because: Evidence | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """Everything the diagnosis says."""

    version: str
    job: JobFacts
    coverage: Coverage
    verdict: Verdict
    chain: tuple[ChainStep, ...] = ()
    symptoms: tuple[Symptom, ...] = ()
    ranks: tuple[RankState, ...] = ()
    timeline: tuple[TimelineEvent, ...] = ()
    clocks: tuple[Clock, ...] = ()
    ais: dict[str, object] | None = None
    flight_recorder: dict[str, object] | None = None
    counts: tuple[PatternCount, ...] = ()
    errors: tuple[ErrorType, ...] = ()
    """Types of exceptions, the one on the most ranks first."""
    steps: Steps | None = None
    recommendations: tuple[Recommendation, ...] = ()
    verification: Verification = field(default_factory=Verification)
    revisions: tuple[Revision, ...] = ()
    provisional: bool = False
    odd_lines: OddLines | None = None
    """What single ranks said, stopped saying, or said last; None while the report is provisional."""
    history: History | None = None
    """Earlier attempts in the same files; None while the report is provisional, empty where there is one."""
    witnesses: Witnesses | None = None
    """Logs, dumps and RAS snapshots side by side; None where there are logs alone."""
    explained: tuple[Explained, ...] = ()
    phases: tuple[PhaseEnd, ...] = ()
    """Of the last attempt, in order."""
    """Every line that looks fatal, folded, and what the verdict makes of it; empty while the report is provisional."""

    @property
    def attempts(self) -> tuple[AttemptSummary, ...]:
        """All of several attempts; empty for a single one."""
        return self.history.attempts if self.history else ()

    @property
    def recurring(self) -> tuple[Recurring, ...]:
        """Ranks and hosts to blame in several of them."""
        return self.history.recurring if self.history else ()
