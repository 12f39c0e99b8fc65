"""The stage a job is played on: its events, and which rank waits in what."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from random import Random

from logtui.parsers.generator.stage import clock
from logtui.parsers.generator.stage.spec import JobSpec, NcclState, Version
from logtui.parsers.generator.stage.watchdog import timed_out_line, wording
from logtui.parsers.generator.stage.world import Hang, ProcessGroup, Stuck, World
from logtui.parsers.pattern import FailureClass

# -- What is printed, by whom and when


class Writer(IntEnum):
    """Who prints."""

    RANK = 0
    """A training process; the index is the global rank."""
    AGENT = 1
    """A node's launcher process; the index is the node's."""
    BATCH = 2
    """The scheduler and its launcher, on the batch host."""


@dataclass(frozen=True, slots=True)
class Source:
    """One printing process."""

    writer: Writer
    index: int = 0
    attempt: int = 0


@dataclass(slots=True)
class Event:
    """One write: one line or several, without a newline at the end."""

    time: float
    """By the clock of the machine that prints it."""
    source: Source
    text: str
    stdout: bool = False
    marks: dict[str, int] = field(default_factory=dict)
    """Names under which the truth knows lines of this text, and which line each means, from 0."""
    glue: bool = False
    """A fragment without a newline at its end: the next write in the file continues its line."""
    posthumous: bool = False
    """Stays although its process is dead by then (a signal handler's, the kernel's)."""


# -- The job as it is being told

ABORTED, KILLED, TERMINATED, BUS_ERROR = -6, -9, -15, -7
"""Exit codes of processes that died of a signal."""


@dataclass(frozen=True, slots=True)
class Death:
    """How a rank's process ended."""

    rank: int
    time: float
    code: int
    """Exit code; negative for a signal."""
    attempt: int = 0


@dataclass
class Verdict:
    """What the fault establishes about itself; places are filled in when the files are written."""

    cls: FailureClass = FailureClass.HEALTHY
    title: str = ""
    accept: tuple[FailureClass, ...] = ()
    culprit_ranks: tuple[int, ...] = ()
    culprit_hosts: tuple[str, ...] = ()
    first: str = ""
    """Mark of the first bad line."""
    also: tuple[str, ...] = ()
    """Marks that are as good."""
    undecidable: str = ""
    """What the files do not hold, so that nobody can be named."""


class Stage:
    """Collects what the writers of all layers say."""

    def __init__(self, spec: JobSpec) -> None:
        self.spec = spec
        self.world = World(spec)
        self.rng = Random(f"stage {spec.seed} {spec.fault} {spec.world_size}")
        self.events: list[Event] = []
        self.deaths: dict[tuple[int, int], Death] = {}
        """By (rank, attempt)."""
        self.verdict = Verdict()
        self.shown: dict[str, tuple[int, NcclState]] = {}
        """Counters by the mark of the line that prints them; the line may yet be cut off by a death."""
        self.oom_nodes: set[int] = set()
        """Nodes whose memory handler killed a process."""
        self.stopped: dict[int, float] = {}
        """Nodes whose launcher ended the ranks that were left, and when it began to."""
        self.lost_nodes: set[int] = set()
        """Nodes that went down or never came."""
        self.hang: Hang | None = None
        """How the ranks wait in the end, if they do."""
        self.last_steps: dict[int, int] = {}
        self.last_step: int | None = None
        self.attempt = 0
        self.seq = spec.seq
        """The number of the collective that the fault meets; it starts anew with each process."""
        self.boots = [self.rng.uniform(1e5, 5e6) for _ in self.world.nodes]
        self.trained_from = spec.start
        """When the first step began: harmless padding goes between this and `trained_to`."""
        self.trained_to = spec.start

    @property
    def version(self) -> Version:
        """The job's PyTorch release."""
        return self.spec.version

    def jitter(self, seconds: float) -> float:
        """A random delay from 0 to so many seconds."""
        return self.rng.random() * seconds

    def rank(self, rank: int, time: float, text: str, *, stdout: bool = False, mark: str = "") -> Event:
        """A rank prints; `time` is true time, its node's clock is a little off."""
        source = Source(Writer.RANK, rank, self.attempt)
        return self._add(Event(time + self.world.node(rank).skew_s, source, text, stdout), mark)

    def agent(self, node: int, time: float, text: str, *, mark: str = "") -> Event:
        """A node's launcher prints."""
        return self._add(
            Event(time + self.world.nodes[node].skew_s, Source(Writer.AGENT, node, self.attempt), text), mark
        )

    def batch(self, time: float, text: str, *, mark: str = "") -> Event:
        """The scheduler prints."""
        return self._add(Event(time, Source(Writer.BATCH), text), mark)

    def _add(self, event: Event, mark: str) -> Event:
        if mark:
            event.marks[mark] = 0
        self.events.append(event)
        return event

    def c10(
        self, rank: int, time: float, text: str, *, level: str = "E", line: int = 0, mark: str = "", file: str = ""
    ) -> Event:
        """A rank's C++ logger prints; the header is the release's."""
        head = self.c10_head(rank, time, level, file or "ProcessGroupNCCL.cpp", line or 1000)
        return self.rank(rank, time, head + text, mark=mark)

    def c10_head(self, rank: int | None, time: float, level: str, file: str, line: int, node: int = 0) -> str:
        """`[rank57]:[E224 15:42:03.112358132 ProcessGroupNCCL.cpp:683] `, or what the release prints of it."""
        where = self.world.node(rank) if rank is not None else self.world.nodes[node]
        name = f"[rank{rank}]:" if rank is not None and self.version >= (2, 2) else ""
        stamp = clock.c10(time + where.skew_s, self.boots[where.index]) + " " if self.version >= (2, 4) else " "
        return f"{name}[{level}{stamp}{file}:{line}] "

    def say(
        self,
        rank: int,
        time: float,
        key: str,
        group: ProcessGroup,
        fields: Mapping[str, object] | None = None,
        *,
        level: str = "E",
        mark: str = "",
    ) -> Event | None:
        """A sentence of ProcessGroupNCCL, if this release has it."""
        row = wording(key, self.version)
        if row is None:
            return None
        text = self.phrase(rank, key, group, fields)
        line = timed_out_line(self.version) if key == "timed_out" else row.line
        return self.c10(rank, time, text, level=level, line=line, mark=mark)

    def phrase(self, rank: int, key: str, group: ProcessGroup, fields: Mapping[str, object] | None = None) -> str:
        """A sentence filled in. Raises LookupError if the release does not have it."""
        row = wording(key, self.version)
        if row is None:
            raise LookupError(f"{key} is not said by {self.spec.pytorch}")
        known: dict[str, object] = {
            "r": group.local(rank), "guid": group.guid, "desc": group.desc, "pg_id": self.world.pg_id(rank, group),
        }  # fmt: skip
        for part in ("pg", "wprefix"):
            prefix = wording(part, self.version)
            known[part] = prefix.text.format(**known) if prefix else ""
        return row.text.format(**{**known, **(fields or {})})

    def die(self, rank: int, time: float, code: int) -> Death:
        """A rank's process ends; the earliest end counts."""
        key = (rank, self.attempt)
        death = Death(rank, time, code, self.attempt)
        if key not in self.deaths or time < self.deaths[key].time:
            self.deaths[key] = death
        return self.deaths[key]

    def told(self) -> list[Event]:
        """Everything in order of time, without what the dead would have said."""
        ends = {key: d.time + self.world.node(key[0]).skew_s for key, d in self.deaths.items()}

        def alive(event: Event) -> bool:
            end = ends.get((event.source.index, event.source.attempt)) if event.source.writer is Writer.RANK else None
            return end is None or event.posthumous or event.time <= end

        return sorted(filter(alive, self.events), key=lambda e: e.time)


# -- Who waits for whom, and in which group

_ROUNDS = ("TENSOR", "PIPELINE", "DATA", "default")
"""Tensor partners notice first, then the other pipeline stages, then the replicas at the gradient's end."""
_BARRIERS = 12
"""Collectives of the default group in a job whose work runs in other groups."""
_PER_STEP = {"TENSOR": 41, "PIPELINE": 9, "DATA": 1}
_CALLS = {
    "TENSOR": ("BROADCAST", 32768, 32768),
    "PIPELINE": ("RECV", 16_777_216, 16_777_216),
    "DATA": ("_REDUCE_SCATTER_BASE", 40_894_464, 5_111_808),
}


def sequence(stage: Stage, group: ProcessGroup, local: int = 0) -> int:
    """The number of the operation in which a group gets stuck.

    In a pipeline group odd numbers go to later stages and even ones back; `local` is the receiver.
    """
    if group.desc == stage.world.default_group.desc:
        return stage.seq if len(stage.world.groups) == 1 else _BARRIERS
    number = stage.seq * _PER_STEP[_kind(group)]
    return number + (number + local) % 2 if _kind(group) == "PIPELINE" else number


def _kind(group: ProcessGroup) -> str:
    return group.desc.partition("_")[0]


def call_of(stage: Stage, group: ProcessGroup) -> tuple[str, int, int]:
    """What a group does all the time: operation, elements in, elements out."""
    return _CALLS.get(_kind(group), (stage.spec.op, 4096, 4096))


def enter(stage: Stage, rank: int, group: ProcessGroup, at: float) -> Stuck:
    """A rank enters the collective in which its group gets stuck, having finished all before it."""
    seq = sequence(stage, group, group.local(rank))
    op, numel_in, numel_out = call_of(stage, group)
    return Stuck(rank, group, seq, seq, seq - 1, at + stage.jitter(0.4), op, numel_in, numel_out)


def finished(stage: Stage) -> int:
    """The last collective of the default group that a rank outside any collective has done."""
    seq = sequence(stage, stage.world.default_group)
    return seq - 1 if len(stage.world.groups) == 1 else seq


def wait_for(stage: Stage, late: Collection[int], at: float) -> dict[int, Stuck]:
    """All other ranks, each stuck in the first of its groups that some stopped rank keeps it in."""
    blocked, found = set(late), dict[int, Stuck]()
    for delay, kind in enumerate(_ROUNDS):
        newly = {}
        for rank in stage.world.ranks:
            if rank not in blocked:
                group = next((g for g in stage.world.groups_of(rank) if g.desc.startswith(kind)), None)
                if group is not None and not blocked.isdisjoint(group.ranks):
                    newly[rank] = enter(stage, rank, group, at + 0.6 * delay)
        blocked |= newly.keys()
        found |= newly
    return found


def hang(stage: Stage, stuck: dict[int, Stuck], idle: Collection[int] = ()) -> Hang:
    """A hang of these ranks; `idle` ones wait for nothing."""
    done = finished(stage)
    watched = tuple(s for s in stuck.values() if s.op not in ("SEND", "RECV") or stage.version >= (2, 2))
    default = dict.fromkeys(stuck, (done, done))
    return Hang(stage.spec.timeout_s, watched, dict.fromkeys(idle, done), default)


# -- Sequence numbers at the end of a hang

Counters = tuple[int, int]
"""Enqueued and completed."""


class Progress:
    """Looks up how far a rank came in a group."""

    def __init__(self, stage: Stage, hang: Hang) -> None:
        self.stage = stage
        self.stuck: Mapping[int, Stuck] = {s.rank: s for s in hang.stuck}
        self.front: dict[str, int] = {}
        """The first unfinished number of each group that somebody waits in."""
        for s in hang.stuck:
            self.front[s.group.guid] = min(s.seq, self.front.get(s.group.guid, s.seq))

    def of(self, rank: int, group: ProcessGroup) -> Counters:
        """A rank that waits in this group has its own numbers; one that does not has finished what it entered."""
        mine = self.stuck.get(rank)
        if mine is not None and mine.group is group:
            return mine.enqueued, mine.completed
        done = self.front[group.guid] - 1 if group.guid in self.front else sequence(self.stage, group)
        return done, done
