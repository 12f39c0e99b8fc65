"""A small set of patterns, and the whole way from a text to a table, for tests of the scan."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from logtui.parsers.files.case import Case
from logtui.parsers.pattern import LineFormat, Pattern, Role
from logtui.parsers.records.record import RecordTable
from logtui.parsers.registry import Registry, build
from logtui.parsers.scan.proof import make_engine
from logtui.parsers.scan.scanner import RangeScan, RangeScanner
from logtui.parsers.scan.table import TableBuilder
from logtui.parsers.source import FileKind, LogFile

SMALL = build(
    (
        LineFormat(
            "test",
            "Lines made up for tests",
            "",
            (
                Pattern("t.error", ("FatalError: ",), r"FatalError: (?P<what>\w+)", (), Role.CAUSE),
                Pattern("t.other", ("FatalError: ", "OtherError: "), r"Error: (?P<what>\w+)", (), Role.SYMPTOM),
                Pattern("t.step", ("training step ",), r"step (?P<step>\d+) took (?P<s>[\d.]+)", (), Role.INFO,
                        numeric=("step", "s")),
                Pattern("t.reset", ("Connection reset by peer",), r"Connection reset by peer", (), Role.NOISE,
                        bulk=True),
                Pattern("t.retry", ("retrying request",), r"retrying request (?P<n>\d+)/(?P<of>\d+)", (), Role.NOISE,
                        bulk=True),
            ),
        ),
    )
)  # fmt: skip
"""One pattern of each kind: plain, sharing an anchor, numeric, bulk that its anchor proves, bulk that needs its regex."""


def log_file(path: Path, text: bytes = b"", **other: Any) -> LogFile:
    """A worker log on disk."""
    path.write_bytes(text)
    return described(path, **other)


def described(path: Path, index: int = 0, **other: Any) -> LogFile:
    """A file on disk as discovery describes it."""
    info = path.stat()
    return LogFile(index, path, path.name, info.st_size, 1763700000.0, FileKind.WORKER, inode=info.st_ino, **other)


@lru_cache
def scanner(engine: str = "auto", known: Registry = SMALL) -> RangeScanner:
    """A scanner with the small set of patterns."""
    return RangeScanner(make_engine(known.anchors, engine), known)


def scan(file: LogFile, cuts: Sequence[int] = (), engine: str = "auto") -> list[RangeScan]:
    """The parts of a file read in ranges that meet at some bytes."""
    bounds = [0, *sorted(cuts), None]
    return [part for start, stop in pairwise(bounds) for part in scanner(engine).scan(file, start or 0, stop)]


def case_of(file: LogFile, parts: list[RangeScan]) -> Case:
    """The case of one file."""
    builder = TableBuilder(SMALL, sum(len(p.rows) for p in parts))
    builder.add(file, parts, complete=True)
    return Case((file,), builder.table(), builder.indexes, tuple(builder.damaged))


def table(file: LogFile, cuts: Sequence[int] = (), engine: str = "auto") -> RecordTable:
    """All records of a file."""
    return case_of(file, scan(file, cuts, engine)).records


def shown(table: RecordTable) -> list[tuple[object, ...]]:
    """All that a record says, for comparison."""
    return [
        (r.name, r.file, r.line, r.offset, r.length, r.rank, r.rank_from, r.local_rank, r.task, r.pid, r.host,
         r.time, r.time_from, r.text, *(None if n != n else n for n in r.numbers))
        for r in table
    ]  # fmt: skip


def counted(table: RecordTable) -> dict[tuple[str, int], int]:
    """(pattern, rank) → matches."""
    return {(c.pattern, c.rank): c.total for c in table.counts}
