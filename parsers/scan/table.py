"""The record table of a case, from the parts of all its files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from logtui.parsers.clean import clean
from logtui.parsers.files.case import FileIndex
from logtui.parsers.files.lines import UNCOUNTED
from logtui.parsers.prefix.stamp import HEIR, TimeFrom
from logtui.parsers.prefix.wrapping import unwrapper
from logtui.parsers.records.columns import MANY, AnyRows, NarrowRows, fill, held, joined, narrowed, put, wide
from logtui.parsers.records.record import OPAQUE, ROW, Count, RecordTable, Rows, chosen, end_to_end
from logtui.parsers.records.shapes import Shapes
from logtui.parsers.registry import Registry
from logtui.parsers.scan.matching import Matchers
from logtui.parsers.scan.memory import HeapTrimmer
from logtui.parsers.scan.rows import RAW, Folding, RowBuilder, untimed
from logtui.parsers.scan.scanner import RangeScan
from logtui.parsers.scan.settling import settle
from logtui.parsers.source import LogFile, Unread

# -- Parts of a file joined, numbered, folded, finished


def runs(parts: Sequence[RangeScan]) -> Iterator[list[RangeScan]]:
    """Parts of one file, in the order of the file, cut where something between them is not scanned yet."""
    run: list[RangeScan] = []
    covered = 0
    for part in sorted(parts, key=lambda p: (p.start, p.end)):
        if run and part.start > covered:
            yield run
            run = []
        run.append(part)
        covered = max(covered, part.end)
    if run:
        yield run


def join(parts: Sequence[RangeScan], folding: Folding, out: Rows | None = None, release: bool = False) -> RangeScan:
    """One part in place of some that follow each other without a gap, folded as if it had been scanned at once.

    Its rows are written to the beginning of `out`, if that is given and large enough for those of all parts. With
    `release` each part gives up its own as soon as they stand there: those of ten million lines never exist twice.
    """
    if out is None:
        out = np.empty(sum(len(p.rows) for p in parts), ROW)
    hosts: dict[str, int] = {}
    counts = dict(parts[0].counts)
    used, lines, size, trimmer = 0, [0], 0, HeapTrimmer()
    for part in parts:
        _lay(part, out[used : used + len(part.rows)], lines[-1], size, hosts)
        used += len(part.rows)
        if release:
            trimmer.freed(part.rows.nbytes)
            part.rows = np.empty(0, ROW)
        lines.append(lines[-1] + part.lines)
        size += len(part.blob)
    for part in parts[1:]:
        for key, count in part.counts.items():
            counts[key] = counts.get(key, 0) + count
    rows = _folded(out[:used], folding) if len(parts) > 1 else out[:used]  # a part is folded already
    rows, blob = without_unused(rows, b"".join(p.blob for p in parts))
    return RangeScan(
        parts[0].file, parts[0].start, max(p.end for p in parts), rows, blob, list(hosts), counts, lines[-1],
        sum(p.matched_lines for p in parts),
        np.concatenate([p.block_offsets for p in parts]),
        np.concatenate([p.block_lines + n for p, n in zip(parts, lines, strict=False)]),
        next((p.damage for p in parts if p.damage), None), any(p.nul_bytes for p in parts),
        max(parts, key=lambda p: p.end).unfinished,
    )  # fmt: skip


def apart(parts: Sequence[RangeScan], folding: Folding, release: bool = False) -> Iterator[RangeScan]:
    """The parts that `join` makes one of, each with those of its rows that are kept, as an array of their own.

    With `release` each gives up its rows and texts before the next one.
    """
    trimmer = HeapTrimmer()
    for part, mask in zip(parts, folding.kept_of([p.rows for p in parts]), strict=True):
        rows, blob = without_unused(_copied(part.rows) if mask is None else chosen(part.rows, mask), part.blob)
        yield replace(part, rows=rows, blob=blob)
        if release:
            trimmer.freed(part.rows.nbytes)
            part.rows, part.blob = np.empty(0, ROW), b""


def _copied(rows: AnyRows) -> AnyRows:
    return rows.copy() if isinstance(rows, NarrowRows) else end_to_end([rows])


def join_narrowly(parts: Sequence[RangeScan], folding: Folding) -> RangeScan:
    """What `join` gives, without its rows ever standing side by side at full width. Uses the parts up."""
    whole = join([replace(part, rows=part.rows[:0], blob=b"") for part in parts], folding)
    hosts: dict[str, int] = {}
    pieces, blobs, lines, size = [], [], 0, 0
    for part in apart(parts, folding, release=True):
        _number(part.rows, part, lines, size, hosts)
        pieces.append(part.rows if isinstance(part.rows, NarrowRows) else narrowed(part.rows))
        blobs.append(part.blob)
        lines += part.lines
        size += len(part.blob)
    return replace(whole, rows=joined(pieces, ROW), blob=b"".join(blobs))


def fold_early(parts: Sequence[RangeScan], folding: Folding) -> int:
    """Drop those rows of some parts of a file that will be dropped when all are there; how many are left.

    A line with so many like it before it and after it among some parts has them in the whole file, too.
    """
    parts = sorted(parts, key=lambda p: (p.start, p.end))
    for part, mask in zip(parts, folding.kept_of([p.rows for p in parts]), strict=True):
        if mask is not None:
            rows, part.blob = without_unused(chosen(part.rows, mask), part.blob)
            part.rows = held(wide(rows))
    return sum(len(p.rows) for p in parts)


def _lay(part: RangeScan, out: Rows, lines: int, text_at: int, hosts: dict[str, int]) -> None:
    """Copy a part's rows, numbered as after what comes before it."""
    out.view(OPAQUE)[:] = wide(part.rows).view(OPAQUE)
    _number(out, part, lines, text_at, hosts)


def _number(rows: AnyRows, part: RangeScan, lines: int, text_at: int, hosts: dict[str, int]) -> None:
    """Let a part's rows count lines, texts and hosts as after what comes before it."""
    _count_lines(rows, lines)
    move_texts(rows, text_at)
    renumber_hosts(rows, part.hosts, hosts)


def _count_lines(rows: AnyRows, before: int) -> None:
    if before:
        fill(rows, "line", rows["line"] + before)


def _folded(rows: Rows, folding: Folding) -> Rows:
    kept = folding.fold(rows)
    if len(kept) < len(rows):
        rows[: len(kept)] = kept
    return rows[: len(kept)]


def move_texts(rows: AnyRows, by: int) -> None:
    """Let rows point to texts that have moved in their blob."""
    texts = rows["text"]
    if by and (held := texts >= 0).any():
        fill(rows, "text", np.where(held, texts + by, texts))


def renumber_hosts(rows: AnyRows, names: Sequence[str], known: dict[str, int]) -> None:
    """Number the hosts of some rows as in a larger list, which is added to."""
    if names:
        numbers = np.array([*(known.setdefault(name, len(known)) for name in names), -1], np.int32)
        fill(rows, "host", numbers[rows["host"]])


AnyOfThem = TypeVar("AnyOfThem", Rows, AnyRows)


def without_unused(rows: AnyOfThem, blob: bytes) -> tuple[AnyOfThem, bytes]:
    """The rows with a blob of their texts alone, if folding has left many without a row."""
    held = rows["text"] >= 0
    if 2 * int(rows["text_length"][held].sum(dtype=np.int64)) >= len(blob):
        return rows, blob
    starts, sizes = rows["text"][held], rows["text_length"][held].astype(np.int64)
    texts = [blob[a : a + n] for a, n in zip(starts.tolist(), sizes.tolist(), strict=True)]
    put(rows, "text", held, np.cumsum(sizes) - sizes)
    return rows, b"".join(texts)


Before = tuple[float, int] | None
"""The last time before a part, and where it came from."""


def finish(
    scan: RangeScan, file: LogFile, matchers: Matchers, shapes: Shapes, lines: int, before: Before = None
) -> RangeScan:
    """Finish all rows of a part in place: raw ones are read, times taken from neighbours where a line has none, and
    lines numbered after those that stand before it. `before` is the last time before the part."""
    raw = scan.rows["time_from"] == RAW
    if raw.any():
        scan = _read_raw(scan, np.flatnonzero(raw).tolist(), file, matchers, shapes)
    _take_neighbours_times(scan.rows, before)
    _count_lines(scan.rows, lines)
    return scan


def lines_before(run: RangeScan) -> int:
    """What is added to a run's own line numbers.

    If something before it is not scanned yet, its lines have no numbers of the file: they are numbered above
    `UNCOUNTED` plus the run's first byte.
    """
    return UNCOUNTED + first_byte(run) if run.start > 0 else 0


def first_byte(scan: RangeScan) -> int:
    """Where the first line of a part begins."""
    return int(scan.block_offsets[0]) if len(scan.block_offsets) else scan.start


def _read_raw(scan: RangeScan, numbers: Sequence[int], file: LogFile, matchers: Matchers, shapes: Shapes) -> RangeScan:
    """Give the raw rows what any other row has; one that does not match after all is left out."""
    builder, rows, wrapping = RowBuilder(file, matchers.numeric), wide(scan.rows), unwrapper(file.wrapping)
    keep = np.ones(len(rows), np.bool_)
    columns = [rows[name][numbers].tolist() for name in ("pattern", "text", "text_length", "line", "offset", "length")]
    for i, pattern, start, size, *place in zip(numbers, *columns, strict=True):
        raw = scan.blob[start : start + size]
        wrapped, raw = wrapping.split(raw) if wrapping else (None, raw)
        shape = shapes.of(raw)
        text = raw.decode() if shape else clean(raw)
        spots = matchers.spots(pattern, False, text, shape)
        if spots:
            builder.add(pattern, text, spots[0], tuple(place), untimed, shape, wrapped)
        else:
            keep[i] = False
    done = builder.rows
    move_texts(done, len(scan.blob))
    done["host"][done["host"] >= 0] += len(scan.hosts)
    rows[[i for i in numbers if keep[i]]] = done
    if not keep.all():
        left = chosen(rows, keep)
        rows = rows[: len(left)]
        rows[:] = left
    rows, blob = without_unused(rows, scan.blob + builder.blob)
    return replace(scan, rows=rows, blob=blob, hosts=[*scan.hosts, *builder.hosts])


def last_time(rows: AnyRows, before: Before) -> Before:
    """The time that a row after these takes from its neighbour, if it has none."""
    at = np.flatnonzero(_timed(rows))
    return (float(rows["time"][at[-1]]), int(rows["time_from"][at[-1]])) if len(at) else before


def _take_neighbours_times(rows: AnyRows, before: Before) -> None:
    """Give a row without a time that of the nearest row before it that has one; so too one with the seconds since boot,
    which say nothing beside dates: a script showed the kernel's log at its end."""
    known = _timed(rows)
    if known.all() or not (known.any() or before):
        return
    nearest = np.maximum.accumulate(np.where(known, np.arange(len(rows)), -1))
    there, (time, source) = nearest >= 0, before or (np.nan, TimeFrom.NONE)
    untimed = (rows["time_from"] == TimeFrom.NONE) | (rows["time_from"] == TimeFrom.UPTIME)
    bare = untimed & (there | (before is not None))
    sources = np.where(there, rows["time_from"][nearest], np.uint8(source))[bare]
    put(rows, "time", bare, np.where(there, rows["time"][nearest], time)[bare])
    heirs = np.where(sources > TimeFrom.NEIGHBOUR, sources, TimeFrom.NEIGHBOUR | sources << HEIR)
    put(rows, "time_from", bare, heirs)


def _timed(rows: AnyRows) -> npt.NDArray[np.bool_]:
    timed: npt.NDArray[np.bool_] = (rows["time_from"] != TimeFrom.NONE) & (rows["time_from"] != TimeFrom.UPTIME)
    return timed


# -- The table

NARROW_FROM = 1 << 19
"""Rows of a case from which on they are held narrowly: looking through a column takes a quarter of the time then."""
NARROWEST_FROM = 1 << 21
"""Rows from which on memory counts for more than the time to widen a column each time it is asked for."""
TOGETHER = 1 << 16
"""Rows of small files that are narrowed together."""


class TableBuilder:
    """Adds one file after the other; rows are written once, into their place in the table."""

    def __init__(self, known: Registry, rows: int) -> None:
        """`rows` is the most there can be."""
        self._patterns = known.patterns
        self._matchers = Matchers(known)
        self._shapes = Shapes()
        self._folding = Folding(known.patterns)
        self._place: _Place | _NarrowPlace = _Place(rows) if rows < NARROW_FROM else _NarrowPlace()
        self._blob = bytearray()
        self._hosts: dict[str, int] = {}
        self._counts: list[Count] = []
        self.indexes: dict[int, FileIndex] = {}
        self.damaged: list[Unread] = []

    def add(self, file: LogFile, parts: Sequence[RangeScan], complete: bool, release: bool = False) -> None:
        """Add all that is known of a file; files come in the order of the case. `release` uses the parts up."""
        counts: Counter[tuple[int, int]] = Counter()
        index = FileIndex(np.empty(0, np.int64), np.empty(0, np.int64), complete=complete)
        for run in runs(parts):
            if isinstance(self._place, _NarrowPlace) and sum(len(p.rows) for p in run) > MANY:
                scan = self._add_apart(run, file, release)
            else:
                scan = join(run, self._folding, self._place.room, release)
                scan = finish(scan, file, self._matchers, self._shapes, lines_before(scan))
                self._append(scan, file)
            _enter(scan, index)
            counts.update(scan.counts)
            if scan.damage:
                self.damaged.append(Unread(file.name, scan.damage))
        self.indexes[file.index] = index
        self._counts += [Count(self._patterns[p].name, file.index, rank, n) for (p, rank), n in sorted(counts.items())]

    def _add_apart(self, run: Sequence[RangeScan], file: LogFile, release: bool) -> RangeScan:
        """Add the rows of a run part by part; the run without them."""
        whole = join([replace(part, rows=part.rows[:0], blob=b"") for part in run], self._folding)
        lines, time = lines_before(whole), None
        for part in apart(run, self._folding, release):
            scan = finish(part, file, self._matchers, self._shapes, lines, time)
            lines += part.lines
            time = last_time(scan.rows, time)
            self._append(scan, file)
        return whole

    def _append(self, scan: RangeScan, file: LogFile) -> None:
        """Number what a part's rows refer to."""
        rows = scan.rows
        fill(rows, "file", np.array([file.index]))
        move_texts(rows, len(self._blob))
        renumber_hosts(rows, scan.hosts, self._hosts)
        self._place.add(rows)
        self._blob += scan.blob

    def table(self, anchor: Callable[[], float | None] = lambda: None) -> RecordTable:
        """All rows added so far; `anchor` dates a case whose lines have no year."""
        rows = self._place.all()
        settle(rows, anchor)
        if isinstance(rows, NarrowRows) and len(rows) < NARROWEST_FROM:
            rows.widen()
        return RecordTable(rows, self._blob, list(self._hosts), self._patterns, self._counts)


class _Place:
    """One array, in which rows are made where they stay."""

    def __init__(self, rows: int) -> None:
        self._rows = np.empty(rows, ROW)
        self._used = 0

    @property
    def room(self) -> Rows | None:
        """Where the next rows are to be made."""
        return self._rows[self._used :]

    def add(self, rows: AnyRows) -> None:
        """Keep rows that stand at the beginning of the room."""
        self._used += len(rows)

    def all(self) -> AnyRows:
        """All rows; the last call."""
        return self._rows[: self._used]


class _NarrowPlace:
    """Rows made anywhere, and narrowed a good many at a time."""

    room: Rows | None = None

    def __init__(self) -> None:
        self._narrow: list[NarrowRows] = []
        self._wide: list[Rows] = []

    def add(self, rows: AnyRows) -> None:
        """Keep rows."""
        if isinstance(rows, NarrowRows):
            self._narrow_others()
            self._narrow.append(rows)
        else:
            self._wide.append(rows)
            if sum(map(len, self._wide)) > TOGETHER:
                self._narrow_others()

    def all(self) -> AnyRows:
        """All rows; the last call."""
        self._narrow_others()
        return joined(self._narrow, ROW)

    def _narrow_others(self) -> None:
        if self._wide:
            self._narrow.append(narrowed(end_to_end(self._wide)))
            self._wide = []


def _enter(scan: RangeScan, index: FileIndex) -> None:
    """Note what a run of parts says about its file's layout."""
    if scan.start == 0:
        index.offsets, index.before = scan.block_offsets, scan.block_lines
        index.end, index.newlines = scan.end, scan.lines
    else:
        index.loose = (*index.loose, first_byte(scan))
    index.lines += scan.lines + scan.unfinished
    index.matched += scan.matched_lines
    index.nul_bytes = index.nul_bytes or scan.nul_bytes
