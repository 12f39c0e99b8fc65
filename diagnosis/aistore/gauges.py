"""One daemon's counters and disks as they moved round the failure: what a screen draws and a report sums up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from logtui.diagnosis.aistore.counters import BASELINE_S, CounterMove, CounterView, FlagState, PerRequest, flag_changes
from logtui.diagnosis.aistore.meanings import MEANINGS, explain, is_error
from logtui.parsers.aistore.reread import DiskLoad, disk_loads, stats_lines
from logtui.parsers.aistore.stats import StatsLine, cumulative

if TYPE_CHECKING:
    from logtui.diagnosis.aistore.findings import StorageFindings

AFTER_S = 900.0
"""Shown after the window: counters are printed late, and clients go on for a while."""
IDLE_S = 660.0
"""A silence longer than any interval that can be set: the daemon was idle, or lines are missing."""
_ORDER = ("err.", "getbatch.rxwait.", "getbatch.throttle.", "getbatch.", "get.", "ratelim.", "stream.", "")


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


@dataclass(frozen=True)
class Panel:
    """Counters, flags and disks of one daemon. Times are the workers' clock."""

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
        tuple((name, tuple(disks[name])) for name in sorted(disks)), len(lines),
    )  # fmt: skip


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
