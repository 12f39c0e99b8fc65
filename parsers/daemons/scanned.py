"""What one pass over a daemon log leaves: parts, spans, stats positions and messages, dated by part.

Clocks are seconds since a part's base midnight; jumps that markers revealed are added when the part is dated. What
has neither header nor marker is dated by its name, its neighbours, or the file's time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from logtui.parsers.daemons.grammar import Header, Opening, Title, day_number
from logtui.parsers.daemons.layout import DAY, HALF_DAY, DayCounter
from logtui.parsers.daemons.recognise import DaemonName
from logtui.parsers.daemons.unknown import UnknownRecords


@dataclass(slots=True)
class RawMessage:
    """A kept message, dated relative to its part."""

    part: int
    pattern: int
    line: int
    offset: int
    clock: float
    """Seconds since the part's base midnight, jumps not yet added."""
    letter: str
    """Severity of the record: I, W, E."""
    head: str
    """Severity, time and source, as they stand before the message."""
    text: str


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
    ahead_s: float = 0.0
    """How far the daemon's clock is ahead of the cluster's, where others show it."""

    @property
    def opening(self) -> Opening:
        """How it begins."""
        return self.header.opening if self.header else Opening.HEADLESS

    def time(self, clock: float, offset: int) -> float | None:
        """The cluster's wall clock, taken as UTC, at a byte of the file; None while the part is undated."""
        if self.base is None:
            return None
        missed = sum(days for at, days in self.days.jumps if at <= offset) if self.days.jumps else 0
        return (self.base + missed) * float(DAY) + clock - self.ahead_s

    @property
    def opened(self) -> float | None:
        """When the header says that it begins."""
        return self.header.time - self.ahead_s if self.header else None


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
    messages: list[RawMessage] = field(default_factory=list)
    stats: list[StatsAt] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)
    """Pattern → how many records, kept or not."""
    unknown: list[UnknownRecords] = field(default_factory=list)
    """Warnings and errors that no pattern reads."""
    size: int = 0
    lines: int = 0
    records: int = 0
    indent: int = 0
    prefix: str = ""
    """What a collector puts before the first record."""
    damage: str | None = None


def date_parts(files: Sequence[tuple[FileScan, DaemonName, float]]) -> None:
    """Give every part of one daemon's files a base day and say what it rests on. Times of files are UTC epochs."""
    known = [p.base for scan, _, _ in files for p in scan.parts if p.base is not None]
    for scan, name, mtime in files:
        for part in scan.parts:
            if part.header or part.base is not None:
                part.dated_by = "header" if part.header else "marker"
            elif part.first is not None:
                _guess(part, name if part is scan.parts[0] else DaemonName(), mtime, known)


def _guess(part: RawPart, name: DaemonName, mtime: float, known: Sequence[int]) -> None:
    near = known[0] if known else int(mtime // DAY)
    if name.stamp is not None and (day := _named_day(name.stamp, near)) is not None:
        first = int(part.first or 0)
        # The file is named by the time it was opened; its first record may be of the day after or before.
        part.base = day + (1 if name.stamp[2] - first > HALF_DAY else -1 if first - name.stamp[2] > HALF_DAY else 0)
        part.dated_by = "name"
        return
    last = part.last or 0.0
    part.base = int((mtime - last + 60) // DAY)
    part.dated_by = "mtime"


def _named_day(stamp: tuple[int, int, int], near: int) -> int | None:
    """The day of a month and day, in the last year in which it does not lie after a known one."""
    year = datetime.fromtimestamp(near * DAY, UTC).year
    days = [d for y in (year - 1, year, year + 1) if (d := day_number(y, stamp[0], stamp[1])) is not None]
    past = [d for d in days if d <= near + 1]
    return max(past, default=min(days, default=None))
