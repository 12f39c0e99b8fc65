"""What every daemon writes, in order of time, before any file is thought of."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from time import gmtime, strftime

from logtui.parsers.generator.aistore.lives import Lives
from logtui.parsers.generator.aistore.run import BUILDS, BUSY_LINE, HISTORY, HOUR_LINE, Run, Words, disk_loads
from logtui.parsers.generator.aistore.spec import AisFault, AisSpec, ClientEvent
from logtui.parsers.generator.lab import records_serve as serve
from logtui.parsers.generator.lab.cluster import Cluster
from logtui.parsers.generator.lab.spec import LabSpec

TICK = 10.0
STATS_S = 180.0
_HARD = (AisFault.DISK_PRESSURE, AisFault.SLOW_DISK)
_LETTERS = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
MEMBER = "train/shard-00012.tar/utt-{n:05d}.flac"


class Story:
    """The cluster of one spec."""

    def __init__(self, spec: AisSpec) -> None:
        self.spec = spec
        self.rng = Random(f"aistore {spec.seed} {spec.version} {spec.fault}")
        self.cluster = Cluster(LabSpec(version=spec.version, targets=spec.targets, seed=spec.seed), proxies=1)
        self.proxy = self.cluster.proxies[0].id
        self.targets = [t.id for t in self.cluster.targets]
        self.assembler, self.culprit = self.targets[0], self.targets[1]
        self.words = Words(spec.version, self.cluster.job(), self._item())
        self.clients: list[ClientEvent] = []
        self.runs = self.cluster.runs = self._runs()
        self.lives = Lives(self.cluster, self.formed, self._names())
        for run in self.runs:
            if run.letter == "t" and run.start < spec.failure:
                run.counters.values.update(HISTORY)
            self._live(run)
        self._fail()
        self._end_job()
        for run in self.runs:
            run.said.sort(key=lambda s: s.time)

    def _name(self, length: int) -> str:
        return "".join(self.rng.choice(_LETTERS) for _ in range(length))

    def _item(self) -> str:
        return f"{self.proxy[:7]}-{self._name(5)}"

    @property
    def last_request(self) -> float:
        """When the job asks for the last time."""
        return self.spec.failure + (280.0 if self.spec.fault is not AisFault.CLIENT_GONE else 0.0)

    @property
    def formed(self) -> float:
        """When the primary has all targets."""
        return self.spec.failure - self.spec.history_s + 6 + 5 * self.spec.targets

    def _names(self) -> dict[str, object]:
        return {
            "build": BUILDS[self.spec.version], "dev0": "nvme0n1", "dev1": "nvme1n1", "xid": self.words.job,
            "wid": self.words.item, "clock": strftime("%H:%M:%S.000000", gmtime(self.spec.failure + self.spec.zone_s)),
        }  # fmt: skip

    def _runs(self) -> list[Run]:
        spec, start = self.spec, self.spec.failure - self.spec.history_s
        end = spec.failure + spec.aftermath_s
        runs = [Run(self.proxy, "p", "ais-proxy-0", start, end)]
        for n, node in enumerate(self.targets):
            stop = self._stop(node)
            born = start + 4 + 5 * n
            if stop is None:
                runs.append(Run(node, "t", f"ais-target-{n}", born, end))
                continue
            runs.append(Run(node, "t", f"ais-target-{n}", born, stop, spec.clean_stop))
            runs.append(Run(node, "t", f"ais-target-{n}", stop + 43, end))
        return runs

    def _stop(self, node: str) -> float | None:
        """When a node's first process ends, if it is replaced."""
        if node == self.culprit and self.spec.fault is AisFault.PEER_RESTART:
            return self.spec.failure - 2.5
        if node == self.assembler and self.spec.decoy_restart and self.spec.aftermath_s > 1100:
            return self.spec.failure + 970
        return None

    def _live(self, run: Run) -> None:
        """Start, ticks and stop of one process."""
        node = next(n for n in self.cluster.nodes if n.id == run.node)
        self.lives.begin(node, run)
        marker, printed, active = run.start + 1.3, -STATS_S, 0.0
        first = at = max(run.start, self.formed) + 11.7 + self.rng.random()
        while at < run.end:
            busy = self._work(run, at)
            if busy:
                active = at
            if (active == at or at == first) and at - printed >= STATS_S:
                printed = at
                self._stats(run, at, busy)
            if at - marker > 3600:
                marker = at
                run.say(at + 0.0005, "I", f"common:{HOUR_LINE[self.spec.version]}", self._marker(at))
            at += TICK

    def _marker(self, at: float) -> str:
        return strftime("%d %b %y %H:%M ", gmtime(at + self.spec.zone_s)) + self.spec.zone + " ============="

    def _saturated(self, run: Run, at: float) -> int:
        """Disks at their limit on a tick."""
        trouble = self.spec.fault in _HARD and run.node == self.culprit
        if not trouble or not self.spec.failure - 265 <= at <= self.last_request - 10:
            return 0
        return self.spec.disks if self.spec.fault is AisFault.DISK_PRESSURE else 1

    def _work(self, run: Run, at: float) -> str:
        """Counters and disk lines of one tick; returns the disks inside the braces, "" when idle."""
        if not self.spec.failure - self.spec.job_s <= at <= self.last_request:
            return ""
        if run.letter == "p":
            run.counters.add("get.n", self.rng.randrange(15, 30))
            return "-"
        saturated = self._saturated(run, at)
        starved = self.spec.fault in _HARD and run.node == self.assembler and at > self.spec.failure - 255
        run.counters.serve(self.rng, 1 if saturated or starved else 7, (9_000_000_000 if starved else 40_000_000))
        loads = disk_loads(self.rng, self.spec.disks, saturated)
        for n, disk in enumerate(d for d in loads if d.busy >= BUSY_LINE):
            run.say(at + 0.0001 + n * 2e-6, "I", "", disk.line(), "saturated" if disk.busy >= 96 else "")
        return ",".join(d.braced() for d in loads) if self.spec.version == "4.1" else "-"

    def _stats(self, run: Run, at: float, disks: str) -> None:
        run.counters.values["state.flags"] = 6 if self.spec.clean_stop or run.start == self.runs[1].start else 134
        run.counters.values["kalive.ns"] = self.rng.randrange(500_000, 1_300_000) if disks else 0
        run.say(at, "I", "", run.counters.line(disks if disks != "-" else ""), "stats")
        if run.letter == "t" and disks:
            run.say(at + 0.0002, "I", "", f"running(1): get-batch[{self.words.job}]")
            self._count_job(run, at + 6.1)

    def _count_job(self, run: Run, at: float) -> None:
        """What the job says of itself."""
        node = next(n for n in self.cluster.nodes if n.id == run.node)
        self.cluster.play(node, serve.COUNTED + serve.MINUTE, at, "told", **self._counts(run))

    def _counts(self, run: Run) -> dict[str, object]:
        served, files = (run.counters.values.get(name, 0) for name in ("getbatch.n", "getbatch.file.n"))
        size = f"{files * 0.28:.2f}"
        return {"xid": self.words.job, "reqs": served, "objs": 0, "osize": "0", "files": files, "fsize": size}

    def _run_at(self, node: str, at: float) -> Run:
        return next((r for r in self.runs if r.node == node and r.start <= at <= r.end), self.runs[0])

    def _fail(self) -> None:
        fault, at = self.spec.fault, self.spec.failure
        for node in self.cluster.targets:
            self.cluster.play(node, serve.OPENED, at - self.spec.job_s + 0.1)
            self.cluster.play(node, serve.BATCH_JOB, at - self.spec.job_s + 0.1, xid=self.words.job)
        if fault in _HARD:
            self._pressure(at)
            self._cut_and_abort(at, self.words.timed_out(self.assembler, 37))
        elif fault is AisFault.PEER_RESTART:
            self._peer_breaks(at)
            self._cut_and_abort(at, self.words.network_error(self.assembler, 37))
        elif fault is AisFault.CLIENT_GONE:
            self._clients_leave(at)

    def _pressure(self, at: float) -> None:
        run = self._run_at(self.culprit, at)
        if self.spec.fault is AisFault.DISK_PRESSURE:
            run.say(at - 233, "W", "lcache:251", "hk: [ mem/cpu/disk: low low critical ]", "pressure")
            run.say(at - 232.99, "W", "lcache:281", "hk: high system load (cpu: 1 disk: 4 ) - not running")
        for before in (199, 59):
            run.say(at - before, "W", "moss:443", self.words.pressure(), "pressure")
        # Printed by the tick that follows, so that the counters show it before the failure.
        self._soft_errors(at)

    def _soft_errors(self, at: float) -> None:
        run = self._run_at(self.assembler, at)
        run.counters.add("err.soft.getbatch.n", 4)
        run.counters.add("err.getbatch.n", 1)
        after = [s for s in run.said if s.mark == "stats" and s.time > at]
        for said in after:
            said.message = said.message.replace("{", "{err.getbatch.n:1,err.soft.getbatch.n:4,", 1)

    def _cut_and_abort(self, at: float, cause: str) -> None:
        words, run = self.words, self._run_at(self.assembler, at)
        run.say(at, "W", "moss:1601", words.cut(cause), "cut")
        late = words.out_of_bounds(self.assembler, 41)
        if words.old:
            run.say(at + 0.002, "E", "moss:760", f"x-get-batch[{words.job}] t[{self.assembler}] RecvObj: {late}")
            run.say(at + 0.003, "I", "moss:313", f"x-get-batch[{words.job}] aborting: {late}", "abort")
        else:
            run.say(
                at + 0.002,
                "W",
                "shared_dm:301",
                f"shared-dm Rx failure: [ xid: {words.job} err: {late} oname: corpus/{MEMBER.format(n=41)} num Rx errors: 1 ]",
            )
        self._echoes(at)
        self._refused_clients(at, run)

    def _echoes(self, at: float) -> None:
        words = self.words
        for run in self.runs:
            if run.letter == "t" and run.node != self.assembler:
                abort = f"x-get-batch[{words.job}]: remote target abort [t[{self.assembler}]: {words.out_of_bounds(self.assembler, 41)}]"
                newer = f"remote target aborted work item: get-batch[{words.job}] {words.wid} [t[{self.assembler}]]"
                run.say(at + 0.004, "W", "moss:751", abort if words.old else newer)
                run.say(at + 0.018, "E", "base:172", words.terminated(run.node, self.assembler, MEMBER.format(n=42)))
                run.say(
                    at + 0.020,
                    "W",
                    "shared_dm:153",
                    f"t[{run.node}] reconnect/send: shared-dm --> {self.assembler} <nil>",
                )
        assembler = self._run_at(self.assembler, at)
        late = words.xid_not_found(self.assembler, MEMBER.format(n=43))
        assembler.say(at + 0.09, "E" if words.old else "W", "" if words.old else "shared_dm:288", late)

    def _refused_clients(self, at: float, run: Run) -> None:
        """What the ranks print: one gets a short batch, others are refused."""
        self.clients.append(
            ClientEvent(
                at + 0.021,
                3 % self.spec.ranks,
                "WARNING",
                "Batch stream truncated at index 37/64. Falling back to direct AIStore API calls for remaining objects.",
            )
        )
        for n in range(3 if self.spec.job_ids and self.words.old else 0):
            item, rank, when = self._item(), (5 + n) % self.spec.ranks, at + 0.4 + n * 0.06
            run.say(when, "E", "", self.words.not_active(self.assembler, item))
            url = f"http://ais-target-0:51081{self.words.path(item)}"
            # the answer is JSON that ends in a newline, which the SDK quotes as it is
            answer = (
                f'{{"tcode":"Error","message":"x-moss: xid \\"{self.words.job}\\" not active","method":"GET",'
                f'"url_path":"/v1/ml/moss","node":"t[{self.assembler}]","status":409}}'
            )
            text = (
                f"AIStore batch.get() failed: STATUS:409, MESSAGE:{answer}\n, REQ_URL:{url}. Falling back to sequential "
                "GET requests."
            )
            self.clients.append(ClientEvent(when + 0.004, rank, "WARNING", text))

    def _peer_breaks(self, at: float) -> None:
        run = self._run_at(self.assembler, at)
        broken = f"t[{self.assembler}] shared-dm shared-dm[{self.culprit}<={self.assembler}] sbr_obj_data:[ctx: {MEMBER.format(n=40)} err: unexpected EOF]"
        run.say(at - 2.2, "W", "shared_dm:301", broken, "broken")

    def _clients_leave(self, at: float) -> None:
        run = self._run_at(self.assembler, at)
        gone = "write tcp 10.0.3.11:51081->10.0.9.7:40122: write: connection reset by peer"
        message = (
            self.words.cut(gone)
            if self.words.old
            else f"x-get-batch[{self.words.job}] client gone before first write: {gone}"
        )
        run.say(at + 0.6, "W", "moss:1601", message, "gone")
        self.clients.append(
            ClientEvent(
                at, 3 % self.spec.ranks, "ERROR", "RuntimeError: CUDA error: an illegal memory access was encountered"
            )
        )

    def _end_job(self) -> None:
        began = strftime("%H:%M:%S.500141", gmtime(self.spec.failure - self.spec.job_s + self.spec.zone_s))
        for n, node in enumerate(self.cluster.targets):
            run = self.cluster.alive(node, self.last_request)
            if run is not None and run.counters.values.get("getbatch.n"):
                told = self._counts(run) | {"began": began}
                self.cluster.play(node, serve.IDLE, self.last_request + 88 + n, "prompt", **told)
        for rank in range(0, self.spec.ranks, 4):
            text = f"Error while reading 'corpus/train/shard-{rank:05d}.tar', retrying 1/5"
            self.clients.append(ClientEvent(self.spec.failure - 1800 - rank, rank, "WARNING", text))
        self.clients.sort(key=lambda c: c.time)


def told(story: Story) -> Iterator[Run]:
    """Every process of the cluster, by node and start."""
    yield from sorted(story.runs, key=lambda r: (r.node, r.start))
