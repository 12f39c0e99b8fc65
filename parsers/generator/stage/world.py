"""Nodes, ranks and process groups of a written job, and what a collective of theirs is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

from logtui.parsers.generator.stage.spec import Framework, JobSpec, Layout

# -- Machines, processes, groups

TORCHRUN_LAYOUTS = frozenset({Layout.PER_NODE, Layout.TORCHRUN_TREE, Layout.TEE})
GROUPED = frozenset({Framework.MEGATRON, Framework.NEMO})


@dataclass(frozen=True, slots=True)
class Node:
    """One machine."""

    index: int
    """SLURM's node index: the number in file names."""
    host: str
    ranks: tuple[int, ...]
    """Global ranks in order of local rank."""
    agent_pid: int
    skew_s: float
    """How far its clock is ahead of the job's mean."""
    folder: str
    """The random part of torchrun's log folder."""


@dataclass(frozen=True)
class ProcessGroup:
    """One process group."""

    guid: str
    """Equal on all members."""
    desc: str
    ranks: tuple[int, ...]
    """Global ranks; the position is the rank inside the group."""

    @property
    def label(self) -> str:
        """As people name it: the description, with the GUID where there are several of a kind."""
        return self.desc if self.guid == "0" else f"{self.desc} {self.guid}"

    @cached_property
    def _positions(self) -> dict[int, int]:
        return {rank: i for i, rank in enumerate(self.ranks)}

    def local(self, rank: int) -> int:
        """A global rank's number inside the group. Raises KeyError for a stranger."""
        return self._positions[rank]


class World:
    """Who runs where. All of it follows from the spec."""

    def __init__(self, spec: JobSpec) -> None:
        self.spec = spec
        rng = Random(f"world {spec.seed}")
        count = -(-spec.world_size // spec.gpus_per_node)
        order = list(range(count))
        if spec.elastic and spec.layout in TORCHRUN_LAYOUTS:
            rng.shuffle(order)
        self.nodes = tuple(self._node(i, order[i], rng) for i in range(count))
        self._home = {r: node for node in self.nodes for r in node.ranks}
        self._pids = {node.index: rng.randrange(11_000, 400_000) for node in self.nodes}

    def _node(self, index: int, group_rank: int, rng: Random) -> Node:
        per = self.spec.gpus_per_node
        ranks = tuple(range(group_rank * per, min((group_rank + 1) * per, self.spec.world_size)))
        folder = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz0123456789_", k=8))
        return Node(index, f"node{index:03d}", ranks, rng.randrange(4000, 9000), rng.uniform(-0.04, 0.04), folder)

    def node(self, rank: int) -> Node:
        """Where a rank runs."""
        return self._home[rank]

    def local(self, rank: int) -> int:
        """A rank's number on its node."""
        return self._home[rank].ranks.index(rank)

    def pid(self, rank: int, attempt: int = 0) -> int:
        """A rank's process; a restart has another one."""
        node = self._home[rank]
        return self._pids[node.index] + rank - node.ranks[0] + attempt * 4111

    @property
    def ranks(self) -> range:
        """All global ranks."""
        return range(self.spec.world_size)

    @cached_property
    def default_group(self) -> ProcessGroup:
        """The group of all ranks."""
        return ProcessGroup("0", "default_pg", tuple(self.ranks))

    @cached_property
    def groups(self) -> tuple[ProcessGroup, ...]:
        """All groups in order of creation, the default one first."""
        spec = self.spec
        if spec.framework not in GROUPED or spec.tensor_parallel * spec.pipeline_parallel == 1:
            return (self.default_group,)
        made: list[ProcessGroup] = [self.default_group]
        for desc, members in self._parallel_members():
            made.append(ProcessGroup(str(len(made)), desc, members))
        return tuple(made)

    def _parallel_members(self) -> list[tuple[str, tuple[int, ...]]]:
        """Megatron's order: tensor ranks are neighbours, then data, then pipeline."""
        tp, pp = self.spec.tensor_parallel, self.spec.pipeline_parallel
        dp = self.spec.world_size // (tp * pp)
        stage = tp * dp
        found = [
            ("DATA_PARALLEL_GROUP_WITH_CP", tuple(s * stage + d * tp + t for d in range(dp)))
            for s in range(pp)
            for t in range(tp)
        ]
        if tp > 1:
            found += [("TENSOR_MODEL_PARALLEL_GROUP", tuple(range(i, i + tp))) for i in range(0, stage * pp, tp)]
        if pp > 1:
            found += [("PIPELINE_MODEL_PARALLEL_GROUP", tuple(range(i, stage * pp, stage))) for i in range(stage)]
        return found

    @cached_property
    def _memberships(self) -> dict[int, tuple[ProcessGroup, ...]]:
        found: dict[int, list[ProcessGroup]] = {r: [] for r in self.ranks}
        for group in self.groups:
            for rank in group.ranks:
                found[rank].append(group)
        return {r: tuple(g) for r, g in found.items()}

    def groups_of(self, rank: int) -> tuple[ProcessGroup, ...]:
        """The groups a rank is in, the default one first; the position is its local group id."""
        return self._memberships[rank]

    def group_of(self, rank: int, kind: str) -> ProcessGroup:
        """A rank's group whose description starts with `kind`. Raises StopIteration if it has none."""
        return next(g for g in self._memberships[rank] if g.desc.startswith(kind))

    def pg_id(self, rank: int, group: ProcessGroup) -> int:
        """The number this process gave to a group; another rank may have given another."""
        return self._memberships[rank].index(group)


# -- A collective that does not end


@dataclass(frozen=True, slots=True)
class Stuck:
    """A collective that one rank entered and that did not end."""

    rank: int
    group: ProcessGroup
    seq: int
    enqueued: int
    completed: int
    entered: float
    """When the rank enqueued it."""
    op: str = "ALLREDUCE"
    numel_in: int = 4096
    numel_out: int = 4096


@dataclass(frozen=True)
class Hang:
    """The state of all ranks while the job hangs."""

    timeout_s: int
    stuck: tuple[Stuck, ...]
    """Ranks that wait; each prints the watchdog's family when its limit is over."""
    idle: Mapping[int, int] = field(default_factory=dict)
    """Ranks outside any collective: the last one each completed of the default group."""
    default: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """Enqueued and completed of the default group, for ranks that wait in another one."""

    @property
    def fired(self) -> float:
        """When the first watchdog fires."""
        return min(s.entered for s in self.stuck) + self.timeout_s
