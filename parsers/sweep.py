"""Scan all files of a case and merge what the ranges give into one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from logtui.parsers.case import Case
from logtui.parsers.discover import Discovery
from logtui.parsers.engine import make_engine
from logtui.parsers.errors import LogtuiError
from logtui.parsers.registry import registry
from logtui.parsers.scan import RangeScan, RangeScanner
from logtui.parsers.source import FileKind, LogFile, Unread
from logtui.parsers.table import build_case

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
    parts: dict[int, list[RangeScan]] = field(default_factory=dict)
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
                self.parts[file.index] = scanner.scan(file, cancelled=cancelled)
            except LogtuiError as error:
                self.unread.append(Unread(file.name, str(error)))
            done += file.size
            yield Progress(n, len(files), done, total)

    def case(self) -> Case:
        """The case as far as it has been read."""
        case = build_case(self.discovery, self.parts, self.unread, registry())
        for index in case.indexes.values():
            index.complete = True
        wanted = sum(f.size for f in self.discovery.files if f.kind in TEXT_KINDS)
        read = sum(self.discovery.files[f].size for f, i in case.indexes.items() if i.complete)
        case.share_read = read / wanted if wanted else 1.0
        return case


def text_files(files: Sequence[LogFile]) -> list[LogFile]:
    """Those whose lines are scanned for declared patterns."""
    return [f for f in files if f.kind in TEXT_KINDS]
