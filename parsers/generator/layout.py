"""From events to files: who writes where, behind which prefix, and how writes get into each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from logtui.parsers.generator.event import Event, Source, Writer
from logtui.parsers.generator.spec import Layout
from logtui.parsers.generator.world import World

CUT_SHARE = 0.25
"""How many of the multi-line records that meet another writer are cut by it."""
LINEWISE = frozenset({Layout.MERGED, Layout.PDSH})
"""Labelling launchers pass on whole lines: a fragment gets a newline."""
MEET_S = 0.02
"""Writes so close in time can get into each other."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file, without its newline, with the marks that stand on it."""

    text: str
    marks: tuple[str, ...] = ()
    body: str = ""
    """The text without the layout's prefix."""
    glue: bool = False


class Router:
    """Names the file of each event and the prefix of its lines."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.spec = world.spec
        tasks = world.spec.world_size if world.spec.layout is Layout.MERGED else len(world.nodes)
        self.width = len(str(max(tasks - 1, 0)))

    def file(self, source: Source, stdout: bool) -> str:
        """Path below the log directory."""
        job = self.spec.job_id
        match self.spec.layout:
            case Layout.MERGED:
                return f"{self.spec.name}-{job}.log"
            case Layout.PDSH:
                return f"{self.spec.name}.log"
            case Layout.TORCHRUN_TREE if source.writer is Writer.RANK:
                node, stream = self.world.node(source.index), "stdout" if stdout else "stderr"
                return (
                    f"logs/{job}_{node.folder}/attempt_{source.attempt}/{self.world.local(source.index)}/{stream}.log"
                )
            case Layout.TORCHRUN_TREE:
                return f"slurm-{job}.out"
        if source.writer is Writer.BATCH:
            return f"slurm-{job}.out"
        index = self._node(source)
        if self.spec.layout is Layout.TEE:
            return f"log-{job}-{index}.out"
        return f"{'output' if stdout else 'error'}-{job}-{index}.out"

    def prefix(self, source: Source) -> str:
        """What the layout puts before each line of a source."""
        if source.writer is Writer.BATCH:
            return ""
        match self.spec.layout:
            case Layout.MERGED:
                return f"{source.index:>{self.width}}: "
            case Layout.PDSH:
                return f"{self.world.nodes[self._node(source)].host}: "
            case Layout.TEE if source.writer is Writer.RANK:
                return f"[default{self.world.local(source.index)}]:"
        return ""

    def _node(self, source: Source) -> int:
        return source.index if source.writer is Writer.AGENT else self.world.node(source.index).index


def by_file(events: Iterable[Event], router: Router) -> dict[str, list[Event]]:
    """Events of each file, in the order given."""
    files: dict[str, list[Event]] = {}
    names: dict[tuple[Source, bool], str] = {}
    for event in events:
        key = (event.source, event.stdout)
        if key not in names:
            names[key] = router.file(*key)
        files.setdefault(names[key], []).append(event)
    return files


def lines(events: list[Event], router: Router, rng: Random, cut: bool) -> Iterator[Line]:
    """The lines of one file. With `cut`, some records are cut by the next writer's."""
    i = 0
    while i < len(events):
        here = _split(events[i], router)
        if (
            cut
            and len(here) > 2
            and i + 1 < len(events)
            and _meets(events[i], events[i + 1])
            and rng.random() < CUT_SHARE
        ):
            at = rng.randrange(1, len(here))
            yield from here[:at]
            yield from _split(events[i + 1], router)
            yield from here[at:]
            i += 2
        else:
            yield from here
            i += 1


def _meets(event: Event, after: Event) -> bool:
    return after.source != event.source and after.time - event.time < MEET_S and not after.glue


def _split(event: Event, router: Router) -> list[Line]:
    prefix = router.prefix(event.source)
    rows = event.text.split("\n")
    last = len(rows) - 1
    marks = {i: tuple(m for m, at in event.marks.items() if at == i) for i in event.marks.values()}
    glue = event.glue and router.spec.layout not in LINEWISE
    return [Line(prefix + row, marks.get(i, ()), row, glue and i == last) for i, row in enumerate(rows)]
