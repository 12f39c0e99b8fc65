"""Stats lines: counters as the daemon prints them, and how they moved.

A missing counter is zero, unless the line was cut: then it is unknown. Counters begin at zero in a new process;
a fall within one process is a reset at run time. Latencies and throughputs are averages of one 10 s tick.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

_PAIR = re.compile(r'"?([A-Za-z][\w.:/#@%-]*)"?:(-?\d+)')


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
    return {name: int(value) for name, value in found if len(value) < 20}


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
