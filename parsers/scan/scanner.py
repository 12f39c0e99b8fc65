"""One pass over the bytes of a log: newline index, and the few lines that hold a declared anchor.

The unit of work is a byte range of one file; a range owns every line that *starts* in it. Python touches only
lines with an anchor. What comes back is columns, so that ranges can be scanned in other processes and merged, and
the merge of any ranges that cover a file gives the same table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

import numpy as np
import numpy.typing as npt

from logtui.parsers.files.lines import NewlineCounter
from logtui.parsers.prefix.wrapping import Unwrapper, unwrapper
from logtui.parsers.prefix.writers import HEAD, read_writers
from logtui.parsers.records.columns import AnyRows, held
from logtui.parsers.records.record import ROW, Rows, chosen, end_to_end
from logtui.parsers.records.shapes import Found, Shapes, Spot
from logtui.parsers.registry import Registry
from logtui.parsers.scan.blocks import BlockReader, TextBlock
from logtui.parsers.scan.dense import DenseBlock
from logtui.parsers.scan.engine import Engine, Hits
from logtui.parsers.scan.kinds import Kinds, KindSearch
from logtui.parsers.scan.layouts import Layouts
from logtui.parsers.scan.matching import WINDOW, HitText, Matchers, hit_texts
from logtui.parsers.scan.rows import MATCHES_PER_TEXT, RAW, Before, Folding, RowBuilder, untimed, writers
from logtui.parsers.scan.texts import Texts, edges_of
from logtui.parsers.source import LogFile

# -- Storms: all lines counted, few kept, none worth a Python step of its own
#
# Bulk patterns end up here. Their lines are counted per rank from the first bytes of each line (see `writers`), and
# folded before anybody looks into them: only the lines that survive get a time, an origin and a text, and those that
# survive in a range may still be folded away with the rest of the file. So a range gives them raw, and the merge of
# all ranges finishes them.

SMALL = 64
"""Lines of one block that are put by until enough have come together to be worth numpy's while."""
BATCH = 2048
"""Lines whose writers are read at a time; their heads fit the cache."""
COMPACT = 1 << 14
"""Lines kept before they are folded once more."""

Numbers = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]


class Storm:
    """The lines of bulk patterns in one range of one file."""

    def __init__(self, file: int, folding: Folding, unwrapper: Unwrapper | None = None) -> None:
        self._file = file
        self._unwrapper = unwrapper
        self._folding = folding
        self._waiting: list[tuple[Rows, npt.NDArray[np.uint8]]] = []
        self._waiting_raws: list[bytes] = []
        self._kept: list[Rows] = []
        self._raws: list[bytes] = []
        self.counts: dict[tuple[int, int], int] = {}
        """(pattern index, rank or -1) → lines."""

    def add(self, block: TextBlock, found: Numbers) -> None:
        """Add lines of a block, one column per (pattern, line): pattern, begin and end of the line and the last byte
        of the hit as indices into the buffer, and the line's number in the range."""
        patterns, begins, ends, _, lines = found
        rows = np.zeros(len(patterns), ROW)
        rows["file"], rows["pattern"], rows["time_from"] = self._file, patterns, RAW
        rows["line"], rows["offset"], rows["length"] = lines, begins - block.begin + block.offset, ends - begins
        for first in range(0, len(rows), BATCH):
            part = slice(first, first + BATCH)
            heads = _heads(block.buffer, self._bodies(block.buffer, begins[part], ends[part]))
            if len(rows) <= SMALL:
                self._waiting.append((rows, heads))
                self._waiting_raws += _raws(block, found[1:4])
            else:
                self._raws += _raws(block, found[1:4, part][:, self._settle(rows[part], heads)])
        if len(self._waiting_raws) > BATCH:
            self._settle_waiting()

    def _bodies(self, buffer: bytearray, begins: Numbers, ends: Numbers) -> Numbers:
        """Where lines begin, without what a collector put before them."""
        if self._unwrapper is None:
            return begins
        view, size = memoryview(buffer), self._unwrapper.size
        pairs = zip(begins.tolist(), ends.tolist(), strict=True)
        return begins + np.array([size(bytes(view[a : min(b, a + WINDOW)])) for a, b in pairs], np.int64)

    def _settle(self, rows: Rows, heads: npt.NDArray[np.uint8]) -> Numbers:
        """Attribute and count some lines; the indices of those that are kept."""
        rows["rank"], rows["pid"] = read_writers(heads, rows["length"].astype(np.int64))
        self._count(rows)
        mask = self._folding.kept(rows["pattern"].astype(np.int64), writers(rows["rank"], rows["pid"]))
        self._kept.append(rows if mask is None else chosen(rows, mask))
        return np.arange(len(rows)) if mask is None else np.flatnonzero(mask)

    def _settle_waiting(self) -> None:
        if not self._waiting:
            return
        rows = end_to_end([rows for rows, _ in self._waiting])
        kept = self._settle(rows, np.concatenate([heads for _, heads in self._waiting]))
        self._raws += [self._waiting_raws[i] for i in kept.tolist()]
        self._waiting, self._waiting_raws = [], []

    def _count(self, rows: Rows) -> None:
        keys = rows["pattern"].astype(np.int64) << 32 | (rows["rank"].astype(np.int64) + 1)
        for key, count in zip(*(x.tolist() for x in np.unique(keys, return_counts=True)), strict=True):
            where = (key >> 32, (key & 0xFFFFFFFF) - 1)
            self.counts[where] = self.counts.get(where, 0) + count
        if len(self._raws) > COMPACT:
            self._compact()

    def _compact(self) -> None:
        rows = end_to_end(self._kept)
        order = np.argsort(rows["offset"] << 16 | rows["pattern"], kind="stable")
        rows = chosen(rows, order)
        mask = self._folding.kept(rows["pattern"].astype(np.int64), writers(rows["rank"], rows["pid"]))
        which = order if mask is None else order[mask]
        self._kept, self._raws = [rows if mask is None else chosen(rows, mask)], [self._raws[i] for i in which.tolist()]

    def finish(self) -> tuple[Rows, list[bytes]]:
        """Rows still raw, in the order of the file, and the bytes of each."""
        self._settle_waiting()
        if not self._kept:
            return np.empty(0, ROW), []
        self._compact()
        return self._kept[0], self._raws


class BulkLines:
    """The lines of bulk patterns in one block, until all are found."""

    def __init__(self, lines_before: int) -> None:
        self._lines_before = lines_before
        self._single: list[tuple[int, int, int, int, int]] = []
        self._added: set[tuple[int, int]] = set()
        self._many: list[npt.NDArray[np.int64]] = []
        self._mixed = False
        """A pattern's lines were added in parts: some may have come twice, and not in order."""

    def add(self, pattern: int, hit_text: HitText, hit: int, number: int) -> None:
        """Add a line that a regex has confirmed; once, however often it matches."""
        if (pattern, hit_text.begin) not in self._added:
            self._added.add((pattern, hit_text.begin))
            self._single.append((pattern, hit_text.begin, hit_text.end, hit, number))

    def add_proven(self, block: TextBlock, patterns: Ints, ends: Numbers, newlines: NewlineCounter) -> None:
        """Add the lines of hits that need no confirmation."""
        hits = block.begin + ends - 1
        if len(hits) <= FEW:
            before, begins, stops = newlines.bounds_of_few(hits.tolist(), block.begin, block.end)
        else:
            before, edges = np.searchsorted(block.newlines, hits), edges_of(block, block.newlines)
            begins, stops = edges[before] + 1, edges[before + 1]
        first = _first_of_each(patterns, before)
        columns = (patterns, begins, stops, hits, before + self._lines_before + 1)
        self._many.append(np.stack([c[first].astype(np.int64) for c in columns]))

    def add_many(self, pattern: int, block: TextBlock, texts: Texts) -> None:
        """Add the lines of texts that all match a pattern."""
        hits = block.begin + (texts.hits[texts.first] >> 16) - 1
        patterns = np.full(len(hits), pattern, np.int64)
        columns = (patterns, texts.line_begin, texts.line_end, hits, texts.line)
        self._many.append(np.stack(columns))
        self._mixed = True

    def give_to(self, storm: Storm, block: TextBlock, others: Numbers) -> int:
        """Hand all lines over; how many lines of the block matched, with those where `others` begin."""
        if not self._many:
            matched = len(others)
        else:
            begins = np.sort(np.concatenate([others, *(lines[1] for lines in self._many)]))
            matched = int(np.count_nonzero(np.diff(begins, prepend=-1)))
        if self._single:
            self._many.append(np.array(self._single, np.int64).T)
        if self._many:
            found = np.concatenate(self._many, axis=1)
            storm.add(block, _once(found) if self._mixed else found)
        return matched


def _once(found: Numbers) -> Numbers:
    """Each line of a pattern once, with its first hit, in the order of the block."""
    found = found[:, np.argsort(found[3], kind="stable")]
    return found[:, np.sort(_first_of_each(found[0], found[1]))]


def _first_of_each(patterns: npt.NDArray[np.integer], lines: Numbers) -> Numbers:
    """The first of each pattern and line, by these; lines ascend."""
    order = np.argsort(patterns.astype(np.uint16), kind="stable")  # numbers of two bytes are sorted in linear time
    patterns, lines = patterns[order], lines[order]
    is_new = np.ones(len(order), np.bool_)
    is_new[1:] = (patterns[1:] != patterns[:-1]) | (lines[1:] != lines[:-1])
    return order[is_new]


def _heads(buffer: bytearray, begins: Numbers) -> npt.NDArray[np.uint8]:
    """The first bytes of lines, one after the other."""
    windows = np.ndarray((len(buffer) - HEAD + 1,), f"V{HEAD}", buffer, strides=(1,))
    return windows[begins].view(np.uint8)


def _raws(block: TextBlock, places: Numbers) -> list[bytes]:
    """The bytes of some lines, by a row each of begins, ends and last bytes of hits."""
    begins, ends, hits = (row.tolist() for row in places)
    if (places[1] - places[0] <= WINDOW).all() and block.buffer.find(b"\r", block.begin, block.end) < 0:
        view = memoryview(block.buffer)
        return [bytes(view[begin:end]) for begin, end in zip(begins, ends, strict=True)]
    return [_raw(block.buffer, *place) for place in zip(begins, ends, hits, strict=True)]


def _raw(buffer: bytearray, begin: int, end: int, hit: int) -> bytes:
    """The line, or a window of it where it is long or rewritten with `\\r`."""
    if end - begin > WINDOW or buffer.find(b"\r", begin, end) >= 0:
        begin = max(buffer.rfind(b"\r", begin, hit) + 1, begin, hit - WINDOW)
        stop = buffer.find(b"\r", hit, end)
        end = min(end if stop < 0 else stop, hit + WINDOW)
    return bytes(memoryview(buffer)[begin:end])


def _lay_texts(raws: Sequence[bytes], rows: Rows, at: int) -> bytes:
    """The blob of raw texts, to which the rows are pointed; the blob begins at `at` in a larger one."""
    sizes = np.fromiter(map(len, raws), np.int64, len(raws))
    rows["text"] = at + np.cumsum(sizes) - sizes
    rows["text_length"] = sizes
    return b"".join(raws)


# -- Ranges

_CLOCK = re.compile(rb":\d\d:")
"""What every time of day holds."""
FEW = 32
"""Hits up to which single searches are faster than finding every newline."""
MANY_HITS = 64
"""Hits of a block from which on it is worth asking what holds for all."""
DENSE = 1 << 12
"""Bytes of a block for each hit, at most, where there are so many that its lines are worth looking at together."""


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
        self._search = KindSearch(engine, known.anchors)
        self._matchers = Matchers(known)
        self._folding = Folding(known.patterns)
        self._reader = BlockReader()
        self._newlines = NewlineCounter(self._reader.buffer)
        self._shapes = Shapes()
        self._layouts = Layouts(self._matchers, self._shapes)

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
                parts.append(_Part(file, block.offset, self._matchers, self._folding, self._shapes, self._layouts))
            parts[-1].take(block, self._search, self._newlines)
            if cancelled():
                break
        scans = [part.finish() for part in parts] or [_nothing(file.index, start)]
        scans[0] = replace(scans[0], start=start)
        scans[-1] = replace(scans[-1], damage=self._reader.damage)
        return scans


def _begins_part(block: TextBlock) -> bool:
    """Whether the block is a line that may never end: too long for a block, or the last of the file."""
    return not block.continued and not block.buffer.endswith(b"\n", block.begin, block.end)


def _nothing(file: int, start: int) -> RangeScan:
    """The scan of a range in which no line starts."""
    none = np.empty(0, np.int64)
    return RangeScan(file, start, start, np.empty(0, ROW), b"", [], {}, 0, 0, none, none)


class _Part:
    """Turns the hits of successive blocks into rows."""

    def __init__(
        self, file: LogFile, start: int, matchers: Matchers, folding: Folding, shapes: Shapes, layouts: Layouts
    ) -> None:
        self._file = file.index
        self._start = self._end = start
        self._matchers = matchers
        self._folding = folding
        self._shapes = shapes
        self._rows = RowBuilder(file, matchers.numeric, shapes)
        self._layouts = layouts
        self._unwrapper = unwrapper(file.wrapping)
        self._storm = Storm(file.index, folding, self._unwrapper)
        self._counts: dict[tuple[int, int], int] = {}
        self._blocks: list[tuple[int, int]] = []
        self._lines = self._matched = 0
        self._nul = self._unfinished = False

    def take(self, block: TextBlock, search: KindSearch, newlines: NewlineCounter) -> None:
        """Add one block."""
        size = block.end - block.begin
        self._blocks.append((block.offset, self._lines))
        self._end = block.offset + size
        self._unfinished = not block.buffer.endswith(b"\n", block.begin, block.end)
        self._nul = self._nul or block.buffer.find(b"\0", block.begin, block.end) >= 0
        hits, kinds = search.scan(block)
        bulk = BulkLines(self._lines)
        others = self._take_proven(block, hits, bulk, newlines)
        is_dense = len(others) >= MANY_HITS and len(others) * DENSE >= size
        if is_dense and not block.piece and not self._unwrapper:
            begins = self._take_dense(block, others, kinds, bulk)
        else:
            begins = self._take_lines(block, others, bulk, newlines)
        self._matched += bulk.give_to(self._storm, block, begins)
        self._rows.compact(self._folding)

    def _take_proven(self, block: TextBlock, hits: Hits, bulk: BulkLines, newlines: NewlineCounter) -> Hits:
        """Hand over the hits that need no regex; the others, in order."""
        quick, has_others = self._matchers.split(hits)
        proven = quick >= 0
        if proven.any():
            bulk.add_proven(block, quick[proven], hits[proven] >> 16, newlines)
            hits = hits[has_others]
        return hits

    def _take_lines(self, block: TextBlock, hits: Hits, bulk: BulkLines, newlines: NewlineCounter) -> Numbers:
        """Add what stands round some hits, text by text; where lines begin that match."""
        counted, number, begins = block.begin, self._lines + 1, [-1]
        has_clocks = len(hits) < MANY_HITS or _CLOCK.search(block.buffer, block.context, block.end) is not None
        some = cast("list[int]", hits.tolist())
        for hit_text in hit_texts(block, some, self._matchers.anchor_lengths, self._shapes, self._unwrapper):
            if found := self._matchers.confirmed(hit_text):
                if hit_text.begin != begins[-1]:
                    number += newlines.count(counted, hit_text.begin)
                    counted = hit_text.begin
                    begins.append(counted)
                place = hit_text.offset, block, hit_text.begin
                before = partial(self._rows.time_before, *place) if has_clocks else untimed
                self._take_found(block, hit_text, found, number, before, bulk)
        self._lines = number - 1 + newlines.count(counted, block.end)
        return np.array(begins[1:], np.int64)

    def _take_dense(self, block: TextBlock, hits: Hits, kinds: Kinds | None, bulk: BulkLines) -> Numbers:
        """Add what stands round many hits, lines alike as columns; where lines begin that match."""
        mark = self._rows.mark
        self._layouts.begin_block(self._rows.clock)
        dense = DenseBlock(block, hits, kinds, self._lines, self._matchers, self._shapes, self._layouts, self._rows)
        taken, keys = dense.take(), list[int]()
        for hit_text, number in dense.others():
            if found := self._matchers.confirmed(hit_text):
                dense.match()
                keys += [hit_text.hits[0]] * self._take_found(block, hit_text, found, number, untimed, bulk)
        for woven in taken.woven:
            for key, count in woven.counts.items():
                self._counts[key] = self._counts.get(key, 0) + count
        if taken.woven:
            self._rows.weave(mark, keys, taken.woven)
        dense.give_times(mark)
        self._lines += dense.lines
        for pattern, some in taken.bulk:
            bulk.add_many(pattern, block, dense.texts.of(some))
        return dense.matched

    def _take_found(
        self, block: TextBlock, hit_text: HitText, found: Found, number: int, before: Before, bulk: BulkLines
    ) -> int:
        """Add all that matches a text; how many rows that gives."""
        rows = 0
        for pattern, spots in found:
            if self._matchers.bulk[pattern]:
                bulk.add(pattern, hit_text, block.begin + (hit_text.hits[0] >> 16) - 1, number)
            else:
                self._record(pattern, spots, hit_text, number, before)
                rows += min(len(spots), MATCHES_PER_TEXT)
        return rows

    def _record(self, pattern: int, spots: Sequence[Spot], hit_text: HitText, number: int, before: Before) -> None:
        """Add a row for each match of a pattern in a text; `before` gives the time of a line without."""
        place, rank = (number, hit_text.offset, hit_text.length), -1
        for spot in spots[:MATCHES_PER_TEXT]:
            rank = self._rows.add(pattern, hit_text.text, spot, place, before, hit_text.shape, hit_text.wrapped).rank
            self._counts[pattern, rank] = self._counts.get((pattern, rank), 0) + 1
        if len(spots) > MATCHES_PER_TEXT:
            self._counts[pattern, rank] += len(spots) - MATCHES_PER_TEXT

    def finish(self) -> RangeScan:
        """All columns of the part."""
        raw, texts = self._storm.finish()
        blob = self._rows.blob
        tail = _lay_texts(texts, raw, len(blob))
        rows = self._folding.fold(self._rows.rows)
        if len(raw):
            rows = end_to_end((rows, raw))
            rows = chosen(rows, np.argsort(rows["line"], kind="stable"))
        for key, count in self._storm.counts.items():
            self._counts[key] = self._counts.get(key, 0) + count
        blocks = np.array(self._blocks, np.int64).reshape(-1, 2)
        return RangeScan(
            self._file, self._start, self._end, held(rows), blob + tail,
            self._rows.hosts, self._counts, self._lines, self._matched,
            blocks[:, 0].copy(), blocks[:, 1].copy(), None, self._nul, self._unfinished,
        )  # fmt: skip
