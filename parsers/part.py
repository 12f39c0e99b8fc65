"""From the hits of successive blocks to the columns of one part of a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from logtui.parsers.blocks import Block
from logtui.parsers.bulk import BulkFinder
from logtui.parsers.engine import Engine
from logtui.parsers.fold import Folding
from logtui.parsers.hits import Stretch, stretches
from logtui.parsers.matchers import RECORD, Matchers
from logtui.parsers.newlines import NewlineCounter
from logtui.parsers.range_scan import RangeScan
from logtui.parsers.rows import RowBuilder
from logtui.parsers.source import LogFile
from logtui.parsers.storm import Storm, join
from logtui.parsers.void_lines import VoidLines

MATCHES_PER_TEXT = 16
"""Records glued into one line that are kept apart; more are only counted."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What a scanner keeps between ranges. Serves one thread."""

    engine: Engine
    matchers: Matchers
    folding: Folding
    newlines: NewlineCounter
    bulk: BulkFinder
    void: VoidLines


class PartBuilder:
    """Collects one part of a file."""

    def __init__(self, file: LogFile, start: int, tools: Tools) -> None:
        self._file = file.index
        self._start = self._end = start
        self._tools = tools
        self._rows = RowBuilder(file, tools.matchers.patterns)
        self._storm = Storm(file.index, tools.folding)
        self._counts: dict[tuple[int, int], int] = {}
        self._blocks: list[tuple[int, int]] = []
        self._lines = self._matched = 0
        self._nul = self._unfinished = False

    def take(self, block: Block) -> None:
        """Add one block."""
        size = block.end - block.begin
        self._tools.newlines.renew()
        self._blocks.append((block.offset, self._lines))
        self._end = block.offset + size
        self._unfinished = not block.buffer.endswith(b"\n", block.begin, block.end)
        self._nul = self._nul or block.buffer.find(b"\0", block.begin, block.end) >= 0
        hits = self._tools.engine.scan(memoryview(block.buffer)[block.begin : block.end], size)
        kinds = self._tools.matchers.kinds(hits)
        bulk = self._tools.bulk.find(block, hits, kinds)
        if bulk.size:
            self._storm.add(block, bulk, self._lines + 1)
        some = (kinds & RECORD) != 0
        begins = self._take_records(block, self._tools.void.others(block, hits[some], kinds[some]))
        self._matched += len(np.union1d(np.array(begins, np.int64), bulk[1])) if bulk.size else len(begins)

    def _take_records(self, block: Block, hits: Sequence[int]) -> list[int]:
        """Add the rows of all patterns that do not come in bulk; where the lines that match begin."""
        matchers, newlines = self._tools.matchers, self._tools.newlines
        counted, number, begins = block.begin, self._lines + 1, [-1]
        for stretch in stretches(block, hits, matchers.anchor_lengths):
            void = True
            for pattern, matches in matchers.confirmed(stretch):
                if stretch.begin != begins[-1]:
                    number += newlines.count(counted, stretch.begin)
                    counted = stretch.begin
                    begins.append(counted)
                self._record(pattern, matches, stretch, number, block)
                void = False
            if void:
                self._tools.void.learn(stretch)
        self._lines = number - 1 + newlines.count(counted, block.end)
        return begins[1:]

    def _record(
        self, pattern: int, matches: Sequence[re.Match[str]], stretch: Stretch, number: int, block: Block
    ) -> None:
        """Add a row for each match of a pattern in a text."""
        place, rank = (number, stretch.offset, stretch.length), -1
        for match in matches[:MATCHES_PER_TEXT]:
            rank = self._rows.add(pattern, stretch.text, match, place, lambda: block.before(stretch.begin)).rank
            self._counts[pattern, rank] = self._counts.get((pattern, rank), 0) + 1
        if len(matches) > MATCHES_PER_TEXT:
            self._counts[pattern, rank] += len(matches) - MATCHES_PER_TEXT

    def finish(self) -> RangeScan:
        """All columns of the part."""
        raw, texts = self._storm.finish()
        blob = self._rows.blob
        tail = join(texts, raw, len(blob))
        rows = np.concatenate((self._tools.folding.fold(self._rows.rows), raw))
        rows = rows[np.argsort(rows["line"], kind="stable")]
        for key, count in self._storm.counts.items():
            self._counts[key] = self._counts.get(key, 0) + count
        blocks = np.array(self._blocks, np.int64).reshape(-1, 2)
        return RangeScan(
            self._file, self._start, self._end, rows, blob + tail, self._rows.hosts, self._counts, self._lines,
            self._matched, blocks[:, 0].copy(), blocks[:, 1].copy(), None, self._nul, self._unfinished,
        )  # fmt: skip
