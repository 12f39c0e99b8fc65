"""A cluster at work: it starts, gets its buckets, serves batches, and prints what it counts."""

from __future__ import annotations

from dataclasses import dataclass
from time import gmtime, strftime

from logtui.parsers.generator.aistore.run import BUSY_LINE, HOUR_LINE, Counters, Disk, Run
from logtui.parsers.generator.lab import records_serve as serve
from logtui.parsers.generator.lab import records_start as start
from logtui.parsers.generator.lab.cluster import Cluster, Node

FORMED_AFTER_S = 18.0
JOB_AFTER_S = 50.0
TICK_S = 10.0
STATS_S = 60.0
ONE_JOB_FROM = "4.3"
"""Before, each batch was a job of its own."""
STEP_S = 0.5
BATCH = 24
OUT_OF_CPU, LOW_CPU, LOW_MEMORY_OOM, OUT_OF_SPACE, REJOINED = 1 << 20, 1 << 21, 1 << 9, 1 << 8, 136
STARTED = 6


@dataclass
class Load:
    """What is special about a node for a while."""

    node: Node
    since: float
    until: float
    busy: int = 0
    """Percent of both of its disks."""
    flags: int = 0
    alerts: str = ""


class Served:
    """The work of one cluster."""

    def __init__(self, cluster: Cluster, began: float) -> None:
        self.cluster, self.began = cluster, began
        self.job = cluster.job()
        self.loads: list[Load] = []
        self.batches: dict[str, int] = {}

    @property
    def job_start(self) -> float:
        """When the first batch is asked for."""
        return self.began + JOB_AFTER_S

    def birth(self, node: Node, at: float, end: float, *words: str) -> None:
        """A process of a node begins; `first` or `again`."""
        self.cluster.run(node, at, end)
        for delay, rows in ((0.0, start.HEAD), (0.001, start.NETWORKS), (0.002, start.NETWORKS), (0.0, start.START)):
            self.cluster.play(node, rows, at + delay, *words)

    def form(self, end: float) -> None:
        """All nodes start one after the other, and the buckets are made."""
        cluster, began = self.cluster, self.began
        for n, node in enumerate(cluster.nodes):
            self.birth(node, began + 0.8 * n, end, "first")
            if node.letter == "t":
                cluster.play(
                    cluster.proxies[0], start.JOINED, began + 0.8 * n, peer=node.id, smap=n + 1, count=node.index + 1
                )
        for node in cluster.nodes:
            words = ("first", "primary") if node is cluster.proxies[0] else ("first",)
            for rows in (start.FORMED, start.READY):
                cluster.play(node, rows, began + FORMED_AFTER_S, *words)
            cluster.play(node, start.NETWORKS, began + FORMED_AFTER_S + 0.015)
            for n, bucket in enumerate(("voices", "packs"), 1):
                names = {
                    "bmd": n + 1,
                    "have": n,
                    "buckets": n,
                    "bucket": bucket,
                    "action": f"{bucket[:2]}J7{cluster.uuid}",
                }
                cluster.play(node, start.BUCKET, began + 33 + 0.2 * n, *words, **names)

    def serve(self, until: float) -> None:
        """Batches from the start of the job on; a batch comes to the targets in turn."""
        cluster, at, n = self.cluster, self.job_start, 0
        for node in cluster.targets:
            cluster.play(node, serve.OPENED, at)
            if cluster.spec.version >= ONE_JOB_FROM:
                cluster.play(node, serve.BATCH_JOB, at, "loaded", "told", **self._counts(node))
                cluster.play(node, serve.FIRST_WORDS, at, **self._counts(node))
        while at < until:
            for rank in range(cluster.spec.ranks):
                self._batch(cluster.targets[(n + rank) % len(cluster.targets)], at + 0.03 * rank, n + rank)
            at, n = at + STEP_S, n + 1
        self._idle(until)

    def _batch(self, node: Node, at: float, number: int) -> None:
        if self.cluster.alive(node, at) is None:
            return
        self.batches[node.id] = self.batches.get(node.id, 0) + 1
        if self.cluster.spec.version < ONE_JOB_FROM:
            job, words = self.cluster.job(), ("loaded",) if number % 3 == 0 else ()
            told = ("told",) if number % 4 == 0 else ()
            self.cluster.play(node, serve.BATCH_JOB, at, *words, *told, **self._counts(node) | {"xid": job})
            idle = self._counts(node) | {"xid": job, "began": self.clock(at)}
            self.cluster.play(node, serve.IDLE, at + 90, "waited" if number % 9 == 0 else "prompt", **idle)

    def _idle(self, until: float) -> None:
        if self.cluster.spec.version >= ONE_JOB_FROM:
            for node in self.cluster.targets:
                idle = self._counts(node) | {"began": self.clock(self.job_start)}
                self.cluster.play(node, serve.IDLE, until + 95, "prompt", **idle)

    def _counts(self, node: Node) -> dict[str, object]:
        """What a job says of itself."""
        n = self.batches.get(node.id, 0)
        return {
            "xid": self.job,
            "reqs": n,
            "objs": n * 16,
            "files": n * 8,
            "osize": f"{n * 1.47:.2f}",
            "fsize": f"{n * 0.72:.2f}",
        }

    def clock(self, at: float) -> str:
        """`11:33:14.051203`, by the daemons' clock."""
        local = at + self.cluster.spec.zone_s + self.cluster.spec.skew_s
        return strftime("%H:%M:%S", gmtime(local)) + f".{int(local % 1 * 1e6):06d}"

    # -- What is printed every ten seconds

    def tick(self, end: float, served_until: float) -> None:
        """Counters, disks, alerts, and the hour."""
        for node in self.cluster.nodes:
            for run in [r for r in self.cluster.runs if r.node == node.id]:
                self._life(node, run, min(end, run.end), served_until)

    def _life(self, node: Node, run: Run, end: float, served_until: float) -> None:
        at, printed, hour = run.start + FORMED_AFTER_S + 2.4 + 10, -STATS_S, run.start
        first, minute = True, self.job_start + 60
        run.counters.values.update({"put.n": 1204 if node.letter == "p" else 301} if run.start < self.job_start else {})
        while at < end:
            busy = self._count(node, run, at, served_until)
            self._disks(node, run, at)
            if first or (busy and at - printed >= STATS_S):
                printed = at
                self._stats(node, run, at, first)
            self._alarms(node, at, first)
            if busy and at >= minute:
                minute = at + 60
                self.cluster.play(node, serve.MINUTE, at + 0.2, **self._counts(node))
            if at - hour > 3600:
                hour = at
                local = (
                    strftime("%d %b %y %H:%M ", gmtime(at + self.cluster.spec.zone_s + self.cluster.spec.skew_s))
                    + self._zone()
                )
                run.say(at + 0.0005, "I", f"common:{HOUR_LINE[self.cluster.spec.version]}", f"{local} =============")
            at, first = at + TICK_S, False

    def _zone(self) -> str:
        """As Go prints zones without a name."""
        hours, minutes = divmod(self.cluster.spec.zone_s // 60, 60)
        return "UTC" if not self.cluster.spec.zone_s else f"{hours:+03d}{minutes:02d}" if minutes else f"{hours:+03d}"

    def _count(self, node: Node, run: Run, at: float, served_until: float) -> bool:
        if not self.job_start <= at <= served_until + TICK_S:
            return False
        if node.letter == "p":
            run.counters.add("get.n", 3)
            return True
        slow = any(x.busy for x in self.loads if x.since <= at <= x.until)
        batches = 1 if slow else int(TICK_S / STEP_S * self.cluster.spec.ranks / len(self.cluster.targets))
        size = batches * BATCH * 96_000
        for name, count in (
            ("getbatch.n", batches), ("getbatch.obj.n", batches * 16), ("getbatch.file.n", batches * 8),
            ("getbatch.obj.size", size * 2 // 3), ("getbatch.file.size", size // 3), ("stream.in.n", batches * 15),
            ("stream.out.n", batches * 15), ("stream.in.size", size // 2), ("stream.out.size", size // 2),
        ):  # fmt: skip
            run.counters.add(name, count)
        return True

    def _stats(self, node: Node, run: Run, at: float, first: bool) -> None:
        values = run.counters.values
        latest = dict(values)
        if first and node.letter == "t" and run.start < self.job_start:
            latest |= {"put.bps": 3_610_022, "put.ns": 1_644_903, "put.redir.ns": 5_480_117}
        if not first or node.letter == "p":
            latest["kalive.ns"] = self.cluster.rng.randrange(500_000, 1_300_000)
        latest |= (
            {"put.ns.total": 451_882_093, "put.size": 34_402_918} if "put.n" in values and node.letter == "t" else {}
        )
        latest["state.flags"] = self._flags(node, at, run)
        run.say(at, "I", "", Counters(latest).line(self._braced(node, at)), "stats")
        if node.letter == "t" and self.job_start <= at:
            run.say(at + 0.0002, "I", "", f"running(1): get-batch[{self.job}]")

    def _flags(self, node: Node, at: float, run: Run) -> int:
        flags = STARTED | (REJOINED if run.start > self.job_start else 0)
        for load in self._on(node, at):
            flags |= load.flags
        return flags | (OUT_OF_CPU if self.cluster.spec.version < "4.4" else LOW_CPU if at > self.job_start else 0)

    def _on(self, node: Node, at: float) -> list[Load]:
        return [x for x in self.loads if x.node is node and x.since <= at <= x.until]

    def _braced(self, node: Node, at: float) -> str:
        busy = [d for d in self._loaded(node, at) if d.busy > BUSY_LINE]
        return ",".join(d.braced() for d in busy) if self.cluster.spec.version < "4.2" else ""

    def _loaded(self, node: Node, at: float) -> list[Disk]:
        busy = max((x.busy for x in self._on(node, at)), default=0)
        return [Disk(f"loop{2 * node.index + n}", min(busy + n, 100), 0) for n in range(2)] if busy else []

    def _disks(self, node: Node, run: Run, at: float) -> None:
        for disk in self._loaded(node, at):
            run.say(at + 0.0001, "I", "", f"{disk.name}: 98KiB/s, 96KiB, 0B/s, 0B, {disk.busy}%", "saturated")

    def _alarms(self, node: Node, at: float, first: bool) -> None:
        if first:
            self.cluster.play(node, serve.BUSY, at + 0.001)
        elif at > self.job_start + 20:
            if self.cluster.rng.random() < 0.05:
                self.cluster.play(node, serve.BUSIER, at + 0.001)
            for load in self._on(node, at):
                if load.alerts:
                    self.cluster.play(node, serve.ALERTS, at + 0.002, alerts=f"[{load.alerts} out-of-cpu]")
            if not self._on(node, at) and self.cluster.rng.random() < 0.4:
                self.cluster.play(node, serve.ALERTS, at + 0.002, alerts="out-of-cpu")
