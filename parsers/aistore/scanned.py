"""What one pass over a daemon log leaves: parts, spans, stats positions and marks, still dated by part.

Clocks are seconds since a part's base midnight; jumps that markers revealed are added when the part is dated.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from logtui.parsers.aistore.dating import DAY, DayCounter
from logtui.parsers.aistore.grammar import Header, Opening, Title


@dataclass(slots=True)
class Mark:
    """A kept message, dated relative to its part."""

    part: int
    pattern: int
    line: int
    offset: int
    clock: float
    """Seconds since the part's base midnight, jumps not yet added."""
    severity: str
    """Letter of the record."""
    head: str
    """Severity, time and source, as they stand before the message."""
    message: str


@dataclass(slots=True)
class Zone:
    """What a marker calls the process's zone."""

    name: str
    line: int
    clock: float
    text: str
    """The marker's record."""


@dataclass(slots=True)
class RawPart:
    """A file, or what follows one header in a concatenated one."""

    header: Header | None
    line: int
    offset: int
    days: DayCounter
    base: int | None
    """Day of the base midnight since the epoch; None until established."""
    title: Title | None = None
    zones: list[Zone] = field(default_factory=list)
    records: int = 0
    first: float | None = None
    last: float | None = None
    """Clock of the first and the last record."""
    marker_line: int = 0
    """The line of the marker that dated it, where no header did."""
    dated_by: str = ""
    """`header`, `marker`, `name`, `mtime`."""
    end: int = 0
    """Byte after the part."""

    @property
    def opening(self) -> Opening:
        """How it begins."""
        return self.header.opening if self.header else Opening.HEADLESS

    def time(self, clock: float, offset: int) -> float | None:
        """Wall clock, taken as UTC, of a clock at a byte of the file; None while the part is undated."""
        if self.base is None:
            return None
        missed = sum(days for at, days in self.days.jumps if at <= offset) if self.days.jumps else 0
        return (self.base + missed) * float(DAY) + clock


@dataclass(slots=True)
class Span:
    """A block's share of a part: where it is and which clocks it holds."""

    part: int
    offset: int
    length: int
    line: int
    """Number of its first line."""
    day: int
    """Relative day of its first record."""
    first: float
    last: float
    """Lowest and highest clock."""


@dataclass(slots=True)
class StatsAt:
    """A stats line, not yet parsed."""

    part: int
    line: int
    offset: int
    length: int
    clock: float
    cut: bool
    """Its tail is missing: absent counters are unknown, not zero."""


@dataclass
class FileScan:
    """What one daemon log holds."""

    file: int
    parts: list[RawPart] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    stats: list[StatsAt] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    minutes: dict[tuple[int, int, int], int] = field(default_factory=dict)
    """(pattern, part, minute since the base midnight) → how many."""
    size: int = 0
    lines: int = 0
    records: int = 0
    indent: int = 0
    prefix: str = ""
    """What a collector puts before the first record."""
    damage: str | None = None
