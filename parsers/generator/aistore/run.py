"""One daemon process of a generated cluster: its records, its counters, and the words of its release."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

BUILDS = {
    "4.1": "4.1.0aa17be21, build 2025-12-02T10:11:12+0000, CPUs(40, runtime=80), containerized",
    "4.2": "4.2.1d20be4c7, build 2026-01-14T08:40:51+0000, CPUs(40, runtime=80), containerized",
    "4.4": "4.4.77e0a91f3, build 2026-03-03T17:22:05+0000, CPUs(40, runtime=80), containerized",
    "4.6": "4.6.c41b90d18, build 2026-05-06T11:02:47+0000, CPUs(40, runtime=80), container:cgroup-v2",
    "4.9": "4.9.09f2e6ab5, build 2026-07-15T14:30:33+0000, CPUs(40, runtime=80), container:cgroup-v2",
    "5.0": "5.0.7c1f00d92, build 2026-08-20T10:11:12+0000, CPUs(40, runtime=80), container:cgroup-v2",
}
HOUR_LINE = {"4.1": 501, "4.2": 502, "4.4": 502, "4.6": 502, "4.9": 502, "5.0": 494}
BUSY_LINE = 15
"""Percent from which a disk writes a line on every tick."""


HISTORY = {
    "aws.get.n": 738, "aws.get.ns.total": 126198000000, "aws.get.size": 1547698176, "aws.head.n": 41, "aws.head.ns.total": 5133000000,
    "err.lst.n": 1, "etl.offline.n": 1136, "etl.offline.ns.total": 7324061314, "get.ns.total": 133085537050, "get.size": 1906726419,
    "lcache.collision.n": 3, "lcache.evicted.n": 12116, "lcache.flush.cold.n": 4919, "lru.evict.n": 17, "lru.evict.size": 71303168,
    "put.ns.total": 1116000000, "put.size": 150994944, "ver.change.n": 2, "ver.change.size": 8388608,
}  # fmt: skip
"""Counters of a target that other work had moved before the job, and that stand still."""


@dataclass(frozen=True, slots=True)
class Words:
    """Messages of one release; `job` is the bare xid, `item` the work item."""

    version: str
    job: str
    item: str

    @property
    def old(self) -> bool:
        """The release still aborts whole jobs, and names causes."""
        return self.version == "4.1"

    @property
    def wid(self) -> str:
        """The work item as quoted inside messages."""
        return f"wid={self.item}" if self.old else f'wid="{self.item}"'

    def title(self, letter: str, node: str) -> str:
        """Node title."""
        return f"Node {letter}[{node}], Version {BUILDS[self.version]}"

    def timed_out(self, node: str, index: int) -> str:
        """Why a batch was cut: a peer delivered nothing."""
        wait = "30s" if self.old else "20s"
        return (
            f"x-get-batch[{self.job}]: timed out waiting for missing entry at index {index} "
            f"[ t[{node}], {self.wid}, total-wait={wait} ]"
        )

    def network_error(self, node: str, index: int) -> str:
        """Why a batch was cut: a peer's stream broke."""
        return (
            f"x-get-batch[{self.job}]: network error while retrieving entry at index {index} "
            f"[ t[{node}], {self.wid}, err=unexpected EOF ]"
        )

    def cut(self, cause: str) -> str:
        """The batch is cut short; 5.0 no longer says why."""
        if self.old:
            return f"x-get-batch[{self.job}] Warning: failed to transmit GET response [ {cause} ]"
        return (
            f"get-batch[{self.job}] err: Warning: failed to transmit GET response [ work:{self.wid} objs:[0 0B] "
            "files:[37 10.41MiB] ] streaming: true"
        )

    def out_of_bounds(self, node: str, index: int) -> str:
        """A late entry."""
        return f"x-get-batch[{self.job}] t[{node}] out-of-bounds index {index} (recv'd len=0, {self.wid})"

    def terminated(self, src: str, dst: str, member: str) -> str:
        """A sender's stream died."""
        err = "write tcp 10.0.7.19:44210->10.0.3.11:51083: write: broken pipe"
        dropped = f"dropping sobj-ais://corpus/{member}(size=183404)"
        if self.old:
            return f"shared-dm[{src}=>{dst}] terminated [reason: 'error' ctx: {dropped} err: {err}]"
        return f"shared-dm[{src}=>{dst}] terminated [{err} ctx: {dropped}]"

    def xid_not_found(self, node: str, member: str) -> str:
        """Data for a job that has ended."""
        if self.old:
            return (
                f"shared-dm: xid {self.job} not found, dropping recv [oname: corpus/{member}]: "
                f"PUT /v1/objstream/shared-dm (t[{node}]: recv.go:121])"
            )
        return f"shared-dm xid {self.job} not found - dropping 1"

    def path(self, item: str) -> str:
        """Where a client fetches a batch."""
        return f"/v1/ml/moss/{self.job}/{item}/2"

    def not_active(self, node: str, item: str) -> str:
        """A client came for a batch of an aborted job."""
        return f'x-moss: xid "{self.job}" not active: GET {self.path(item)} (t[{node}]: htrun.go:1414 <- ml.go:281])'

    def pressure(self) -> str:
        """Throttling under load."""
        advice = "resource pressure: load=critical sleep=10ms [mem=low cpu=low dsk=critical]"
        if self.old:
            return f"{advice} - sleeping/delaying: 10ms"
        return f"x-get-batch[{self.job}] pending: 97 {advice} throttle: 10ms"


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


@dataclass(slots=True)
class Said:
    """One record. Times are true UTC epochs."""

    time: float
    severity: str
    source: str
    """`file:line`; "" for redacted files."""
    message: str
    mark: str = ""
    """Name under which the truth knows the line."""


@dataclass
class Run:
    """One process of a node."""

    node: str
    letter: str
    host: str
    start: float
    end: float
    stopped: bool = False
    """Says that it terminates."""
    pid: int = 1
    said: list[Said] = field(default_factory=list)
    counters: Counters = field(default_factory=Counters)

    def say(self, time: float, severity: str, source: str, message: str, mark: str = "") -> None:
        """Add a record; those outside the process's life are never written."""
        if self.start <= time <= self.end:
            self.said.append(Said(time, severity, source, message, mark))
