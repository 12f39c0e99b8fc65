"""How the nodes of a story start, form a cluster, leave it and come back: the scenes of real clusters."""

from __future__ import annotations

from dataclasses import dataclass, field

from logtui.parsers.generator.aistore.run import Run
from logtui.parsers.generator.lab import records_loss as loss
from logtui.parsers.generator.lab import records_start as start
from logtui.parsers.generator.lab.cluster import Cluster, Node
from logtui.parsers.generator.lab.script import Row

LEAVES_S = 5.41
"""From the signal to the end of a process that takes its leave."""
REMOVED_AFTER_S = 10.4
"""The proxy asks a node in vain for so long before it says so."""
REJOINS_AFTER_S = 1.0


@dataclass
class Lives:
    """Plays those scenes."""

    cluster: Cluster
    formed: float
    """When the primary has all targets."""
    names: dict[str, object] = field(default_factory=dict)
    """Values in records, beside those that the cluster knows."""

    def begin(self, node: Node, run: Run) -> None:
        """A process of a node starts; the node's first one waits for the cluster, a later one joins it."""
        is_first = all(r.start >= run.start for r in self.cluster.runs if r.node == run.node)
        words = ("first" if is_first else "again", "primary" if node.letter == "p" else "")
        for delay, rows in ((0.0, start.HEAD), (0.001, start.NETWORKS), (0.002, start.NETWORKS), (0.0, start.START)):
            self.cluster.play(node, rows, run.start + 0.1 + delay, *words, **self.names)
        if is_first:
            self._form(node, run, *words)
        else:
            self._rejoin(node, run.start + REJOINS_AFTER_S)
        if run.stopped:
            self._leave(node, run.end - LEAVES_S)
        elif any(r.node == run.node and r.start > run.end for r in self.cluster.runs):
            self._vanish(node, run.end)

    def _form(self, node: Node, run: Run, *words: str) -> None:
        play, proxy = self.cluster.play, self.cluster.proxies[0]
        if node.letter == "t":
            count = node.index + 1
            play(proxy, start.JOINED, run.start + 0.4, peer=node.id, smap=count, count=count, **self.names)
        play(node, start.FORMED, self.formed, *words, **self.names)
        play(node, start.NETWORKS, self.formed + 0.015, **self.names)
        play(node, start.READY, self.formed, *words, **self.names)
        made = {"bmd": 2, "have": 1, "buckets": 1, "bucket": "corpus", "action": f"coJ7{self.cluster.uuid}"}
        play(node, start.BUCKET, self.formed + 6.2, *words, **made)

    def _leave(self, node: Node, at: float) -> None:
        names = self._about(node)
        self.cluster.play(node, loss.STOPPED, at, **names)
        self._tell(node, loss.LEFT, at, **names)

    def _vanish(self, node: Node, at: float) -> None:
        refused = f"dial tcp {node.ip}:51082: connect: connection refused"
        self._tell(node, loss.KEPT_ALIVE, at + REMOVED_AFTER_S, err=refused, **self._about(node))

    def _rejoin(self, node: Node, at: float) -> None:
        self.cluster.play(node, start.READY, at, "again", **self.names)
        self._tell(node, loss.REJOINED, at, **self._about(node))
        self.cluster.play(node, loss.REJOINED, at + 0.1, "lost", **self._about(node))

    def _tell(self, gone: Node, rows: tuple[Row, ...], at: float, **names: object) -> None:
        """What the primary and the other targets write of a node."""
        self.cluster.play(self.cluster.proxies[0], rows, at, "primary", **names)
        for peer in self.cluster.targets:
            if peer is not gone:
                self.cluster.play(peer, rows, at + 0.1, "others", **names)

    def _about(self, node: Node) -> dict[str, object]:
        return self.names | {"lost": node.id, "lostip": node.ip, "lostletter": node.letter}
