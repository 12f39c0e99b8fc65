"""One pass over the bytes of a log: newline index, and the few lines that hold a declared anchor.

The unit of work is a byte range of one file; a range owns every line that *starts* in it. Python touches only
lines with an anchor. What comes back is columns, so that ranges can be scanned in other processes and merged, and
the merge of any ranges that cover a file gives the same table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

import numpy as np
import numpy.typing as npt

from logtui.parsers.blocks import Block, BlockReader
from logtui.parsers.engine import Engine, Hits
from logtui.parsers.fold import Folding
from logtui.parsers.hits import Stretch, stretches
from logtui.parsers.matchers import Matchers
from logtui.parsers.narrow import AnyRows, held
from logtui.parsers.newlines import NewlineCounter
from logtui.parsers.record import ROW
from logtui.parsers.registry import Registry
from logtui.parsers.rows import RowBuilder
from logtui.parsers.shapes import Shapes, Spot
from logtui.parsers.source import LogFile
from logtui.parsers.storm import BulkLines, Storm, join
from logtui.parsers.wrapping import unwrapper

MATCHES_PER_TEXT = 16
"""Records glued into one line that are kept apart; more are only counted."""


@dataclass(slots=True)
class RangeScan:
    """What one range of one file holds."""

    file: int
    start: int
    end: int
    """Just past the last byte of the range's last line."""
    rows: AnyRows
    """In the order of the file; lines count from 1 in the range, texts and hosts are the range's own."""
    blob: bytes
    hosts: list[str]
    counts: dict[tuple[int, int], int]
    """(pattern index, rank or -1) → exact number of matches; of lines, where the pattern comes in bulk."""
    lines: int
    """Newlines in the range."""
    matched_lines: int
    block_offsets: npt.NDArray[np.int64]
    block_lines: npt.NDArray[np.int64]
    """For each block its first byte and the newlines before it in this range."""
    damage: str | None = None
    """Why the text ends early, if it does."""
    nul_bytes: bool = False
    unfinished: bool = False
    """The range is one line without a newline: the file is being written, or was cut."""


class RangeScanner:
    """Scans ranges with one engine; keeps its buffers between ranges. Serves one thread."""

    def __init__(self, engine: Engine, known: Registry) -> None:
        self.engine = engine
        self._matchers = Matchers(known)
        self._folding = Folding(known.patterns)
        self._reader = BlockReader()
        self._newlines = NewlineCounter(self._reader.buffer)
        self._shapes = Shapes()

    def scan(
        self, file: LogFile, start: int = 0, stop: int | None = None, cancelled: Callable[[], bool] = lambda: False
    ) -> list[RangeScan]:
        """Scan the lines that start in [start, stop) of a file; `stop` None means to its end.

        Gives one part, and a second one for a last line without a newline: when the file grows, only that part is
        scanned again. A file that shrinks, or is damaged, gives what could be read, and `damage` says why it ends.

        Raises:
            PathUnreadable: if the file cannot be opened.
            ArchiveRefused: if it is a member that is not there or not to be read.
        """
        parts: list[_Part] = []
        for block in self._reader.read(file, start, stop):
            if not parts or _begins_part(block):
                parts.append(_Part(file, block.offset, self._matchers, self._folding, self._shapes))
            parts[-1].take(block, self.engine, self._newlines)
            if cancelled():
                break
        scans = [part.finish() for part in parts] or [_nothing(file.index, start)]
        scans[0] = replace(scans[0], start=start)
        scans[-1] = replace(scans[-1], damage=self._reader.damage)
        return scans


def _begins_part(block: Block) -> bool:
    """Whether the block is a line that may never end: too long for a block, or the last of the file."""
    return not block.continued and not block.buffer.endswith(b"\n", block.begin, block.end)


def _nothing(file: int, start: int) -> RangeScan:
    """The scan of a range in which no line starts."""
    none = np.empty(0, np.int64)
    return RangeScan(file, start, start, np.empty(0, ROW), b"", [], {}, 0, 0, none, none)


class _Part:
    """Turns the hits of successive blocks into rows."""

    def __init__(self, file: LogFile, start: int, matchers: Matchers, folding: Folding, shapes: Shapes) -> None:
        self._file = file.index
        self._start = self._end = start
        self._matchers = matchers
        self._folding = folding
        self._shapes = shapes
        self._rows = RowBuilder(file, matchers.numeric, shapes)
        self._unwrapper = unwrapper(file.wrapping)
        self._storm = Storm(file.index, folding, self._unwrapper)
        self._counts: dict[tuple[int, int], int] = {}
        self._blocks: list[tuple[int, int]] = []
        self._lines = self._matched = 0
        self._nul = self._unfinished = False

    def take(self, block: Block, engine: Engine, newlines: NewlineCounter) -> None:
        """Add one block."""
        size = block.end - block.begin
        self._blocks.append((block.offset, self._lines))
        self._end = block.offset + size
        self._unfinished = not block.buffer.endswith(b"\n", block.begin, block.end)
        self._nul = self._nul or block.buffer.find(b"\0", block.begin, block.end) >= 0
        hits = engine.scan(memoryview(block.buffer)[block.begin : block.end], size)
        bulk = BulkLines(self._lines)
        counted, number, begins = block.begin, self._lines + 1, [-1]
        others = self._take_proven(block, hits, bulk, newlines)
        for stretch in stretches(block, others, self._matchers.anchor_lengths, self._shapes, self._unwrapper):
            for pattern, spots in self._matchers.confirmed(stretch):
                if stretch.begin != begins[-1]:
                    number += newlines.count(counted, stretch.begin)
                    counted = stretch.begin
                    begins.append(counted)
                if self._matchers.bulk[pattern]:
                    bulk.add(pattern, stretch, block.begin + (stretch.hits[0] >> 16) - 1, number)
                else:
                    self._record(pattern, spots, stretch, number, block)
        self._lines = number - 1 + newlines.count(counted, block.end)
        self._matched += bulk.give_to(self._storm, block, begins[1:])
        self._rows.compact(self._folding)

    def _take_proven(self, block: Block, hits: Hits, bulk: BulkLines, newlines: NewlineCounter) -> list[int]:
        """Hand over the hits that need no regex; the others, in order."""
        quick, has_others = self._matchers.split(hits)
        proven = quick >= 0
        if proven.any():
            bulk.add_proven(block, quick[proven], hits[proven] >> 16, newlines)
            hits = hits[has_others]
        return cast("list[int]", hits.tolist())

    def _record(self, pattern: int, spots: Sequence[Spot], stretch: Stretch, number: int, block: Block) -> None:
        """Add a row for each match of a pattern in a text."""
        place, rank = (number, stretch.offset, stretch.length), -1
        before = partial(block.before, stretch.begin)
        for spot in spots[:MATCHES_PER_TEXT]:
            rank = self._rows.add(pattern, stretch.text, spot, place, before, stretch.shape, stretch.wrapped).rank
            self._counts[pattern, rank] = self._counts.get((pattern, rank), 0) + 1
        if len(spots) > MATCHES_PER_TEXT:
            self._counts[pattern, rank] += len(spots) - MATCHES_PER_TEXT

    def finish(self) -> RangeScan:
        """All columns of the part."""
        raw, texts = self._storm.finish()
        blob = self._rows.blob
        tail = join(texts, raw, len(blob))
        rows = self._folding.fold(self._rows.rows)
        if len(raw):
            rows = np.concatenate((rows, raw))
            rows = rows[np.argsort(rows["line"], kind="stable")]
        for key, count in self._storm.counts.items():
            self._counts[key] = self._counts.get(key, 0) + count
        blocks = np.array(self._blocks, np.int64).reshape(-1, 2)
        return RangeScan(
            self._file, self._start, self._end, held(rows), blob + tail,
            self._rows.hosts, self._counts, self._lines, self._matched,
            blocks[:, 0].copy(), blocks[:, 1].copy(), None, self._nul, self._unfinished,
        )  # fmt: skip
