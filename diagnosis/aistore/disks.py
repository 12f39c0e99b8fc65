"""Disks at their limit: when it began, how many of how many, and the heat strip of each disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from logtui.parsers.aistore.reread import DiskLoad

SATURATED = 95
"""Percent of busy time from which a disk is at its limit (the cluster's own `disk_util_max_wm`)."""
NEARLY = 90
TICK_S = 10.0
LASTS_S = 25.0
"""A shorter burst is ordinary."""


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
