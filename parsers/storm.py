"""Lines that come in storms: all counted, few kept, none worth a Python step of its own.

Bulk patterns end up here. Their lines are counted per rank from the first bytes of each line (see `writers`), and
folded before anybody looks into them: only the lines that survive get a time, an origin and a text, and those that
survive in a range may still be folded away with the rest of the file. So a range gives them raw, and the merge of
all ranges finishes them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from logtui.parsers.blocks import Block
from logtui.parsers.fold import Folding, writers
from logtui.parsers.hits import WINDOW, Stretch
from logtui.parsers.newlines import NewlineCounter
from logtui.parsers.record import ROW, Rows
from logtui.parsers.rows import RAW
from logtui.parsers.wrapping import Unwrapper
from logtui.parsers.writers import HEAD, read_writers

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

    def add(self, block: Block, found: Numbers) -> None:
        """Add lines of a block, one column per (pattern, line): pattern, begin and end of the line and the last byte
        of the hit as indices into the buffer, and the line's number in the range."""
        patterns, begins, ends, hits, lines = found
        rows = np.zeros(len(patterns), ROW)
        rows["file"], rows["pattern"], rows["time_from"] = self._file, patterns, RAW
        rows["line"], rows["offset"], rows["length"] = lines, begins - block.begin + block.offset, ends - begins
        for first in range(0, len(rows), BATCH):
            part = slice(first, first + BATCH)
            places = list(zip(begins[part].tolist(), ends[part].tolist(), hits[part].tolist(), strict=True))
            heads = _heads(block.buffer, self._bodies(block.buffer, begins[part], ends[part]))
            if len(rows) <= SMALL:
                self._waiting.append((rows, heads))
                self._waiting_raws += [_raw(block.buffer, *place) for place in places]
            else:
                kept = self._settle(rows[part], heads)
                self._raws += [_raw(block.buffer, *places[i]) for i in kept]
        if len(self._waiting_raws) > BATCH:
            self._settle_waiting()

    def _bodies(self, buffer: bytearray, begins: Numbers, ends: Numbers) -> Numbers:
        """Where lines begin, without what a collector put before them."""
        if self._unwrapper is None:
            return begins
        view, size = memoryview(buffer), self._unwrapper.size
        pairs = zip(begins.tolist(), ends.tolist(), strict=True)
        return begins + np.array([size(bytes(view[a : min(b, a + WINDOW)])) for a, b in pairs], np.int64)

    def _settle(self, rows: Rows, heads: npt.NDArray[np.uint8]) -> list[int]:
        """Attribute and count some lines; the indices of those that are kept."""
        rows["rank"], rows["pid"] = read_writers(heads, rows["length"].astype(np.int64))
        self._count(rows)
        mask = self._folding.kept(rows["pattern"].astype(np.int64), writers(rows["rank"], rows["pid"]))
        self._kept.append(rows if mask is None else rows[mask])
        return list(range(len(rows))) if mask is None else np.flatnonzero(mask).tolist()

    def _settle_waiting(self) -> None:
        if not self._waiting:
            return
        rows = np.concatenate([rows for rows, _ in self._waiting])
        kept = self._settle(rows, np.concatenate([heads for _, heads in self._waiting]))
        self._raws += [self._waiting_raws[i] for i in kept]
        self._waiting, self._waiting_raws = [], []

    def _count(self, rows: Rows) -> None:
        keys = rows["pattern"].astype(np.int64) << 32 | (rows["rank"].astype(np.int64) + 1)
        for key, count in zip(*(x.tolist() for x in np.unique(keys, return_counts=True)), strict=True):
            where = (key >> 32, (key & 0xFFFFFFFF) - 1)
            self.counts[where] = self.counts.get(where, 0) + count
        if len(self._raws) > COMPACT:
            self._compact()

    def _compact(self) -> None:
        rows = np.concatenate(self._kept)
        order = np.argsort(rows["offset"] << 16 | rows["pattern"], kind="stable")
        rows = rows[order]
        mask = self._folding.kept(rows["pattern"].astype(np.int64), writers(rows["rank"], rows["pid"]))
        chosen = order if mask is None else order[mask]
        self._kept, self._raws = [rows if mask is None else rows[mask]], [self._raws[i] for i in chosen.tolist()]

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

    def add(self, pattern: int, stretch: Stretch, hit: int, number: int) -> None:
        """Add a line that a regex has confirmed; once, however often it matches."""
        if (pattern, stretch.begin) not in self._added:
            self._added.add((pattern, stretch.begin))
            self._single.append((pattern, stretch.begin, stretch.end, hit, number))

    def add_proven(self, block: Block, patterns: Ints, ends: Numbers, newlines: NewlineCounter) -> None:
        """Add the lines of hits that need no confirmation."""
        hits = block.begin + ends - 1
        before, begins, stops = newlines.bounds(hits, block.begin, block.end)
        _, first = np.unique(patterns.astype(np.int64) << 32 | before, return_index=True)
        columns = (patterns, begins, stops, hits, before + self._lines_before + 1)
        self._many.append(np.stack([c[first].astype(np.int64) for c in columns]))

    def give_to(self, storm: Storm, block: Block, others: Sequence[int]) -> int:
        """Hand all lines over; how many lines of the block matched, with those where `others` begin."""
        if not self._many:
            matched = len(others)
        else:
            matched = len(np.unique(np.concatenate([np.array(others, np.int64), *(lines[1] for lines in self._many)])))
        if self._single:
            self._many.append(np.array(self._single, np.int64).T)
        if self._many:
            storm.add(block, np.concatenate(self._many, axis=1))
        return matched


def _heads(buffer: bytearray, begins: Numbers) -> npt.NDArray[np.uint8]:
    """The first bytes of lines, one after the other."""
    windows = np.ndarray((len(buffer) - HEAD + 1,), f"V{HEAD}", buffer, strides=(1,))
    return windows[begins].view(np.uint8)


def _raw(buffer: bytearray, begin: int, end: int, hit: int) -> bytes:
    """The line, or a window of it where it is long or rewritten with `\\r`."""
    if end - begin > WINDOW or buffer.find(b"\r", begin, end) >= 0:
        begin = max(buffer.rfind(b"\r", begin, hit) + 1, begin, hit - WINDOW)
        stop = buffer.find(b"\r", hit, end)
        end = min(end if stop < 0 else stop, hit + WINDOW)
    return bytes(memoryview(buffer)[begin:end])


def join(raws: Sequence[bytes], rows: Rows, at: int) -> bytes:
    """The blob of raw texts, to which the rows are pointed; the blob begins at `at` in a larger one."""
    sizes = np.fromiter(map(len, raws), np.int64, len(raws))
    rows["text"] = at + np.cumsum(sizes) - sizes
    rows["text_length"] = sizes
    return b"".join(raws)
