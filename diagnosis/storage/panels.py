"""What the daemons' panes draw: files as bars on a common time axis, counters and disks as they moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from logtui.diagnosis.storage.counters import (
    BASELINE_S,
    MEANINGS,
    CounterMove,
    CounterView,
    FlagState,
    PerRequest,
    explain,
    flag_changes,
    is_error,
)
from logtui.parsers.daemons.daemon import AisLogs, Daemon, DaemonFile, Gap
from logtui.parsers.daemons.grammar import Opening
from logtui.parsers.daemons.reread import DiskLoad, disk_loads, records_between, stats_lines
from logtui.parsers.daemons.stats import StatsLine, cumulative

if TYPE_CHECKING:
    from logtui.diagnosis.storage.findings import StorageFindings

AFTER_S = 900.0
"""Shown after the window: counters are printed late, and clients go on for a while."""
IDLE_S = 660.0
"""A silence longer than any interval that can be set: the daemon was idle, or lines are missing."""
MOST_UNREAD = 24
"""Templates shown of one daemon."""
_ORDER = ("err.", "getbatch.rxwait.", "getbatch.throttle.", "getbatch.", "get.", "ratelim.", "stream.", "")


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


@dataclass(frozen=True, slots=True)
class Step:
    """A counter's growth between two of its stats lines. Times are the workers' clock."""

    start: float
    end: float
    growth: int
    idle: bool
    """Too far apart to say when it grew: no line for longer than the interval."""
    file: int
    line: int
    """Where the later value stands."""

    @property
    def per_s(self) -> float:
        """Growth per second."""
        return self.growth / (self.end - self.start) if self.end > self.start else 0.0


@dataclass(frozen=True, slots=True)
class Gauge:
    """One counter over the shown time."""

    name: str
    steps: tuple[Step, ...]
    move: CounterMove | None
    """Over the failure window, and before it; None where the window has no stats line."""
    against: PerRequest | None
    """The same per request."""
    means: str

    @property
    def error(self) -> bool:
        """Whether it counts failures."""
        return is_error(self.name) or self.name.startswith("err.")

    @property
    def waits(self) -> bool:
        """Whether it is time spent waiting, for peers or for the own load to fall."""
        return self.name in ("getbatch.rxwait.ns", "getbatch.throttle.ns")

    @property
    def grew(self) -> bool:
        """Whether it grew in the failure window."""
        return self.move is not None and self.move.delta.delta > 0


@dataclass(frozen=True, slots=True)
class UnreadKind:
    """Warnings or errors of one template that no pattern reads."""

    letter: str
    """`W` or `E`."""
    template: str
    count: int
    in_window: int
    """How many of them fall into the failure window."""
    file: int
    line: int
    """Of the first."""


@dataclass(frozen=True)
class Panel:
    """Counters, flags and disks of one daemon, and what it says that nothing reads. Times are the workers' clock."""

    daemon: int
    start: float
    end: float
    gauges: tuple[Gauge, ...]
    """Those that moved: errors, waits, work done."""
    still: tuple[str, ...]
    """Error counters that stayed where they were all the time."""
    flags: tuple[FlagState, ...]
    """Where `state.flags` changed."""
    disks: tuple[tuple[str, tuple[DiskLoad, ...]], ...]
    """By name, with every line of each."""
    lines: int
    """Stats lines that it rests on."""
    unread: tuple[UnreadKind, ...] = ()
    """Errors first, then those in the failure window."""


def shown_span(storage: StorageFindings) -> tuple[float, float]:
    """The time round the failure that a panel shows first, by the workers' clock."""
    shift = storage.clock.shift
    return storage.window.start + shift - BASELINE_S, storage.window.end + shift + AFTER_S


def panel(storage: StorageFindings, daemon: int, start: float, end: float) -> Panel:
    """Read one daemon's counters and disk lines of a time span of the workers' clock; reads megabytes."""
    shift, logs = storage.clock.shift, storage.logs
    of = logs.daemons[daemon]
    lines = stats_lines(logs, of, start - shift, end - shift)
    view = next((v for v in storage.counters if v.daemon == daemon), None)
    named = {n for line in lines for n in line.values}
    known = {n for n in MEANINGS if MEANINGS[n].role in ("both", of.role)}
    gauges = [_gauge(n, lines, view, shift) for n in sorted((named | known) & _told(named)) if cumulative(n)]
    moved = sorted((g for g in gauges if any(s.growth for s in g.steps)), key=_place)
    disks: dict[str, list[DiskLoad]] = {}
    for load in disk_loads(logs, of, start - shift, end - shift) if of.role == "target" else ():
        disks.setdefault(load.disk, []).append(load.moved(shift))
    return Panel(
        daemon, start, end, tuple(moved),
        tuple(g.name for g in gauges if is_error(g.name) and g not in moved) if lines else (),
        tuple(f.moved(shift) for f in flag_changes(of, lines)),
        tuple((name, tuple(disks[name])) for name in sorted(disks)), len(lines), _unread(storage, daemon),
    )  # fmt: skip


def _unread(storage: StorageFindings, daemon: int) -> tuple[UnreadKind, ...]:
    span = storage.window.start, storage.window.end
    found = [
        UnreadKind(u.letter, u.template, u.count, u.within(*span), u.file, u.line)
        for u in storage.logs.unknown
        if u.daemon == daemon
    ]
    return tuple(sorted(found, key=lambda u: (u.letter, -u.in_window, -u.count))[:MOST_UNREAD])


def _told(named: set[str]) -> set[str]:
    """Names with a meaning of their own, and every error."""
    return set(MEANINGS) | {n for n in named if n.startswith("err.")}


def _place(gauge: Gauge) -> tuple[int, bool, str]:
    group = next(n for n, head in enumerate(_ORDER) if gauge.name.startswith(head))
    return group, not gauge.grew, gauge.name


def _gauge(name: str, lines: Sequence[StatsLine], view: CounterView | None, shift: float) -> Gauge:
    move = view.move(name) if view else None
    against = view.per_request(move) if view and move else None
    return Gauge(name, steps(lines, name, shift), move, against, explain(name))


def steps(lines: Sequence[StatsLine], name: str, shift: float = 0.0) -> tuple[Step, ...]:
    """A cumulative counter's growth from line to line; a new process and a reset begin at zero."""
    known = [(line, value) for line in lines if (value := line.value(name)) is not None]
    apart = [b.time - a.time for (a, _), (b, _) in pairwise(known)]
    longest = max(IDLE_S, 3 * median(apart)) if apart else IDLE_S
    out: list[Step] = []
    for (before, then), (line, now) in pairwise(known):
        base = then if line.process == before.process and now >= then else 0
        idle = line.time - before.time > longest
        out.append(Step(before.time + shift, line.time + shift, now - base, idle, line.file, line.line))
    return tuple(out)
