"""The job as it is being told: events, deaths and what is known to be true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from logtui.parsers.generator import clock
from logtui.parsers.generator.collective import Hang
from logtui.parsers.generator.event import Event, Source, Writer
from logtui.parsers.generator.spec import JobSpec, Version
from logtui.parsers.generator.truth import NcclState
from logtui.parsers.generator.wordings import timed_out_line, wording
from logtui.parsers.generator.world import Group, World
from logtui.parsers.pattern import FailureClass

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
        group: Group,
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

    def phrase(self, rank: int, key: str, group: Group, fields: Mapping[str, object] | None = None) -> str:
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
