"""Counters and disks of every daemon over the failure window, against the time before it; what counters mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from logtui.parsers.daemons.daemon import AisLogs, Daemon
from logtui.parsers.daemons.reread import DiskLoad, stats_lines
from logtui.parsers.daemons.stats import (
    NORMAL,
    Delta,
    Kind,
    StatsLine,
    deltas,
    flag_names,
    is_red,
    kind_of,
    show_seconds,
    show_size,
)

BASELINE_S = 3600.0
"""How far before the window the baseline reaches."""
SATURATED = 95
"""Percent of busy time from which a disk is at its limit (the cluster's own `disk_util_max_wm`)."""
NEARLY = 90
TICK_S = 10.0
LASTS_S = 25.0
"""A shorter burst is ordinary."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """One counter."""

    name: str
    role: str
    """`target`, `proxy` or `both`."""
    error: bool
    """Whether growth is a failure by itself."""
    text: str


_ALL = (
    Meaning("err.getbatch.n", "target", True, "failed or rejected batches"),
    Meaning("err.soft.getbatch.n", "target", True, "tolerated errors in batches: missing objects, broken peers"),
    Meaning("err.gfn.getbatch.n", "target", True, "failed recoveries from a neighbour"),
    Meaning("getbatch.rxwait.ns", "target", False, "time that the assembling target waited for its peers"),
    Meaning("getbatch.throttle.ns", "target", False, "time that the target slept because of its own load"),
    Meaning("getbatch.n", "target", False, "batches finished here, failed ones included"),
    Meaning("getbatch.gfn.n", "target", False, "recoveries from a neighbour"),
    Meaning("getbatch.file.n", "target", False, "files delivered in batches"),
    Meaning("getbatch.obj.n", "target", False, "objects delivered in batches"),
    Meaning("get.n", "both", False, "objects served (a proxy: redirected)"),
    Meaning("get.size", "target", False, "bytes served"),
    Meaning("err.get.n", "both", False, "failed reads, clients that left included; up to 4.4 also missing objects"),
    Meaning("err.put.n", "both", True, "failed writes"),
    Meaning("err.io.get.n", "target", True, "local disk errors on read"),
    Meaning("err.io.put.n", "target", True, "local disk errors on write"),
    Meaning("err.io.n", "target", True, "local disk errors (up to 3.23)"),
    Meaning("err.fshc.n", "target", True, "disk health checks triggered"),
    Meaning("err.kalive.n", "both", True, "failed keep-alives, retries counted"),
    Meaning("err.put.cksum.n", "target", True, "checksum mismatches on write"),
    Meaning("err.lst.n", "both", False, "failed listings"),
    Meaning("err.append.n", "both", False, "failed appends to objects"),
    Meaning("err.head.n", "both", False, "failed metadata requests"),
    Meaning("err.http.write.n", "both", False, "control answers that could not be written; not object bodies"),
    Meaning("ratelim.retry.get.n", "target", False, "reads repeated because the cloud throttled"),
    Meaning("stream.in.n", "target", False, "objects received from other targets"),
    Meaning("stream.out.n", "target", False, "objects sent to other targets"),
)  # fmt: skip
MEANINGS = {m.name: m for m in _ALL}


def explain(name: str) -> str:
    """What a counter means; "" for counters without a story."""
    return MEANINGS[name].text if name in MEANINGS else ""


def is_error(name: str) -> bool:
    """Whether growth of a counter is a failure by itself."""
    return name in MEANINGS and MEANINGS[name].error


def requests_of(name: str) -> str:
    """The counter of the requests that a counter is to be measured by; "" where there is none."""
    if name in ("get.n", "getbatch.n", "put.n"):
        return ""
    if "getbatch." in name:
        return "getbatch.n"
    head = next((word for word in name.split(".") if word in ("get", "put")), "")
    return f"{head}.n" if head else ""


def amount_text(name: str, amount: float) -> str:
    """A counter's value or growth as people read it: `7m33s`, `6.7 GiB`, `1,204`, `0.043`."""
    kind = kind_of(name)
    if kind in (Kind.TOTAL_NS, Kind.LATENCY_NS):
        return show_seconds(amount / 1e9) if abs(amount) >= 1e6 else f"{amount / 1e3:.0f}µs" if amount else "0"
    if kind in (Kind.BYTES, Kind.RATE):
        return show_size(amount) if amount else "0"
    return f"{amount:,.0f}" if amount == int(amount) or abs(amount) >= 100 else f"{amount:.2g}"


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


@dataclass(frozen=True, slots=True)
class Saturation:
    """A time in which disks of one target were at their limit. Times are the daemon's clock."""

    daemon: int
    start: float
    end: float
    disks: tuple[str, ...]
    seen: int
    """Disks of the target that wrote any line."""
    busiest: int
    """Percent."""
    first: DiskLoad
    """The line with which it began."""

    @property
    def lasted_s(self) -> float:
        """Seconds from the first line to the last."""
        return self.end - self.start


def saturations(daemon: int, loads: Sequence[DiskLoad]) -> list[Saturation]:
    """Times in which at least one disk stayed at its limit, by start; those of several disks at once are joined."""
    seen: dict[str, list[DiskLoad]] = {}
    for load in loads:
        seen.setdefault(load.disk, []).append(load)
    runs = [run for disk in sorted(seen) for run in _runs(seen[disk])]
    runs.sort(key=lambda r: r[0].time)
    joined: list[list[list[DiskLoad]]] = []
    for run in runs:
        if joined and run[0].time <= max(r[-1].time for r in joined[-1]) + TICK_S * 1.5:
            joined[-1].append(run)
        else:
            joined.append([run])
    return [_saturation(daemon, group, len(seen)) for group in joined]


def _runs(loads: Sequence[DiskLoad]) -> list[list[DiskLoad]]:
    """Unbroken times at the limit of one disk that last; a tick just below the limit does not end one."""
    runs: list[list[DiskLoad]] = []
    unbroken = False
    for load in loads:
        if load.busy < SATURATED:
            unbroken = unbroken and load.busy >= NEARLY
        elif unbroken and load.time - runs[-1][-1].time <= TICK_S * 2.5:
            runs[-1].append(load)
        else:
            runs.append([load])
            unbroken = True
    return [r for r in runs if r[-1].time - r[0].time >= LASTS_S]


def _saturation(daemon: int, runs: Sequence[Sequence[DiskLoad]], seen: int) -> Saturation:
    loads = [load for run in runs for load in run]
    first, last = min(loads, key=lambda x: (x.time, x.line)), max(loads, key=lambda x: x.time)
    disks = tuple(sorted({x.disk for x in loads}))
    return Saturation(daemon, first.time, last.time, disks, seen, max(x.busy for x in loads), first)


def heat(loads: Sequence[DiskLoad], start: float, end: float, cells: int) -> dict[str, list[int | None]]:
    """For each disk the highest load in each of `cells` equal times; None where it wrote no line (below 15 %)."""
    strips: dict[str, list[int | None]] = {}
    width = (end - start) / cells if cells > 0 and end > start else 0.0
    for load in loads:
        if not width or not start <= load.time < end:
            continue
        strip = strips.setdefault(load.disk, [None] * cells)
        cell = min(cells - 1, int((load.time - start) / width))
        strip[cell] = max(strip[cell] or 0, load.busy)
    return dict(sorted(strips.items()))
