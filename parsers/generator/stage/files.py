"""From events to files: layouts, padding, and where each marked line came to stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import BinaryIO

from logtui.parsers.generator.stage import clock
from logtui.parsers.generator.stage.spec import Layout, Place
from logtui.parsers.generator.stage.stage import Event, Source, Stage, Writer
from logtui.parsers.generator.stage.world import World

# -- From events to lines

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


# -- Filler: harmless lines in any quantity, in which only times and step numbers change

CHUNK = 1 << 16
"""Bytes written with one stamp, about."""
_STAMP = b"\x01"
_ON_STDERR = (
    "{stamp},{ms:03d} INFO shards: rank {rank} fetched 64 samples from shard-{n:05d}.tar at offset {big} in 0.{ms:03d} s",
    "{stamp},{ms:03d} DEBUG train: rank {rank} forward 0.{ms:03d} s backward 0.{n:05d} s memory 58.{ms:03d} GiB",
    "{stamp},{ms:03d} INFO cache: rank {rank} prefetch queue depth {c} timeout=600s retries=0 hits {big} misses 0",
    '{stamp},{ms:03d} DEBUG urllib3.connectionpool: https://storage.cluster.local:443 "GET /corpus/shard-{n:05d}.tar HTTP/1.1" 206 {big}',
)
_ON_STDOUT = (
    "{host}:{pid}:{tid} [{local}] NCCL INFO Channel {c:02d}/0 : {rank}[{local}] -> {peer}[{local}] via P2P/CUMEM",
    "{host}:{pid}:{tid} [{local}] NCCL INFO NET/IB : mlx5_{c}:1 timeout 22 retry_cnt 7",
    "{stamp} rank {rank} batch {n} tokens {big} padding 0.{ms:03d}",
)


class Padding:
    """Spreads the missing bytes over the files, between the first step and the fault."""

    def __init__(self, stage: Stage, files: dict[str, list[Event]]) -> None:
        self.stage = stage
        self.router = Router(stage.world)
        have = sum(
            len(e.text) + 1 + len(self.router.prefix(e.source)) * (1 + e.text.count("\n"))
            for v in files.values()
            for e in v
        )
        lacking = max(0, stage.spec.size_bytes - have)
        self.homes = {name: ranks for name, events in files.items() if (ranks := _ranks(events))}
        self.kinds = {name: _kinds(files[name]) for name in self.homes}
        self.share = lacking // len(self.homes) if self.homes else 0

    def between(self, name: str, events: list[Event]) -> Iterator[tuple[list[Event], bytes]]:
        """Slices of a file's events, each with the padding that comes before it."""
        if self.share < CHUNK // 16 or name not in self.homes:
            yield events, b""
            return
        count = max(1, round(self.share / CHUNK))
        template = self._template(name, self.share // count)
        first, last = self.stage.trained_from, self.stage.trained_to
        done = 0
        for i in range(count):
            at = first + (last - first) * (i + 0.5) / count
            upto = done
            while upto < len(events) and (events[upto].time <= at or (upto and events[upto - 1].glue)):
                upto += 1
            yield events[done:upto], b""
            yield [], template.replace(_STAMP, clock.dashed(at).encode())
            done = upto
        yield events[done:], b""

    def _template(self, name: str, size: int) -> bytes:
        rng = Random(f"padding {self.stage.spec.seed} {name}")
        kinds = self.kinds[name]
        rows: list[str] = []
        length = 0
        while length < size:
            row = self._row(rng, rng.choice(kinds), rng.choice(self.homes[name]))
            rows.append(row)
            length += len(row) + 19 * row.count("\x01") + 1
        return ("\n".join(rows) + "\n").encode()

    def _row(self, rng: Random, kind: str, rank: int) -> str:
        world, per = self.stage.world, self.stage.spec.gpus_per_node
        pid = world.pid(rank)
        text = kind.format(
            stamp="\x01", ms=rng.randrange(1000), rank=rank, n=rng.randrange(100_000), big=rng.randrange(1 << 30),
            host=world.node(rank).host, pid=pid, tid=pid + 300, local=world.local(rank), c=rng.randrange(24),
            peer=(rank + per) % self.stage.spec.world_size,
        )  # fmt: skip
        return self.router.prefix(Source(Writer.RANK, rank)) + text


def _ranks(events: list[Event]) -> list[int]:
    """The ranks that write to a file."""
    return sorted({e.source.index for e in events if e.source.writer is Writer.RANK and e.source.attempt == 0})


def _kinds(events: list[Event]) -> tuple[str, ...]:
    """The harmless lines that fit a file's streams."""
    streams = {e.stdout for e in events}
    return (_ON_STDERR if False in streams else ()) + (_ON_STDOUT if True in streams else ())


# -- Files on disk, and where each mark came to stand


@dataclass
class Written:
    """What is on disk."""

    files: list[str] = field(default_factory=list)
    bytes: int = 0
    places: dict[str, Place] = field(default_factory=dict)


def write_files(stage: Stage, directory: Path) -> Written:
    """Write all files below a directory, which may exist already."""
    router = Router(stage.world)
    files = by_file(stage.told(), router)
    written = Written()
    rng = Random(f"layout {stage.spec.seed}")
    padding = Padding(stage, files)
    for name in sorted(files):
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as out:
            _File(name, out, written).write(files[name], router, rng, padding)
        written.files.append(name)
    return written


class _File:
    """One file being written."""

    def __init__(self, name: str, out: BinaryIO, written: Written) -> None:
        self.name, self.out, self.written = name, out, written
        self.line = 1

    def write(self, events: list[Event], router: Router, rng: Random, padding: Padding) -> None:
        noise = router.spec.noise
        for batch, pad in padding.between(self.name, events):
            if pad:
                self._raw(pad)
            self._lines(lines(batch, router, rng, noise))

    def _raw(self, pad: bytes) -> None:
        self.out.write(pad)
        self.line += pad.count(b"\n")
        self.written.bytes += len(pad)

    def _lines(self, rows: Iterable[Line]) -> None:
        buffer: list[str] = []
        for row in rows:
            buffer.append(row.text if row.glue else row.text + "\n")
            for mark in row.marks:
                self.written.places.setdefault(mark, Place(self.name, self.line, row.body))
            self.line += 0 if row.glue else 1
        data = "".join(buffer).encode()
        self.out.write(data)
        self.written.bytes += len(data)
