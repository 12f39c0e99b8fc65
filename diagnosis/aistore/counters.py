"""Counters of every daemon over the failure window, against the time before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from logtui.diagnosis.aistore.meanings import MEANINGS, is_error, requests_of
from logtui.parsers.aistore.daemon import Daemon
from logtui.parsers.aistore.flags import NORMAL, flag_names, is_red
from logtui.parsers.aistore.ingest import AisLogs
from logtui.parsers.aistore.reread import stats_lines
from logtui.parsers.aistore.stats import Delta, StatsLine, deltas

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
class PerRequest:
    """A counter's growth against that of the requests it belongs to."""

    of: str
    """The counter of the requests."""
    before: float | None
    """Over the baseline; None where nothing was requested, or no line is that old."""
    now: float | None
    """Over the window; None where nothing was requested."""

    @property
    def times(self) -> float | None:
        """How many times the baseline's; None where the baseline is none or zero."""
        return self.now / self.before if self.now is not None and self.before else None


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

    def moved(self, shift_s: float) -> FlagState:
        """The same on a clock that is so much ahead."""
        return replace(self, time=self.time + shift_s)


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

    def per_request(self, move: CounterMove) -> PerRequest | None:
        """The movement per request, where the counter belongs to one kind of request and there were some."""
        of = requests_of(move.name)
        served = self.move(of) if of else None
        if served is None or not served.delta.delta:
            return None
        then = move.before.delta if move.before is not None else 0
        requested = served.before.delta if served.before is not None else 0
        return PerRequest(of, then / requested if requested else None, move.delta.delta / served.delta.delta)

    def waits(self) -> float | None:
        """How many times slower the wait for peers grew per batch than before; None where it cannot be said."""
        waited = self.move("getbatch.rxwait.ns")
        against = self.per_request(waited) if waited is not None else None
        return against.times if against is not None and against.now else None

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
    names = {n for line in lines for n in line.values}
    if lines:
        names |= {n for n, meaning in MEANINGS.items() if meaning.role in ("both", daemon.role)}
    moved, before = deltas(lines, names), deltas(older, names) if len(older) > 1 else {}
    moves = tuple(
        CounterMove(daemon.index, moved[n], before.get(n))
        for n in sorted(moved)
        if moved[n].delta or moved[n].after or is_error(n)
    )
    return CounterView(daemon.index, tuple(lines), moves, tuple(flag_changes(daemon, lines)))


def flag_changes(daemon: Daemon, lines: Sequence[StatsLine]) -> list[FlagState]:
    """The lines at which the flags changed to something not normal, or back to normal."""
    out: list[FlagState] = []
    last = NORMAL
    for line in lines:
        flags = line.value("state.flags")
        if flags is None or flags == last:
            continue
        starting = not flag_names(flags) and not flag_names(last)
        last = flags
        if not starting:
            names = flag_names(flags)
            out.append(FlagState(daemon.index, line.time, flags, names, is_red(flags), line.file, line.line))
    return out
