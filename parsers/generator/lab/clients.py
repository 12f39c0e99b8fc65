"""What the ranks print: torchrun's `--tee` of a plain loop, Lhotse's batch loader and the SDK of AIStore (1.18 to 1.25)."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from logtui.parsers.generator.lab.cluster import Cluster, Node
from logtui.parsers.generator.stage import clock
from logtui.parsers.generator.wordings.errors import SITE, Frame
from logtui.parsers.generator.wordings.torchrun import failure_block, launch_frames

LOADER = "lhotse.ais.batch_loader"
WAITS = (1.0, 1.0, 1.84, 2.91, 5.62, 14.3)
"""Seconds between the seven attempts of a request."""
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
TORCH = (2, 12)
_LOOP = (Frame("/job/train.py", 171, "<module>", "main()"),)
_NEXT = (
    *_LOOP,
    Frame("/job/train.py", 142, "main", "loss, nbytes = next(batches)"),
    Frame(f"{SITE}/torch/utils/data/dataloader.py", 741, "__next__", "data = self._next_data()"),
    Frame("/job/train.py", 88, "__getitem__", "audio = [c.load_audio() for c in self.loader(CutSet(rows))]"),
    Frame(f"{SITE}/lhotse/ais/batch_loader.py", 188, "__call__", "content = self._fetch(batch, info)"),
)
_REDUCE = (
    *_LOOP,
    Frame("/job/train.py", 149, "main", "dist.all_reduce(g)"),
    Frame(f"{SITE}/torch/distributed/c10d_logger.py", 83, "wrapper", "return func(*args, **kwargs)"),
    Frame(f"{SITE}/torch/distributed/distributed_c10d.py", 3026, "all_reduce", "work.wait()"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line, or several that are written at once."""

    time: float
    text: str
    mark: str = ""


@dataclass
class Workers:
    """The log of a job; times are true UTC."""

    cluster: Cluster
    rng: Random
    lines: list[Line] = field(default_factory=list)
    dead: dict[int, tuple[float, int]] = field(default_factory=dict)
    """Rank → when it ended, and its exit code."""

    def local(self, at: float) -> float:
        """A time by the workers' clock."""
        return at + self.cluster.spec.workers_s

    def say(self, rank: int, at: float, level: str, logger: str, text: str, mark: str = "") -> None:
        """A logger's record; further lines have no stamp."""
        body = f"{clock.comma(self.local(at))} {level} [rank{rank}] {logger}: {text}"
        self.lines.append(Line(at, self._teed(rank, body), mark))

    def _teed(self, rank: int, text: str) -> str:
        return "\n".join(f"[default{rank}]:{line}" for line in text.split("\n"))

    def agent(self, at: float, text: str) -> None:
        """What the launcher itself prints."""
        self.lines.append(Line(at, text))

    def raise_in(
        self, rank: int, at: float, frames: tuple[Frame, ...], headline: str, mark: str = "", code: int = 1
    ) -> None:
        """A rank ends with an exception."""
        calls = [f'  File "{f.path}", line {f.line}, in {f.function}\n    {f.source}' for f in frames]
        text = "\n".join(["Traceback (most recent call last):", *calls, headline])
        marked = [f"[rank{rank}]: {line}" for line in text.split("\n")]
        said = headline.count("\n") + 1
        self.lines.append(Line(at, self._teed(rank, "\n".join(marked[:-said]))))
        self.lines.append(Line(at, self._teed(rank, "\n".join(marked[-said:])), mark))
        self.dead[rank] = at + 1.1, code

    # -- Steps

    def train(self, began: float, until: float, step_s: float, stall: tuple[float, float]) -> int:
        """Steps of all ranks; returns how many there were. A stall is when it begins and how long it lasts."""
        spec = self.cluster.spec
        for rank in range(spec.ranks):
            told = f"world size {spec.ranks}, cuts of this rank 512, endpoint http://{self.cluster.proxies[0].ip}:51080, via lhotse"
            self.say(rank, began - 0.3 + rank * 0.004, "INFO", "train", told)
        steps = int((until - began - stall[1]) / step_s)
        for step in range(0, steps, 20):
            for rank in range(spec.ranks):
                data, reduce = 0.12 + self.rng.random() * 0.1, 0.02 + self.rng.random() * 0.08
                text = f"step {step} loss {11.2 - step * 1e-4:.5f} data_time {data:.3f} reduce_time {reduce:.3f}"
                at = began + step * step_s + 0.2 + rank * 0.001
                self.say(
                    rank,
                    at + (stall[1] if at > stall[0] else 0.0),
                    "INFO",
                    "train",
                    f"{text} bytes {self.rng.randrange(4_100_000, 5_000_000)}",
                )
        return steps

    def done(self, at: float, steps: int) -> None:
        """All ranks say that they have finished."""
        for rank in range(self.cluster.spec.ranks):
            self.say(rank, at + rank * 0.001, "INFO", "train", f"done after {steps} steps")

    # -- Requests

    def utm(self, at: float) -> str:
        """The proxy's time of a redirect, in nanoseconds, base 36."""
        number, text = int((at + self.cluster.spec.skew_s) * 1e9), ""
        while number:
            number, digit = divmod(number, 36)
            text = _DIGITS[digit] + text
        return text

    def path(self, name: str, at: float, bucket: str = "voices") -> str:
        """A redirected request for an object."""
        sent = self.utm(at - 0.004)
        return f"/v1/objects/{bucket}/{name}?provider=ais&pid={self.cluster.proxies[0].id}&utm={sent}"

    def short_batch(self, rank: int, at: float, index: int, name: str, mark: str = "") -> None:
        """A batch that ends early; its rest is asked for one by one."""
        told = f"Batch stream truncated at index {index}/24. Falling back to direct AIStore API calls for remaining objects."
        self.say(rank, at, "WARNING", LOADER, told, mark)
        empty = f"Object {name}/None from bucket ais://voices returned empty content. Retrying with direct AIStore API call."
        self.say(rank, at + 0.001, "WARNING", LOADER, empty)

    def retry(self, rank: int, at: float, node: Node, path: str, why: str, wait: float, mark: str = "") -> None:
        """An attempt that failed, before the next one."""
        raised = (
            f"Retrying aistore.sdk.request_client.RequestClient.request.<locals>.request_op in {wait:g} seconds as it raised "
            f"ConnectionError: {self.unreachable(node, path, why)}."
        )
        self.say(rank, at, "WARNING", "root", raised, mark)

    def unreachable(self, node: Node, path: str, why: str) -> str:
        """What requests says of a node that does not answer."""
        pool = f"host='{node.ip}', port={node.port}"
        cause = (
            f'ReadTimeoutError("HTTPConnectionPool({pool}): Read timed out. (read timeout=20.0)")'
            if why == "timeout"
            else f'NewConnectionError("HTTPConnection({pool}): Failed to establish a new connection: {why}")'
        )
        return f"HTTPConnectionPool({pool}): Max retries exceeded with url: {path} (Caused by {cause})"

    def give_up(self, rank: int, at: float, node: Node, path: str, name: str, why: str) -> None:
        """The last attempt failed too."""
        if self.cluster.spec.recovers:
            return
        said = self.unreachable(node, path, why)
        frames = _NEXT[-1:]
        calls = "\n".join(f'  File "{f.path}", line {f.line}, in {f.function}\n    {f.source}' for f in frames)
        trace = f"Traceback (most recent call last):\n{calls}\nrequests.exceptions.ConnectionError: {said}"
        if self.cluster.spec.version >= "4.5":
            self.say(rank, at, "ERROR", "root", f"All retries exhausted; request failed\n{trace}")
        self.say(rank, at + 0.06, "ERROR", LOADER, f"Failed to fetch object {name} from bucket ais://voices: {said}")
        headline = f"{LOADER}.AISBatchLoaderError: Direct API fallback failed for {name}"
        self.raise_in(rank, at + 0.07, _NEXT, headline)

    def not_found(self, rank: int, at: float, node: Node, name: str) -> None:
        """A 404 from the node that is asked instead, as the SDK quotes it: JSON that ends in a newline."""
        if self.cluster.spec.recovers:
            return
        answer = (
            f'{{"tcode":"ErrNotFound","message":"t[{node.id}]: ais://voices/{name} does not exist","method":"GET",'
            f'"url_path":"/v1/objects/voices/{name}","remote_addr":"10.61.4.1:41872","caller":"","node":"t[{node.id}]",'
            f'"status":404}}\n, REQ_URL:http://{node.ip}:51081{self.path(name, at)}'
        )
        said = f"STATUS:404, MESSAGE:{answer}"
        self.say(rank, at, "ERROR", LOADER, f"Failed to fetch object {name} from bucket ais://voices: {said}")
        headline = (
            f"aistore.sdk.errors.ErrObjNotFound: {said}\n\nThe above exception was the direct cause of the following "
            f"exception:\n\nTraceback (most recent call last):\n{LOADER}.AISBatchLoaderError: Direct API fallback failed for {name}"
        )
        self.raise_in(rank, at + 0.01, _NEXT, headline)

    def batch_refused(self, rank: int, at: float, node: Node, item: str, why: str, mark: str = "") -> None:
        """Up to 4.2 the proxy's own failure to reach the target fails the whole batch."""
        proxy = self.cluster.proxies[0]
        answer = (
            f'{{"tcode":"Error","message":"Post \\"http://{node.ip}:51082/v1/ml/moss/noxid/{item}/4?tid={node.id}\\": {why}",'
            f'"method":"GET","url_path":"/v1/ml/moss","remote_addr":"10.61.4.1:33134","caller":"","node":"p[{proxy.id}]",'
            f'"status":400}}\n, REQ_URL:http://{proxy.ip}:51080/v1/ml/moss?coloc=1'
        )
        told = f"AIStore batch.get() failed: STATUS:400, MESSAGE:{answer}. Falling back to sequential GET requests."
        self.say(rank, at, "WARNING", LOADER, told, mark)

    def slow_batch(self, rank: int, at: float, node: Node, name: str, mark: str = "") -> None:
        """A batch that does not come: the target that assembles it is named, not the one that is slow."""
        told = (
            f"Timeout while fetching batch result at index 1: HTTPConnectionPool(host='{node.ip}', port=51081): Read timed out.. "
            "Falling back to direct AIStore API call."
        )
        self.say(rank, at, "WARNING", LOADER, told, mark)
        empty = f"Object {name}/None from bucket ais://voices returned empty content. Retrying with direct AIStore API call."
        self.say(rank, at + 0.001, "WARNING", LOADER, empty)

    def no_sample(self, rank: int, at: float, mark: str = "") -> None:
        """Lhotse 1.33 meets an object that is missing or empty."""
        self.raise_in(rank, at, _NEXT, "AttributeError: 'MossOut' object has no attribute 'bck'", mark)

    # -- Ends

    def wait_in_vain(self, rank: int, at: float) -> None:
        """Gloo's time-out of a rank that waits for the others."""
        if self.cluster.spec.recovers:
            return
        file = "gloo/transport/tcp/unbound_buffer.cc:78"
        told = f"RuntimeError: [/__w/pytorch/pytorch/third_party/{file}] Timed out waiting 60000ms for recv operation to complete"
        self.raise_in(rank, at, _REDUCE, told)

    def lose_peer(self, rank: int, at: float) -> None:
        """Gloo's word for a peer that has gone."""
        told = (
            "RuntimeError: [/__w/pytorch/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:561] Connection closed by peer "
            "[127.0.0.1]:21907. This is typically caused by a remote worker crashing."
        )
        self.raise_in(rank, at, _REDUCE, told)

    def collapse(self, at: float) -> None:
        """torchrun ends the ranks that live, and sums up."""
        first = min(self.dead, key=lambda r: self.dead[r])
        for rank in range(self.cluster.spec.ranks):
            if rank not in self.dead:
                self.dead[rank] = at, -15
                self.agent(at, f"W{self._head(at, 1028)} Sending process {7001 + rank} closing signal SIGTERM")
        code = self.dead[first][1]
        died = f"failed (exitcode: {code}) local_rank: {first} (pid: {7001 + first}) of binary: /opt/venv/bin/python3"
        self.agent(at + 0.4, f"E{self._head(at + 0.4, 1002)} {died}")
        order = [first, *(r for r in self.dead if r != first)]
        calls = [f'  File "{f.path}", line {f.line}, in {f.function}\n    {f.source}' for f in launch_frames(TORCH)]
        block = failure_block([self._entry(r, n, at) for n, r in enumerate(order)])
        raised = "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: "
        self.agent(at + 0.41, "\n".join(["Traceback (most recent call last):", *calls, raised, block]))

    def _head(self, at: float, line: int) -> str:
        return f"{clock.padded(self.local(at))} 6977 torch/distributed/elastic/multiprocessing/api.py:{line}]"

    def _entry(self, rank: int, index: int, at: float) -> list[str]:
        code, pid = self.dead[rank][1], 7001 + rank
        term = code == -15
        how = (
            f"Signal 15 (SIGTERM) received by PID {pid}"
            if term
            else ("To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html")
        )
        return [
            f"[{index}]:", f"  time      : {clock.failure(self.local(at))}", "  host      : trainer-3.cluster.local",
            f"  rank      : {rank} (local_rank: {rank})", f"  exitcode  : {code} (pid: {pid}) {' (SIGTERM)' if term else ''}",
            "  error_file: <N/A>", f"  traceback : {how}",
        ]  # fmt: skip
