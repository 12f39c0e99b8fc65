"""One pass over the bytes of a log: newline index, and the few lines that hold a declared anchor.

The unit of work is a byte range of one file; a range owns every line that *starts* in it. Python touches only
lines with an anchor. What comes back is columns, so that ranges can be scanned in other processes and merged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt

from logtui.parsers.clean import clean
from logtui.parsers.engine import Engine
from logtui.parsers.origin import read_origin
from logtui.parsers.pattern import Pattern
from logtui.parsers.reading import BLOCK, PlainSource, open_stream
from logtui.parsers.record import ROW, Rows
from logtui.parsers.registry import Registry
from logtui.parsers.source import Compression, LogFile
from logtui.parsers.stamp import TimeFrom, find_stamp

WINDOW = 4096
"""Bytes around a hit that are looked at when a line is longer than that."""
TEXT_CAP = 2000
"""Bytes of the matched line that are kept."""
MATCHES_PER_LINE = 16
"""Records glued into one line that are told apart."""
KEEP_FIRST, KEEP_LAST = 192, 64
BULK_FIRST, BULK_LAST = 8, 8
CARRY_CAP = 8 * BLOCK
"""A line longer than this is scanned in pieces."""

NAN = float("nan")


@dataclass
class RangeScan:
    """What one range of one file holds."""

    file: int
    start: int
    end: int
    """Where the next scan of a growing file would begin: the start of its unfinished last line."""
    rows: Rows
    blob: bytes
    hosts: list[str]
    counts: dict[tuple[int, int], int]
    """(pattern index, rank or -1) → exact number of matches."""
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
    """The range ends without a newline: the file is being written, or was cut."""


@dataclass
class _Kept:
    """Rows kept for one (pattern, rank or process): the first few, and a ring of the last few."""

    first: int = 0
    ring: list[int] = field(default_factory=list)


class RangeScanner:
    """Scans ranges with one engine; keeps its buffers between ranges."""

    def __init__(self, engine: Engine, registry: Registry) -> None:
        self._engine = engine
        self._registry = registry

    def scan(
        self,
        file: LogFile,
        start: int = 0,
        stop: int | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> RangeScan:
        """Scan the lines that start in [start, stop) of a file; `stop` None means to its end.

        A file that shrinks, or is damaged, gives what could be read, and `damage` says why it ends.

        Raises:
            PathUnreadable: if the file cannot be opened.
        """
        collector = _Collector(file, start, self._registry)
        blocks = _plain_blocks(file, start, stop) if file.compression is Compression.NONE else _packed_blocks(file, collector)
        for offset, block in blocks:
            collector.take(offset, block, self._engine)
            if cancelled():
                break
        return collector.finish()


def _plain_blocks(file: LogFile, start: int, stop: int | None) -> Iterator[tuple[int, bytes]]:
    source = PlainSource(file.path)
    try:
        yield from _aligned(source, start, source.size() if stop is None else stop)
    finally:
        source.close()


def _aligned(source: PlainSource, start: int, stop: int) -> Iterator[tuple[int, bytes]]:
    """Blocks that end at a newline, the last one past `stop` if its line began before it."""
    at, carry = _first_line_start(source, start), b""
    while at < stop:
        fresh = source.read_at(at + len(carry), BLOCK)
        data = carry + fresh
        cut = _cut(data, at, stop, ended=not fresh)
        if not cut and fresh:
            carry = data
            continue
        if not cut:
            return
        yield at, data[:cut]
        at, carry = at + cut, data[cut:]


def _cut(data: bytes, at: int, stop: int, ended: bool) -> int:
    """How much of `data`, which begins at byte `at`, is whole lines that this range owns."""
    if at + len(data) >= stop:
        after = data.find(b"\n", max(0, stop - at - 1))
        if after >= 0:
            return after + 1
    elif (last := data.rfind(b"\n")) >= 0:
        return last + 1
    return len(data) if ended or len(data) >= CARRY_CAP else 0


def _first_line_start(source: PlainSource, start: int) -> int:
    """The first byte at or after `start` that begins a line."""
    if start == 0:
        return 0
    at = start - 1
    while block := source.read_at(at, BLOCK):
        newline = block.find(b"\n")
        if newline >= 0:
            return at + newline + 1
        at += len(block)
    return at


def _packed_blocks(file: LogFile, collector: _Collector) -> Iterator[tuple[int, bytes]]:
    stream = open_stream(file)
    try:
        at, carry = 0, b""
        while fresh := stream.read(BLOCK):
            data = carry + fresh
            cut = data.rfind(b"\n") + 1 or (len(data) if len(data) >= CARRY_CAP else 0)
            if cut:
                yield at, data[:cut]
            at, carry = at + cut, data[cut:]
        if carry:
            yield at, carry
        collector.damage = stream.damage
    finally:
        stream.close()


class _Collector:
    """Turns the hits of successive blocks into rows."""

    def __init__(self, file: LogFile, start: int, registry: Registry) -> None:
        self._file = file
        self._start = self._end = start
        self._registry = registry
        self._year = datetime.fromtimestamp(file.mtime, UTC).year
        self._day0 = file.mtime - file.mtime % 86400
        self._rows: list[tuple[object, ...]] = []
        self._texts: list[bytes] = []
        self._text_size = 0
        self._hosts: dict[str, int] = {}
        self._kept: dict[tuple[int, int], _Kept] = {}
        self._dropped: set[int] = set()
        self._counts: dict[tuple[int, int], int] = {}
        self._blocks: list[tuple[int, int]] = []
        self._lines = self._matched = 0
        self._nul = self._unfinished = False
        self._last_time = NAN
        self.damage: str | None = None

    def take(self, offset: int, block: bytes, engine: Engine) -> None:
        """Add one block of whole lines that begins at `offset`."""
        self._blocks.append((offset, self._lines))
        self._end = offset + len(block)
        view = np.frombuffer(block, np.uint8)
        self._nul = self._nul or b"\0" in block
        at, line = 0, self._lines
        hits = engine.scan(block, len(block)).tolist()
        i = 0
        while i < len(hits):
            hit = (hits[i] >> 16) - 1
            begin = block.rfind(b"\n", 0, hit) + 1
            end = block.find(b"\n", hit)
            end = len(block) if end < 0 else end
            found = {}
            while i < len(hits) and (hits[i] >> 16) <= end:
                for pattern in self._registry.users[hits[i] & 0xFFFF]:
                    found.setdefault(pattern, (hits[i] >> 16) - 1 - begin)
                i += 1
            line += _newlines(view, block, at, begin)
            at = begin
            if self._line(block, begin, end, found, offset, line + 1):
                self._matched += 1
        self._lines = line + _newlines(view, block, at, len(block))
        self._unfinished = not block.endswith(b"\n")

    def _line(self, block: bytes, begin: int, end: int, found: dict[int, int], offset: int, line: int) -> bool:
        matched = False
        cuts: dict[int, str] = {}
        for pattern_id, hit in found.items():
            key = hit // WINDOW if end - begin > WINDOW else -1
            if key not in cuts:
                cuts[key] = _text_around(block, begin, end, hit)
            text = cuts[key]
            pattern = self._registry.patterns[pattern_id]
            for n, m in enumerate(pattern.compiled.finditer(text)):
                if n == MATCHES_PER_LINE:
                    break
                self._match(pattern_id, pattern, text, m, (offset + begin, end - begin, line))
                matched = True
        return matched

    def _match(
        self,
        pattern_id: int,
        pattern: Pattern,
        text: str,
        m: re.Match[str],
        place: tuple[int, int, int],
    ) -> None:
        offset, length, line = place
        hit = m.start()
        origin = read_origin(text, hit)
        key = (pattern_id, origin.rank)
        self._counts[key] = self._counts.get(key, 0) + 1
        # NCCL's lines name host:pid, not the rank: a merged file must keep those of every process.
        writer = origin.rank if origin.rank >= 0 or origin.pid < 0 else -2 - origin.pid
        if pattern.numeric is None and not self._keep(pattern, (pattern_id, writer)):
            return
        stamp = find_stamp(text, hit, self._year, self._day0)
        time, time_from = (stamp.epoch, stamp.source) if stamp else (self._last_time, TimeFrom.NEIGHBOUR)
        if stamp:
            self._last_time = stamp.epoch
        elif time != time:
            time_from = TimeFrom.NONE
        a, b, kept, at = NAN, NAN, b"", -1
        if pattern.numeric is not None:
            a, b = (_number(m.groupdict().get(g)) for g in pattern.numeric)
        else:
            kept = _kept_text(text, hit)
            at = self._text_size
            self._texts.append(kept)
            self._text_size += len(kept)
        self._rows.append((
            self._file.index, pattern_id, int(origin.rank_from), int(time_from), line, offset, length,
            origin.rank, origin.local_rank, origin.task, origin.pid,
            self._hosts.setdefault(origin.host, len(self._hosts)) if origin.host else -1,
            time, at, len(kept), a, b,
        ))  # fmt: skip

    def _keep(self, pattern: Pattern, key: tuple[int, int]) -> bool:
        """Whether this match becomes a row; may drop an earlier one of the same (pattern, writer) for it."""
        first, last = (BULK_FIRST, BULK_LAST) if pattern.bulk else (KEEP_FIRST, KEEP_LAST)
        kept = self._kept.setdefault(key, _Kept())
        if kept.first < first:
            kept.first += 1
            return True
        kept.ring.append(len(self._rows))
        if len(kept.ring) > last:
            self._dropped.add(kept.ring.pop(0))
        return True

    def finish(self) -> RangeScan:
        """All columns of the range."""
        rows = np.array(self._rows, ROW) if self._rows else np.empty(0, ROW)
        if self._dropped:
            rows = np.delete(rows, sorted(self._dropped))
        blocks = np.array(self._blocks, np.int64).reshape(-1, 2)
        return RangeScan(
            self._file.index, self._start, self._end, rows, b"".join(self._texts), list(self._hosts), self._counts,
            self._lines, self._matched, blocks[:, 0].copy(), blocks[:, 1].copy(), self.damage, self._nul, self._unfinished,
        )  # fmt: skip


def _newlines(view: npt.NDArray[np.uint8], block: bytes, start: int, end: int) -> int:
    if end - start < 4096:
        return block.count(b"\n", start, end)
    return int(np.count_nonzero(view[start:end] == 10))


def _text_around(block: bytes, begin: int, end: int, hit: int) -> str:
    """The cleaned text of a line around a hit: its `\\r` segment, at most a window of it."""
    at = begin + hit
    begin = max(block.rfind(b"\r", begin, at) + 1, begin, at - WINDOW)
    stop = block.find(b"\r", at, end)
    return clean(block[begin : min(stop if stop >= 0 else end, at + WINDOW)])


def _kept_text(text: str, hit: int) -> bytes:
    start = 0 if hit < TEXT_CAP // 2 else hit - TEXT_CAP // 2
    return text[start : start + TEXT_CAP].encode()


def _number(text: str | None) -> float:
    try:
        return float(text.replace(",", "")) if text else NAN
    except ValueError:
        return NAN
