"""What is read in which order, and how far the reading is.

The tail of every file comes first, as failures are at the end; then heads, then the rest. Only plain files can be
read at any place. A packed file, or all members of one archive, is one piece of work, and starts early in the last
stage because it takes longest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from logtui.parsers.source import LogFile

TAIL_BYTES = 1 << 16
HEAD_BYTES = 1 << 18
WHOLE_BYTES = 1 << 18
"""A file up to this size is read at once, with the tails."""
UNDIVIDED_BYTES = 1 << 21
"""A file up to this size has its rest read together with its head."""
CHUNK_BYTES = 1 << 26
"""The most one range holds."""
LEAST_CHUNK_BYTES = 1 << 22
TASK_BYTES = 1 << 22
"""Ranges travel together until they hold as much."""
TASK_PIECES = 32
ASIDE_BYTES = 1 << 29
"""What one worker reads while there is a report to make: half a second, as long as one on thousands of ranks takes."""


class Stage(IntEnum):
    """How far the order of work has come."""

    TAILS = 0
    HEADS = 1
    REST = 2


@dataclass(frozen=True, slots=True)
class Piece:
    """A range of one file; `stop` None means to its end."""

    file: LogFile
    start: int
    stop: int | None

    @property
    def bytes(self) -> int:
        """Bytes as stored on disk."""
        return max(0, (self.file.size if self.stop is None else self.stop) - self.start)


@dataclass(frozen=True, slots=True)
class Task:
    """Pieces that one worker scans in one go."""

    stage: Stage
    pieces: tuple[Piece, ...]


def plan(files: Sequence[LogFile], jobs: int, since: Mapping[int, int]) -> list[Task]:
    """All work, in order; `since` holds the byte from which a file known before is read on."""
    plain = [f for f in files if f.in_place]
    packed = [f for f in files if not f.in_place]
    total = sum(f.size - since.get(f.index, 0) for f in plain)
    chunk = min(CHUNK_BYTES, max(LEAST_CHUNK_BYTES, total // (jobs * 8)))
    by_stage: dict[Stage, list[Piece]] = {stage: [] for stage in Stage}
    for file in plain:
        for stage, piece in _pieces(file, since.get(file.index, 0), chunk):
            by_stage[stage].append(piece)
    by_stage[Stage.REST].sort(key=lambda p: p.file.size - p.start)
    archives = [Task(Stage.REST, tuple(Piece(f, 0, None) for f in some)) for some in _by_archive(packed)]
    tasks = {stage: list(_tasks(stage, pieces, jobs)) for stage, pieces in by_stage.items()}
    return [*tasks[Stage.TAILS], *tasks[Stage.HEADS], *archives, *tasks[Stage.REST]]


def aside(tasks: Sequence[Task], jobs: int) -> tuple[list[Task], list[Task]]:
    """The same work in two halves: up to a first report on the tails, and after it.

    After the tails, the first half keeps all workers but one busy with a long task each, so that a core is left to the
    process that makes the report.
    """
    tails = sum(t.stage is Stage.TAILS for t in tasks)
    at = begin = next((i for i, t in enumerate(tasks) if t.stage is Stage.REST), tails)
    left = sum(p.bytes for t in tasks[tails:] for p in t.pieces)
    share = min(ASIDE_BYTES, left // (4 * jobs))
    first = list(tasks[:tails])
    for _ in range(jobs - 1):
        some: list[Piece] = []
        while at < len(tasks) and sum(p.bytes for p in some) < share:
            some += tasks[at].pieces
            at += 1
        if some:
            first.append(Task(tasks[begin].stage, tuple(some)))
    return first, [*tasks[tails:begin], *tasks[at:]]


def _pieces(file: LogFile, start: int, chunk: int) -> Iterator[tuple[Stage, Piece]]:
    """The ranges of a plain file from a byte on."""
    if file.size - start <= WHOLE_BYTES:
        yield Stage.TAILS, Piece(file, start, None)
        return
    tail = file.size - TAIL_BYTES
    yield Stage.TAILS, Piece(file, tail, None)
    head = tail if tail - start <= UNDIVIDED_BYTES else start + HEAD_BYTES
    yield Stage.HEADS, Piece(file, start, head)
    for at in range(head, tail, chunk):
        yield Stage.REST, Piece(file, at, min(at + chunk, tail))


def _by_archive(files: Sequence[LogFile]) -> list[list[LogFile]]:
    """Members of one archive together, since to read any of them it is unpacked from its start; largest first."""
    groups: dict[object, list[LogFile]] = {}
    for file in files:
        groups.setdefault(file.path, []).append(file)
    return sorted(groups.values(), key=lambda some: -sum(f.size for f in some))


def _tasks(stage: Stage, pieces: Sequence[Piece], jobs: int) -> Iterator[Task]:
    """Pieces in order, several to a task while they are small, but enough tasks for every worker."""
    most = max(1, min(TASK_PIECES, len(pieces) // (jobs * 4)))
    some: list[Piece] = []
    size = 0
    for piece in pieces:
        if some and (len(some) == most or size + piece.bytes > TASK_BYTES):
            yield Task(stage, tuple(some))
            some, size = [], 0
        some.append(piece)
        size += piece.bytes
    if some:
        yield Task(stage, tuple(some))


# -- How far the reading of a case is


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the reading is. Bytes as stored on disk; what an index knew counts as read."""

    files_done: int
    files: int
    bytes_done: int
    bytes: int
    stage: Stage = Stage.REST
    """What is being read; `REST` also when all is read."""
    elapsed_s: float = 0.0
    """Since this stage began."""
    bytes_before: int = 0
    """Those of `bytes_done` that were read in stages before this one, or that an index knew."""
    trouble: str = ""
    """Why parts are read a second time, in this process: what the last worker that failed said."""

    @property
    def share(self) -> float:
        """0.0 to 1.0."""
        return self.bytes_done / self.bytes if self.bytes else 1.0

    @property
    def bytes_per_s(self) -> float:
        """In this stage: ends and heads of files hold more of what is looked for. 0.0 before anything is read."""
        return (self.bytes_done - self.bytes_before) / self.elapsed_s if self.elapsed_s else 0.0

    @property
    def remaining_s(self) -> float | None:
        """At the rate so far, in the last stage; None before there is one."""
        if self.stage is not Stage.REST or not self.bytes_per_s:
            return None
        return (self.bytes - self.bytes_done) / self.bytes_per_s
