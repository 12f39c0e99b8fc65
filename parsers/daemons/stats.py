"""Stats lines: counters as the daemon prints them, how they moved, and in which units.

A missing counter is zero, unless the line was cut: then it is unknown. Counters begin at zero in a new process;
a fall within one process is a reset at run time. Latencies and throughputs are averages of one 10 s tick.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from logtui.parsers.bounded import compile_bounded
from logtui.parsers.regex import regex

_PAIR = compile_bounded(r'"?([A-Za-z][\w.:/#@%-]*)"?:(-?\d+)')
_SIZE = regex(r"(-?\d{1,18}(?:\.\d{1,9})?)([KMGTP]i?B|B)$")
_SCALE = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "PiB": 1 << 50}
_DURATION = regex(r"(\d{1,18}(?:\.\d{1,18})?)(h|ms|m|s|µs|us|ns)")
_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "µs": 1e-6, "us": 1e-6, "ns": 1e-9}
NORMAL = 6
"""Cluster and node started, nothing else."""
_FLAG_NAMES = (
    "vote-in-progress", "cluster-started", "node-started", "rebalancing", "rebalance-interrupted", "resilvering",
    "resilver-interrupted", "restarted", "OOS", "OOM", "in-maintenance-mode", "low-usable-capacity", "low-memory",
    "disk-fault", "number-of-goroutines", "high-number-of-goroutines", "tls-cert-will-soon-expire", "tls-cert-expired",
    "tls-cert-invalid", "keep-alive-errors", "out-of-cpu", "low-cpu", "disk-OOS", "disk-low-capacity",
)  # fmt: skip
"""The bits of `state.flags`, the lowest first."""
RED = (1 << 8) | (1 << 9) | (1 << 13) | (1 << 15) | (1 << 17) | (1 << 20) | (1 << 22)
"""OOS, OOM, disk fault, too many goroutines, expired certificate, out of CPU, disk OOS."""


class Kind(StrEnum):
    """What a counter's suffix says."""

    COUNT = "count"
    BYTES = "bytes"
    TOTAL_NS = "total-ns"
    """Nanoseconds, cumulative."""
    LATENCY_NS = "latency-ns"
    """Nanoseconds, average of the last tick only."""
    RATE = "bytes/s"
    """Bytes per second over the last tick only."""
    FLAGS = "flags"
    OTHER = "other"


_TOTALS = frozenset({"getbatch.rxwait.ns", "getbatch.throttle.ns"})
_SUFFIXES = (
    (".ns.total", Kind.TOTAL_NS), (".bps", Kind.RATE), (".size", Kind.BYTES), (".ns", Kind.LATENCY_NS),
    (".n", Kind.COUNT),
)  # fmt: skip


def kind_of(name: str) -> Kind:
    """A counter's kind, by its suffix and the two exceptions to it."""
    if name in _TOTALS:
        return Kind.TOTAL_NS
    if name == "state.flags":
        return Kind.FLAGS
    return next((kind for suffix, kind in _SUFFIXES if name.endswith(suffix)), Kind.OTHER)


def cumulative(name: str) -> bool:
    """Whether differences between lines mean something."""
    return kind_of(name) in (Kind.COUNT, Kind.BYTES, Kind.TOTAL_NS)


@dataclass(frozen=True, slots=True)
class StatsLine:
    """One printed set of counters."""

    time: float
    file: int
    line: int
    process: int
    """Counts the daemon's processes; counters begin at zero in each."""
    values: dict[str, int]
    cut: bool

    def value(self, name: str) -> int | None:
        """A counter: zero where the line leaves it out, None where its place was cut off.

        Names are sorted, disks follow after them: what sorts before the last name that is left is known.
        """
        if (value := self.values.get(name)) is not None or not self.cut:
            return value or 0
        last = next(reversed(self.values), "")
        return 0 if last.startswith("disk.") or name < last else None


def parse_stats(text: str, cut: bool = False) -> dict[str, int]:
    """Counters of a stats line's message. The last one of a cut line is dropped: its digits may be cut too."""
    found = _PAIR.findall(text)
    if cut and found and not text.endswith("}"):
        found = found[:-1]
    return {name: int(value) for name, value in found if len(value) < 19}


@dataclass(frozen=True, slots=True)
class Delta:
    """How one counter moved over a span of stats lines."""

    name: str
    before: int
    after: int
    delta: int
    """Sum of the steps: larger than `after - before` where the counter was reset between."""
    resets: int
    """Falls within one process."""
    restarts: int
    file: int
    line: int
    """Where `after` stands."""
    seconds: float
    """Time between the first line and the last."""


def deltas(lines: Sequence[StatsLine], names: Iterable[str] | None = None) -> dict[str, Delta]:
    """How every cumulative counter moved from the first line to the last; lines in order of time."""
    if not lines:
        return {}
    wanted = set(names) if names is not None else {n for line in lines for n in line.values}
    return {n: _delta(n, lines) for n in sorted(wanted) if cumulative(n)}


def _delta(name: str, lines: Sequence[StatsLine]) -> Delta:
    known = [(line, value) for line in lines if (value := line.value(name)) is not None]
    if not known:
        return Delta(name, 0, 0, 0, 0, 0, lines[-1].file, lines[-1].line, 0.0)
    last, value = known[0]
    before, total, resets, restarts, process = value, 0, 0, 0, last.process
    for line, now in known[1:]:
        if line.process != process:
            process, value, restarts = line.process, 0, restarts + 1
        if now < value:
            resets, value = resets + 1, 0
        total, value, last = total + now - value, now, line
    return Delta(name, before, value, total, resets, restarts, last.file, last.line, last.time - known[0][0].time)


@lru_cache(maxsize=4096)
def read_size(text: str) -> int | None:
    """Bytes of `54MiB`, `7.10TiB`, `0B`."""
    m = _SIZE.match(text)
    if m is None or m[2] not in _SCALE:
        return None
    return int(float(m[1]) * _SCALE[m[2]])


def read_duration(text: str) -> float | None:
    """Seconds of Go's `30s`, `1m30.5s`, `40.4065ms`."""
    found = _DURATION.findall(text)
    if not found or "".join(n + unit for n, unit in found) != text.lstrip("-"):
        return None
    return sum(float(n) * _SECONDS[unit] for n, unit in found)


def show_size(count: float) -> str:
    """`97.0 MiB`."""
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if abs(count) < 1024 or unit == "TiB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return ""


def show_seconds(seconds: float) -> str:
    """`1m30s`, `12.5s`, `40ms`."""
    if abs(seconds) < 1:
        return f"{seconds * 1000:.0f}ms"
    if abs(seconds) < 60:
        return f"{seconds:.1f}s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h{minutes:02d}m{rest:02d}s" if hours else f"{minutes}m{rest:02d}s"


def flag_names(flags: int) -> tuple[str, ...]:
    """Every set bit by name, the two normal ones left out; unknown bits as `bit-N`."""
    return tuple(
        _FLAG_NAMES[bit] if bit < len(_FLAG_NAMES) else f"bit-{bit}"
        for bit in range(max(0, flags).bit_length())
        if flags >> bit & 1 and bit not in (1, 2)
    )


def is_red(flags: int) -> bool:
    """Whether any of the alerts that stop service is up."""
    return bool(flags & RED)
