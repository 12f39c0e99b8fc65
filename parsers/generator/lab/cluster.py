"""The daemons of a small cluster, and the names that their records are full of."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from logtui.parsers.daemons.placement import home_of
from logtui.parsers.generator.aistore.run import BUILDS, Run
from logtui.parsers.generator.lab.script import Row
from logtui.parsers.generator.lab.spec import LabSpec

_LETTERS = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
_ROLES = {"t": "target", "p": "proxy"}


def build_of(version: str) -> str:
    """What a daemon says of itself; up to 4.4 and outside of containers nothing follows the CPUs."""
    head = BUILDS[version].partition(", CPUs")[0]
    return f"{head}, CPUs(2, runtime=2)" + (", container:cgroup-v1" if version >= "4.5" else "")


@dataclass(frozen=True, slots=True)
class Node:
    """One daemon."""

    id: str
    letter: str
    index: int

    @property
    def ip(self) -> str:
        """Its address in all three networks."""
        return f"10.61.4.{(20 if self.letter == 't' else 10) + self.index + 1}"

    @property
    def port(self) -> int:
        """Of the public network."""
        return 51081 if self.letter == "t" else 51080

    @property
    def name(self) -> str:
        """`target-2`."""
        return f"{_ROLES[self.letter]}-{self.index}"


class Cluster:
    """Nodes, their processes, and the values of names in records."""

    def __init__(self, spec: LabSpec, proxies: int) -> None:
        self.spec = spec
        self.rng = Random(f"lab {spec.seed} {spec.version} {spec.fault}")
        self.proxies = [Node(self.name(8), "p", n) for n in range(proxies)]
        self.targets = [Node(self.name(8), "t", n) for n in range(spec.targets)]
        self.uuid = self.name(6) + "7" + self.name(2)
        self.runs: list[Run] = []

    @property
    def nodes(self) -> list[Node]:
        """All of them."""
        return [*self.proxies, *self.targets]

    def name(self, length: int) -> str:
        """A random identifier."""
        return "".join(self.rng.choice(_LETTERS) for _ in range(length))

    def item(self) -> str:
        """A work item of a batch."""
        return f"{self.proxies[0].id[:7]}-{self.name(5)}"

    def job(self) -> str:
        """An id of a get-batch job."""
        return ("gbt-" if self.spec.version >= "4.5" else "") + self.name(9)

    def kept_by(self, node: Node, number: int) -> str:
        """The object of our bucket that a target keeps, from some number on."""
        targets = [t.id for t in self.targets]
        names = (f"train/clip-{n:04d}.flac" for n in range(number, number + 400))
        return next((n for n in names if home_of("voices", n, targets) == node.id), f"train/clip-{number:04d}.flac")

    def run(self, node: Node, start: float, end: float) -> Run:
        """A process of a node."""
        run = Run(node.id, node.letter, f"ais-{node.name}", start, end, pid=2000 + 71 * len(self.runs))
        self.runs.append(run)
        return run

    def alive(self, node: Node, time: float) -> Run | None:
        """The node's process at a time."""
        return next((r for r in self.runs if r.node == node.id and r.start <= time <= r.end), None)

    def play(self, node: Node, rows: tuple[Row, ...], at: float, *words: str, **names: object) -> None:
        """Let a node write a scene; records at a time when it does not live are not written."""
        values, known = self._values(node) | names, frozenset(words)
        after, time = -1.0, 0.0
        for row in rows:
            run = self.alive(node, at + row.after_s)
            if run is not None and row.holds(node.letter, self.spec.version, known):
                # What is written at once stands in the order of the table.
                start, spread = (time, 3e-5) if row.after_s == after else (at + row.after_s, 4e-4)
                after, time = row.after_s, start + self.rng.random() * spread
                run.say(time, row.severity, row.source(self.spec.version), row.text.substitute(values))

    def _values(self, node: Node) -> dict[str, object]:
        disk = 2 * node.index
        return {
            "node": node.id, "letter": node.letter, "role": _ROLES[node.letter], "tag": f"{node.letter}[{node.id}]",
            "ip": node.ip, "port": node.port, "conf": f"/ais/conf/{node.name}", "logs": f"/ais/log/{node.name}",
            "dev0": f"loop{disk}", "dev1": f"loop{disk + 1}", "mp0": f"/ais/{node.name}/mp1", "mp1": f"/ais/{node.name}/mp2",
            "uuid": self.uuid, "proxy": self.proxies[0].id, "proxyip": self.proxies[0].ip, "second": self.proxies[-1].id,
            "targets": len(self.targets), "proxies": len(self.proxies), "left": len(self.targets) - 1,
            "build": build_of(self.spec.version),
        }  # fmt: skip
