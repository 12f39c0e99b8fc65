"""Scan all files of a case and merge what the ranges give into one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from logtui.parsers.case import Case, FileIndex
from logtui.parsers.discover import Discovery
from logtui.parsers.engine import make_engine
from logtui.parsers.errors import LogtuiError
from logtui.parsers.record import ROW, Count, RecordTable
from logtui.parsers.registry import Registry, registry
from logtui.parsers.scan import RangeScan, RangeScanner
from logtui.parsers.source import FileKind, LogFile, Unread

TEXT_KINDS = frozenset({FileKind.WORKER, FileKind.LAUNCHER, FileKind.SCHEDULER, FileKind.KERNEL, FileKind.EVENTS})


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the reading is. Bytes as stored on disk."""

    files_done: int
    files: int
    bytes_done: int
    bytes: int

    @property
    def share(self) -> float:
        """0.0 to 1.0."""
        return self.bytes_done / self.bytes if self.bytes else 1.0


@dataclass
class Sweep:
    """The state of one scan over a case."""

    discovery: Discovery
    engine: str = "auto"
    parts: list[RangeScan] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)

    def run(self, cancelled: Callable[[], bool] = lambda: False) -> Iterator[Progress]:
        """Scan every text file, reporting after each; ends early when cancelled."""
        known = registry()
        scanner = RangeScanner(make_engine(known.anchors, self.engine), known)
        files = [f for f in self.discovery.files if f.kind in TEXT_KINDS]
        total, done = sum(f.size for f in files), 0
        for n, file in enumerate(files, 1):
            if cancelled():
                return
            try:
                self.parts.append(scanner.scan(file, cancelled=cancelled))
            except LogtuiError as error:
                self.unread.append(Unread(file.name, str(error)))
            done += file.size
            yield Progress(n, len(files), done, total)

    def case(self) -> Case:
        """The case as far as it has been read."""
        return merge(self.discovery, self.parts, self.unread, registry())


def merge(discovery: Discovery, parts: Sequence[RangeScan], unread: Sequence[Unread], known: Registry) -> Case:
    """Put the ranges of all files in order, number their lines, and join their columns."""
    ordered = sorted(parts, key=lambda p: (p.file, p.start))
    hosts: dict[str, int] = {}
    blobs: list[bytes] = []
    rows, size = [], 0
    counts: dict[tuple[int, int, int], int] = {}
    indexes: dict[int, FileIndex] = {}
    problems = [*discovery.unread, *unread]
    for part in ordered:
        index = indexes.setdefault(part.file, FileIndex(np.empty(0, np.int64), np.empty(0, np.int64)))
        rows.append(_shifted(part, index.newlines, size, hosts))
        blobs.append(part.blob)
        size += len(part.blob)
        for (pattern, rank), n in part.counts.items():
            key = (pattern, part.file, rank)
            counts[key] = counts.get(key, 0) + n
        _grow(index, part)
        if part.damage:
            problems.append(Unread(discovery.files[part.file].name, part.damage))
    table = np.concatenate(rows) if rows else np.empty(0, ROW)
    records = RecordTable(
        table, b"".join(blobs), list(hosts), known.patterns,
        [Count(known.patterns[p].name, f, r, n) for (p, f, r), n in counts.items()],
    )  # fmt: skip
    wanted = sum(f.size for f in discovery.files if f.kind in TEXT_KINDS)
    read = sum(discovery.files[f].size for f, i in indexes.items() if i.complete)
    return Case(discovery.files, records, indexes, tuple(problems), read / wanted if wanted else 1.0)


def _shifted(part: RangeScan, newlines: int, blob_at: int, hosts: dict[str, int]) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """A part's rows with line numbers, text positions and host numbers of the whole case."""
    rows = part.rows.copy()
    rows["line"] += newlines
    rows["text"][rows["text"] >= 0] += blob_at
    if part.hosts:
        mapping = np.array([hosts.setdefault(h, len(hosts)) for h in part.hosts] + [-1], np.int32)
        rows["host"] = mapping[rows["host"]]
    return rows


def _grow(index: FileIndex, part: RangeScan) -> None:
    index.offsets = np.concatenate([index.offsets, part.block_offsets])
    index.before = np.concatenate([index.before, part.block_lines + index.newlines])
    index.newlines += part.lines
    index.lines = index.newlines + part.unfinished
    index.matched += part.matched_lines
    index.end = part.end
    index.nul_bytes = index.nul_bytes or part.nul_bytes
    index.complete = True


def text_files(files: Sequence[LogFile]) -> list[LogFile]:
    """Those whose lines are scanned for declared patterns."""
    return [f for f in files if f.kind in TEXT_KINDS]
