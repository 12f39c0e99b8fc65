"""Reading excerpts of a case's files into a census, in bounded time, and saying how much of them that was."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import closing
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.identity import Identity
from logtui.diagnosis.odd_lines.census import Census, Standing, has_clock
from logtui.parsers.case import Case
from logtui.parsers.clean import clean
from logtui.parsers.errors import LogtuiError
from logtui.parsers.excerpts import Stretch, lines_of, share_of_each, stretches
from logtui.parsers.lines import LineReader
from logtui.parsers.origin import named_rank, read_origin
from logtui.parsers.pattern import Role
from logtui.parsers.source import Compression, FileKind, LogFile

BUDGET = 8 << 20
"""Bytes of all files together: a second or two."""
LARGEST_PACKED = 64 << 20
"""Bytes of text of a packed file that are unpacked once more for this."""
KINDS = frozenset({FileKind.WORKER, FileKind.LAUNCHER})
_ROUTINE = frozenset({Role.INFO, Role.NOISE, Role.END})


@dataclass
class Taken:
    """A census and what it rests on."""

    census: Census = field(default_factory=Census)
    bytes_read: int = 0
    bytes_there: int = 0
    files: int = 0
    left_out: int = 0
    """Files that could not be read, or would take too long to unpack."""


def take(
    case: Case,
    identity: Identity | None = None,
    ranks: Collection[int] = (),
    trouble: Mapping[int, int] | None = None,
    budget: int = BUDGET,
) -> Taken:
    """Read excerpts of all worker and launcher logs.

    `ranks` are those that a line may name as its writer; `trouble` gives for some files the byte at which the first
    sign of a failure begins. Without an identity each file is a writer of its own. About 20 MB/s; memory as `Census`.
    """
    taken, files = Taken(), [f for f in case.files if f.kind in KINDS]
    speakers, known, leads = Speakers(identity, ranks), _KnownLines(case), trouble or {}
    most = share_of_each(budget, len(files))
    for file in files:
        try:
            with closing(case.new_reader(file.index)) as reader:
                _take_file(taken, reader, file, _text_size(case, file), (most, leads.get(file.index)), speakers, known)
        except (LogtuiError, OSError):
            taken.left_out += 1
    return taken


def _text_size(case: Case, file: LogFile) -> int | None:
    """Bytes of text, where that is known without unpacking; None where unpacking takes too long."""
    index = case.indexes.get(file.index)
    size = index.end if index is not None else file.size
    if file.compression is not Compression.NONE and max(size, file.size) > LARGEST_PACKED:
        return None
    return size


def _take_file(
    taken: Taken,
    reader: LineReader,
    file: LogFile,
    size: int | None,
    plan: tuple[int, int | None],
    speakers: Speakers,
    known: _KnownLines,
) -> None:
    if size is None:
        taken.left_out += 1
        return
    taken.files += 1
    taken.bytes_there += size
    own, stamped = speakers.owner(file), b""
    for stretch in stretches(size, *plan):
        taken.bytes_read += stretch.end - stretch.begin
        standing = known.within(file.index, stretch)
        for offset, raw in lines_of(reader, stretch):
            if not raw.strip():
                continue
            stamped = raw if has_clock(raw) else stamped
            writer = own if own is not None else speakers.of(file, raw)
            found = taken.census.add(writer, file.index, offset, raw, stamped)
            if offset in standing:
                found.standing = max(found.standing, standing[offset])


class Speakers:
    """Who wrote a line: a rank, from 0 on, or below 0 what stands in one file without a rank."""

    def __init__(self, identity: Identity | None, ranks: Collection[int] = ()) -> None:
        self._identity = identity
        self._ranks = ranks

    def owner(self, file: LogFile) -> int | None:
        """The one writer of a file; None where each line says it."""
        if self._identity is None:
            return -1 - file.index
        return self._identity.by_file.get(file.index)

    def of(self, file: LogFile, raw: bytes) -> int:
        """The writer of one line."""
        if self._identity is None:
            return -1 - file.index
        text = clean(raw[:400])
        found = self._identity.rank_of_origin(file, read_origin(text))
        if found is None:
            found = named_rank(text)
            found = found if found in self._ranks else None
        return -1 - file.index if found is None else found


def file_of(writer: int) -> int | None:
    """The file that stands for a writer without a rank."""
    return -1 - writer if writer < 0 else None


class _KnownLines:
    """Which lines of a stretch declared formats match, and what they make of them."""

    def __init__(self, case: Case) -> None:
        rows = case.records.rows
        self._files: npt.NDArray[np.uint32] = np.ascontiguousarray(rows["file"])
        self._rows = rows
        roles = [p.role in _ROUTINE for p in case.records.patterns]
        self._standings = np.where(roles, Standing.ROUTINE, Standing.DECLARED)

    def within(self, file: int, stretch: Stretch) -> dict[int, Standing]:
        """By the byte at which the line begins."""
        begin, end = np.searchsorted(self._files, (file, file + 1))
        rows = self._rows[begin:end]
        rows = rows[(rows["offset"] >= stretch.begin) & (rows["offset"] < stretch.end)]
        standings = self._standings[rows["pattern"]]
        return dict(zip(rows["offset"].tolist(), map(Standing, standings.tolist()), strict=True))
