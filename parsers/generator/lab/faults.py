"""What goes wrong, on both sides. Each tells the daemons' side and the clients', and says when the job ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from logtui.parsers.generator.lab import records_loss as loss
from logtui.parsers.generator.lab import records_serve as serve
from logtui.parsers.generator.lab import records_start as start
from logtui.parsers.generator.lab.clients import WAITS, Workers
from logtui.parsers.generator.lab.cluster import Cluster, Node
from logtui.parsers.generator.lab.serving import LOW_MEMORY_OOM, OUT_OF_SPACE, Load, Served
from logtui.parsers.generator.lab.spec import LabFault

FIRST = "first"
"""Mark of a client's first bad line."""
BACK_AFTER_S = 40.0
READ_TIMEOUT_S = 20.0
REFUSED_CALL = "dial tcp {ip}:51082: connect: connection refused"
SLOW_CALL = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)"
NO_ROUTE_CALL = "dial tcp {ip}:51082: connect: no route to host"
REFUSED = "[Errno 111] Connection refused"
NO_ROUTE = "[Errno 113] No route to host"


@dataclass
class Scene:
    """The stage of a fault."""

    cluster: Cluster
    served: Served
    workers: Workers
    at: float
    end: float
    """Of the daemons."""

    @property
    def culprit(self) -> Node:
        """The target that faults concern."""
        return self.cluster.targets[1 % len(self.cluster.targets)]

    def names_of(self, lost: Node, why: str = REFUSED_CALL) -> dict[str, object]:
        """Names in records about a node that is away."""
        return {
            "lost": lost.id, "lostip": lost.ip, "lostletter": lost.letter, "err": why.format(ip=lost.ip),
            "xid": self.served.job, "wid": self.cluster.item(), "clock": self.served.clock(self.at),
        }  # fmt: skip

    def kept(self, number: int) -> str:
        """An object that the culprit keeps."""
        return self.cluster.kept_by(self.culprit, number)

    def peers(self) -> list[Node]:
        """Targets but the culprit."""
        return [n for n in self.cluster.targets if n is not self.culprit]

    def stop(self, node: Node, at: float) -> None:
        """End a node's process."""
        run = self.cluster.alive(node, at)
        if run is not None:
            run.end = at
            run.said = [s for s in run.said if s.time <= at]

    def rejoin(self, node: Node, at: float) -> None:
        """A new process of the node, a new map, a rebalance."""
        names = self.names_of(node)
        self.served.birth(node, at, self.end, "again")
        self.cluster.play(node, start.READY, at, "again")
        self.cluster.play(self.cluster.proxies[0], loss.REJOINED, at, "primary", **names)
        for target in self.cluster.targets:
            self.cluster.play(target, loss.REJOINED, at + 0.1, "lost" if target is node else "others", **names)


Teller = Callable[[Scene], float | None]
"""Tells a fault; returns when the job collapses, None if it ends well."""


def killed(scene: Scene) -> float:
    """Peers break off at once, the proxy removes the node half a minute later, clients give up after seven attempts."""
    lost, names = scene.culprit, scene.names_of(scene.culprit)
    scene.stop(lost, scene.at)
    for peer in scene.peers():
        scene.cluster.play(peer, loss.STREAM_BROKEN, scene.at, **names)
        scene.cluster.play(peer, loss.ITEM_FAILED, scene.at, **names)
        for n in range(10):
            scene.cluster.play(peer, loss.REDIALED, scene.at + 7 + 2 * n, **names)
        scene.cluster.play(peer, loss.TORN_DOWN, scene.at + 29.2, **names)
        scene.cluster.play(peer, loss.KEPT_ALIVE, scene.at + 10.4, "others", **names)
    scene.cluster.play(scene.cluster.proxies[0], loss.PROXY_REFUSED, scene.at, **names)
    scene.cluster.play(scene.cluster.proxies[0], loss.KEPT_ALIVE, scene.at + 10.4, **names)
    scene.rejoin(lost, scene.at + BACK_AFTER_S)
    return _exhausted(scene, lost, REFUSED)


def _exhausted(scene: Scene, lost: Node, why: str) -> float:
    """All ranks ask the lost node again and again; the first to give up ends the job."""
    workers, old = scene.workers, scene.cluster.spec.version < "4.3"
    for rank in range(scene.cluster.spec.ranks):
        at, name = scene.at + 0.37 + 0.011 * rank, scene.kept(412 + 61 * rank)
        if old:
            workers.batch_refused(rank, at, lost, scene.cluster.item(), REFUSED_CALL.format(ip=lost.ip), FIRST)
        else:
            workers.short_batch(rank, at, 3 + 2 * rank, name, FIRST)
        for n, wait in enumerate(WAITS):
            at += 0.004 if n == 0 else WAITS[n - 1] + 0.004
            if at < scene.at + 27:
                workers.retry(rank, at, lost, workers.path(name, at), why, wait + (0.11 * rank if n else 0))
    at = scene.at + 0.4 + sum(WAITS)
    workers.give_up(1, at, lost, workers.path(scene.kept(473), at), scene.kept(473), why)
    return at + 3.2


def paused(scene: Scene) -> float:
    """Nobody is refused, everybody waits; then the node is evicted, and the others are asked for what it holds."""
    lost, names = scene.culprit, scene.names_of(scene.culprit, SLOW_CALL)
    _pause(scene, lost)
    for peer in scene.peers():
        scene.cluster.play(peer, loss.ITEM_FAILED, scene.at + 20, **names)
        scene.cluster.play(peer, loss.KEPT_ALIVE, scene.at + 10.4, "others", **names)
    scene.cluster.play(scene.cluster.proxies[0], loss.KEPT_ALIVE, scene.at + 10.4, **names)
    for rank in range(scene.cluster.spec.ranks):
        at, name = scene.at + 20.2 + 0.03 * rank, scene.kept(501 + 61 * rank)
        scene.workers.slow_batch(rank, at, lost, name, FIRST)
        scene.workers.retry(rank, at + 0.2, lost, scene.workers.path(name, at - READ_TIMEOUT_S), "timeout", 1)
    scene.workers.not_found(2 % scene.cluster.spec.ranks, scene.at + 42.5, scene.peers()[0], scene.kept(623))
    return scene.at + 44


def _pause(scene: Scene, lost: Node) -> None:
    """What a node would have written while it could not is not there."""
    for run in scene.cluster.runs:
        if run.node == lost.id:
            run.said = [s for s in run.said if not scene.at <= s.time <= scene.at + 60]


def cut(scene: Scene) -> float:
    """The node lives and sees nobody; nobody sees it."""
    lost, names = scene.culprit, scene.names_of(scene.culprit, NO_ROUTE_CALL)
    for peer in scene.peers():
        scene.cluster.play(peer, loss.ITEM_FAILED, scene.at + 10, **scene.names_of(lost, SLOW_CALL))
        scene.cluster.play(peer, loss.KEPT_ALIVE, scene.at + 10.4, "others", **names)
    scene.cluster.play(scene.cluster.proxies[0], loss.NO_ROUTE, scene.at + 8, **names)
    scene.cluster.play(scene.cluster.proxies[0], loss.KEPT_ALIVE, scene.at + 10.4, **names)
    scene.cluster.play(lost, loss.ISOLATED, scene.at + 9, "lost", **names)
    return _exhausted(scene, lost, NO_ROUTE)


def restarted(scene: Scene) -> float:
    """A target leaves in order; the others do not find what it holds."""
    lost, names = scene.culprit, scene.names_of(scene.culprit)
    _leave(scene, lost, names)
    for rank in range(scene.cluster.spec.ranks):
        scene.workers.short_batch(rank, scene.at + 0.25 + 0.02 * rank, 7 + rank, scene.kept(700 + 9 * rank), FIRST)
    for rank in (0, 1):
        scene.workers.not_found(rank, scene.at + 0.31 + 0.03 * rank, scene.peers()[rank], scene.kept(750 + 9 * rank))
    return scene.at + 2.6


def _asks_again(scene: Scene, rank: int, lost: Node) -> None:
    for n, wait in enumerate(WAITS[:2] if scene.cluster.spec.recovers else ()):
        when, name = scene.at + 0.3 + 1.01 * n + 0.02 * rank, scene.kept(700 + 9 * rank)
        scene.workers.retry(rank, when, lost, scene.workers.path(name, when), REFUSED, wait)


def _leave(scene: Scene, lost: Node, names: dict[str, object]) -> None:
    scene.cluster.play(lost, loss.STOPPED, scene.at, **names)
    scene.stop(lost, scene.at + 5.41)
    for run in scene.cluster.runs:
        if run.node == lost.id:
            run.stopped = True
    scene.cluster.play(scene.cluster.proxies[0], loss.LEFT, scene.at, "primary", **names)
    for peer in scene.peers():
        scene.cluster.play(peer, loss.LEFT, scene.at, "others", **names)
    scene.rejoin(lost, scene.at + 12.7)


def slow_disk(scene: Scene) -> float:
    """Batches wait for one target's disks; its own disk lines and the address in the fallback's time-outs name it."""
    slow, names = scene.culprit, scene.names_of(scene.culprit, SLOW_CALL)
    scene.served.loads.append(Load(slow, scene.at, scene.at + 90, busy=99))
    stalled, peer = 0, scene.peers()[0]
    scene.workers.slow_batch(stalled, scene.at + 20.4, peer, scene.kept(464), FIRST)
    scene.workers.short_batch(stalled, scene.at + 37.1, 2, scene.kept(470))
    for n, at in enumerate((57.2, 58.4)):
        scene.workers.retry(
            stalled,
            scene.at + at,
            slow,
            scene.workers.path(scene.kept(470), scene.at + at - READ_TIMEOUT_S),
            "timeout",
            1 + n,
        )
    scene.cluster.play(peer, loss.ITEM_FAILED, scene.at + 59.8, **names)
    for rank in range(1, scene.cluster.spec.ranks):
        scene.workers.wait_in_vain(rank, scene.at + 60.6 + 0.002 * rank)
    return scene.at + 63


def disk_full(scene: Scene) -> None:
    """Checkpoints are refused for a minute; training itself goes on."""
    node = scene.culprit
    scene.served.loads.append(Load(node, scene.at + 7, scene.at + 80, flags=OUT_OF_SPACE, alerts="OOS"))
    names = {"other": "x" + scene.cluster.name(9), "clock": scene.served.clock(scene.at + 7)}
    scene.cluster.play(node, serve.DISK_FULL, scene.at + 7, **names)
    for n in range(12):
        at, name = scene.at + 7.01 + 4 * n, f"step-{n + 3:06d}.pt"
        scene.cluster.play(node, serve.PUT_REFUSED, at, object=name)
        answer = (
            '{"tcode":"ErrCapExceeded","message":"out of space: used 100% of total capacity on at least one of the mountpaths '
            '(total used 302.66MiB out of 464.13MiB)","method":"PUT","url_path":"/v1/objects/checkpoints/'
            f'{name}","remote_addr":"10.61.4.1:47640","caller":"","node":"t[{node.id}]","status":507}}\n'
        )
        url = f"http://{node.ip}:51081{scene.workers.path(name, at, 'checkpoints')}"
        text = f"checkpoint {name} failed: AISError: STATUS:507, MESSAGE:{answer}, REQ_URL:{url}"
        scene.workers.say(0, at + 0.004, "ERROR", "ckpt", text, FIRST)


def disk_lost(scene: Scene) -> float:
    """A disk gives errors, the target takes it out; what it held comes back empty."""
    node = scene.culprit
    scene.served.loads.append(Load(node, scene.at, scene.end, flags=1 << 13, alerts="disk-fault"))
    scene.cluster.play(node, serve.DISK_LOST, scene.at, object=scene.kept(815))
    scene.workers.no_sample(3 % scene.cluster.spec.ranks, scene.at + 0.8, FIRST)
    for rank in (0, 1):
        scene.workers.lose_peer(rank, scene.at + 3.1 + 0.01 * rank)
    return scene.at + 3.4


def primary(scene: Scene) -> float:
    """The endpoint is gone: requests are refused until the job gives up, though another proxy takes over."""
    lost, names = scene.cluster.proxies[0], scene.names_of(scene.cluster.proxies[0])
    names["second"] = scene.cluster.proxies[-1].id
    scene.stop(lost, scene.at)
    for node in (scene.cluster.proxies[-1], *scene.cluster.targets):
        scene.cluster.play(node, loss.ELECTED, scene.at, "second" if node is scene.cluster.proxies[-1] else "", **names)
    scene.served.birth(lost, scene.at + 46, scene.end, "again")
    for rank in range(scene.cluster.spec.ranks):
        at = scene.at + 1.4 + 0.007 * rank
        for n, wait in enumerate(WAITS):
            at += WAITS[n - 1] + 0.02 if n else 0
            path = "/v1/ml/moss?coloc=1"
            scene.workers.retry(rank, at, lost, path, REFUSED, wait + 0.03 * rank * n, FIRST if n == 0 else "")
    at = scene.at + 1.6 + sum(WAITS)
    scene.workers.give_up(1, at, lost, "/v1/ml/moss?coloc=1", scene.kept(473), REFUSED)
    return at + 3.2


def missing(scene: Scene) -> float:
    """One rank's list names objects that nobody has."""
    rank = 1
    scene.workers.no_sample(rank, scene.at + 0.6, FIRST)
    for other in (0, 2 % scene.cluster.spec.ranks):
        if other != rank:
            scene.workers.lose_peer(other, scene.at + 2.9 + 0.01 * other)
    return scene.at + 3.3


def memory(scene: Scene) -> None:
    """Requests are put off with 429, which urllib3 repeats in silence."""
    for node in scene.cluster.nodes:
        names = {"xid": scene.served.job, "wid": scene.cluster.item()}
        scene.served.loads.append(Load(node, scene.at, scene.at + 90, flags=LOW_MEMORY_OOM, alerts="OOM"))
        scene.cluster.play(node, serve.MEMORY_SHORT, scene.at + 0.2 * node.index, **names)


def refused(scene: Scene) -> None:
    """An operator's mistake."""
    scene.cluster.play(scene.cluster.proxies[0], serve.SETTINGS_REFUSED, scene.at, "primary")


def maintenance(scene: Scene) -> None:
    """Get-batch runs: a target may not leave."""
    for node in scene.cluster.targets:
        names = {"xid": scene.served.job, "clock": scene.served.clock(scene.served.job_start)}
        scene.cluster.play(node, serve.MAINTENANCE_REFUSED, scene.at, **names)


TELLERS: dict[LabFault, Teller] = {
    LabFault.HEALTHY: lambda scene: None,
    LabFault.KILLED: killed,
    LabFault.PAUSED: paused,
    LabFault.CUT: cut,
    LabFault.RESTARTED: restarted,
    LabFault.SLOW_DISK: slow_disk,
    LabFault.DISK_FULL: disk_full,
    LabFault.DISK_LOST: disk_lost,
    LabFault.PRIMARY: primary,
    LabFault.MISSING: missing,
    LabFault.MEMORY: memory,
    LabFault.REFUSED: refused,
    LabFault.MAINTENANCE: maintenance,
}
