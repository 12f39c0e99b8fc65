"""Counters of every daemon over the failure window, against the time before it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from logtui.diagnosis.aistore.meanings import MEANINGS, is_error
from logtui.parsers.aistore.daemon import Daemon
from logtui.parsers.aistore.flags import NORMAL, flag_names, is_red
from logtui.parsers.aistore.ingest import AisLogs
from logtui.parsers.aistore.reread import stats_lines
from logtui.parsers.aistore.stats import Delta, Kind, StatsLine, deltas, kind_of, series

BASELINE_S = 3600.0
"""How far before the window the baseline reaches."""


@dataclass(frozen=True, slots=True)
class CounterMove:
    """How one counter moved over the window, and before it. Rates are per second."""

    daemon: int
    delta: Delta
    before: Delta | None
    """Over the baseline; None where no stats line is that old."""

    @property
    def name(self) -> str:
        """The counter."""
        return self.delta.name

    @property
    def rate(self) -> float:
        """Growth per second over the window."""
        return self.delta.delta / self.delta.seconds if self.delta.seconds > 0 else 0.0

    @property
    def base_rate(self) -> float:
        """Growth per second over the baseline."""
        return self.before.delta / self.before.seconds if self.before and self.before.seconds > 0 else 0.0

    @property
    def error(self) -> bool:
        """Whether this growth is a failure by itself."""
        return is_error(self.name) and self.delta.delta > 0


@dataclass(frozen=True, slots=True)
class FlagState:
    """A stats line whose `state.flags` is not normal. Time is the daemon's clock."""

    daemon: int
    time: float
    flags: int
    names: tuple[str, ...]
    red: bool
    file: int
    line: int


@dataclass(frozen=True)
class CounterView:
    """One daemon's counters around the window."""

    daemon: int
    lines: tuple[StatsLine, ...]
    """In the window and one before and after."""
    moves: tuple[CounterMove, ...]
    """Of counters that moved, or that clear the daemon by standing still."""
    flags: tuple[FlagState, ...]

    def move(self, name: str) -> CounterMove | None:
        """The movement of one counter."""
        return next((m for m in self.moves if m.name == name), None)

    def waits(self) -> float | None:
        """How many times slower the wait for peers grew per batch than before; None where it cannot be said."""
        waited, served = self.move("getbatch.rxwait.ns"), self.move("getbatch.n")
        if waited is None or served is None or waited.before is None or served.before is None:
            return None
        if not served.delta.delta or not served.before.delta or not waited.before.delta:
            return None
        return (waited.delta.delta / served.delta.delta) / (waited.before.delta / served.before.delta)

    def slow_line(self, ratio: float) -> StatsLine | None:
        """The first line since whose predecessor the wait per batch was that many times the baseline's."""
        waited, served = self.move("getbatch.rxwait.ns"), self.move("getbatch.n")
        if waited is None or served is None or waited.before is None or served.before is None:
            return None
        usual = waited.before.delta / max(1, served.before.delta)
        for before, line in pairwise(self.lines):
            step = deltas((before, line), ("getbatch.rxwait.ns", "getbatch.n"))
            if step["getbatch.rxwait.ns"].delta > ratio * usual * max(1, step["getbatch.n"].delta):
                return line
        return None


def counter_view(logs: AisLogs, daemon: Daemon, start: float, end: float) -> CounterView:
    """The daemon's counters over [start, end] of its own clock."""
    lines = stats_lines(logs, daemon, start, end)
    older = stats_lines(logs, daemon, start - BASELINE_S, start, around=False)
    names = {n for line in lines for n in line.values} | set(MEANINGS if lines else ())
    moved, before = deltas(lines, names), deltas(older, names) if len(older) > 1 else {}
    moves = tuple(
        CounterMove(daemon.index, moved[n], before.get(n))
        for n in sorted(moved)
        if moved[n].delta or moved[n].after or is_error(n)
    )
    return CounterView(daemon.index, tuple(lines), moves, tuple(_flags(daemon, lines)))


def _flags(daemon: Daemon, lines: list[StatsLine]) -> list[FlagState]:
    """The lines at which the flags changed to something not normal."""
    out: list[FlagState] = []
    last = NORMAL
    for line in lines:
        flags = line.value("state.flags")
        if flags is None or flags == last:
            continue
        last = flags
        if names := flag_names(flags):
            out.append(FlagState(daemon.index, line.time, flags, names, is_red(flags), line.file, line.line))
    return out


def sparkline(logs: AisLogs, daemon: Daemon, name: str, start: float, end: float) -> list[tuple[float, float]]:
    """(time, value) for drawing: rates per second of cumulative counters, values of the others."""
    lines = stats_lines(logs, daemon, start, end)
    if kind_of(name) in (Kind.COUNT, Kind.BYTES, Kind.TOTAL_NS):
        return series(lines, name)
    return [(line.time, float(value)) for line in lines if (value := line.value(name)) is not None]
