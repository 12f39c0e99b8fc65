"""Data of the daemon file picker: one row per daemon, its files as bars on the common time axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from logtui.parsers.aistore.daemon import Daemon, DaemonFile, Gap
from logtui.parsers.aistore.grammar import Opening
from logtui.parsers.aistore.ingest import AisLogs
from logtui.parsers.aistore.reread import records_between


@dataclass(frozen=True, slots=True)
class Bar:
    """One file of a daemon, or one run of a concatenated file. Times are the workers' clock, None where undated."""

    file: int
    """Index in the case."""
    name: str
    level: str
    line: int
    """Where the run begins in the file."""
    start: float | None
    end: float | None
    start_from: str
    """`header`, `marker`, `name`, `mtime`."""
    end_from: str
    """`next header`, `last record`, `mtime`."""
    started: bool
    """A new process begins here; otherwise the file rotated, or its head is missing."""
    clean_end: bool
    records: int
    duplicate_of: str
    covers: bool
    """Whether it holds a part of the failure window."""


@dataclass(frozen=True, slots=True)
class Row:
    """One daemon."""

    daemon: int
    label: str
    role: str
    host: str
    version: str
    bars: tuple[Bar, ...]
    """By start; undated ones and duplicates last."""
    restarts: tuple[float, ...]
    gaps: tuple[Gap, ...]


@dataclass(frozen=True, slots=True)
class Picker:
    """All daemons over one time axis, on the workers' clock."""

    rows: tuple[Row, ...]
    start: float
    end: float
    window: tuple[float, float] | None

    def at(self, time: float) -> tuple[Bar | None, ...]:
        """For each row the bar that covers a time, the one that ended last before it, or None."""
        return tuple(_covering(row.bars, time) for row in self.rows)


def picker(logs: AisLogs, shift_s: float = 0.0, window: tuple[float, float] | None = None) -> Picker | None:
    """Lay out every file of every daemon; None where nothing is dated. `window` is the workers' clock."""
    rows = tuple(_row(d, shift_s, window) for d in logs.daemons)
    starts = [b.start for r in rows for b in r.bars if b.start is not None]
    ends = [b.end for r in rows for b in r.bars if b.end is not None]
    if not starts or not ends:
        return None
    return Picker(rows, min(starts), max(ends), window)


def _row(daemon: Daemon, shift_s: float, window: tuple[float, float] | None) -> Row:
    bars = [b for f in daemon.files for b in _bars(f, shift_s, window)]
    bars.sort(key=lambda b: (b.duplicate_of != "", b.start is None, b.start or 0.0))
    gaps = tuple(Gap(_moved(g.start, shift_s), _moved(g.end, shift_s), g.why) for g in daemon.gaps())
    restarts = tuple(r.time + shift_s for r in daemon.restarts())
    return Row(daemon.index, daemon.label, daemon.role, daemon.host, daemon.version, tuple(bars), restarts, gaps)


def _bars(file: DaemonFile, shift_s: float, window: tuple[float, float] | None) -> list[Bar]:
    out = []
    for part in file.parts:
        start, end = _moved(part.start, shift_s), _moved(part.end, shift_s)
        covers = (
            window is not None and start is not None and end is not None and start <= window[1] and end >= window[0]
        )
        out.append(
            Bar(
                file.file, file.name, file.level, part.line, start, end, part.start_from, part.end_from,
                part.opening is Opening.STARTED, part.clean_end, part.records, file.duplicate_of, covers,
            )
        )  # fmt: skip
    return out


def _moved(time: float | None, shift_s: float) -> float | None:
    return None if time is None else time + shift_s


def _covering(bars: Sequence[Bar], time: float) -> Bar | None:
    before = [b for b in bars if b.start is not None and b.start <= time and not b.duplicate_of and b.level == "INFO"]
    return max(before, key=lambda b: b.start or 0.0, default=None)


def line_at(logs: AisLogs, daemon: int, time: float, shift_s: float = 0.0) -> tuple[int, int] | None:
    """(file, line) of the daemon's last record at or before a time of the workers' clock; the next one after it, where
    there is none shortly before."""
    at = time - shift_s
    for back in (60.0, 3700.0):
        found = max(records_between(logs, logs.daemons[daemon], at - back, at), key=lambda r: r.time, default=None)
        if found is not None:
            return found.file, found.line
    after = min(records_between(logs, logs.daemons[daemon], at, at + 3700), key=lambda r: r.time, default=None)
    return (after.file, after.line) if after is not None else None
