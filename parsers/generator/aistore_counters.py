"""The counters of one written daemon, and the stats and disk lines they become."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

BUSY_LINE = 15
"""Percent from which a disk writes a line on every tick."""


HISTORY = {
    "aws.get.n": 738, "aws.get.ns.total": 126198000000, "aws.get.size": 1547698176, "aws.head.n": 41, "aws.head.ns.total": 5133000000,
    "err.lst.n": 1, "etl.offline.n": 1136, "etl.offline.ns.total": 7324061314, "get.ns.total": 133085537050, "get.size": 1906726419,
    "lcache.collision.n": 3, "lcache.evicted.n": 12116, "lcache.flush.cold.n": 4919, "lru.evict.n": 17, "lru.evict.size": 71303168,
    "put.ns.total": 1116000000, "put.size": 150994944, "ver.change.n": 2, "ver.change.size": 8388608,
}  # fmt: skip
"""Counters of a target that other work had moved before the job, and that stand still."""


@dataclass
class Counters:
    """Counters of one process; zero ones are left out when printed."""

    values: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, count: int) -> None:
        """Raise a cumulative counter."""
        self.values[name] = self.values.get(name, 0) + count

    def serve(self, rng: Random, batches: int, wait_ns: int) -> None:
        """Account for a tick of get-batch work."""
        files = batches * 64
        size = files * rng.randrange(250_000, 330_000)
        for name, count in (
            ("getbatch.n", batches), ("getbatch.file.n", files), ("getbatch.file.size", size),
            ("getbatch.rxwait.ns", wait_ns), ("stream.in.n", files // 2), ("stream.in.size", size // 2),
            ("stream.out.n", files // 2), ("stream.out.size", size // 2),
        ):  # fmt: skip
            self.add(name, count)

    def line(self, disks: str = "") -> str:
        """The stats line's message; `disks` is appended inside the braces after the sorted part."""
        shown = ",".join(f"{name}:{value}" for name, value in sorted(self.values.items()) if value)
        return "{" + shown + ("," + disks if disks else "") + "}"


@dataclass(frozen=True, slots=True)
class Disk:
    """One disk's load on one tick."""

    name: str
    busy: int
    read: int
    """MiB per second."""

    def line(self) -> str:
        """As printed every ten seconds while busy."""
        return f"{self.name}: {self.read}MiB/s, 119KiB, {self.read // 9}KiB/s, 14KiB, {self.busy}%"

    def braced(self) -> str:
        """As appended to stats lines up to 4.1."""
        sizes = f"{self.name}.read.bps:{self.read << 20},disk.{self.name}.avg.rsize:121856,disk.{self.name}.write.bps:"
        return f"disk.{sizes}{self.read << 9},disk.{self.name}.avg.wsize:14336,disk.{self.name}.util:{self.busy}"


def disk_loads(rng: Random, count: int, saturated: int) -> list[Disk]:
    """The disks of a serving target on one tick, the first `saturated` of them at their limit."""
    loads = []
    for n in range(count):
        busy = rng.randrange(96, 100) if n < saturated else rng.randrange(9, 30)
        loads.append(Disk(f"nvme{n}n1", busy, rng.randrange(60, 90) if n < saturated else rng.randrange(20, 70)))
    return loads
