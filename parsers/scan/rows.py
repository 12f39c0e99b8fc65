"""From a confirmed match to a row of the record table: who wrote the line, when, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt

from logtui.parsers.clean import clean
from logtui.parsers.numbers import real
from logtui.parsers.pattern import Pattern
from logtui.parsers.prefix.origin import Origin, OriginPlaces, RankFrom, read_origin
from logtui.parsers.prefix.stamp import Stamp, TimeFrom, find_stamp, heir_of, stamp_at
from logtui.parsers.prefix.wrapping import Wrapped
from logtui.parsers.records.columns import AnyRows
from logtui.parsers.records.record import OPAQUE, PACKED, ROW, Rows, chosen
from logtui.parsers.records.shapes import ALIKE, Shape, Shapes, Span, Spot
from logtui.parsers.scan.alike import Alike
from logtui.parsers.scan.alike_stamps import Clock
from logtui.parsers.scan.blocks import TextBlock
from logtui.parsers.source import LogFile

# -- Folding: the first and the last of many lines alike are kept, and all are counted
#
# Lines are folded per (pattern, writer, file). The writer is the rank where a line names it, or else the process,
# because NCCL's lines name host:pid only and a merged file of a thousand processes must keep those of each. Folding a
# file's ranges and then their union gives the same rows as folding the whole file at once.

UNLIMITED = 1 << 62
KEEP_FIRST, KEEP_LAST = 192, 64
BULK_FIRST, BULK_LAST = 4, 4
UNSIGNED_FIRST = 1 << 16
"""Lines that do not name the rank that printed them, so that those of all ranks are one writer's."""

Numbers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


class Folding:
    """How many lines of each pattern are kept."""

    def __init__(self, patterns: Sequence[Pattern], first: int = KEEP_FIRST, last: int = KEEP_LAST) -> None:
        """`first` and `last` are kept of each pattern that says nothing else."""
        self._first = np.array(
            [_limit(p, BULK_FIRST, UNSIGNED_FIRST if p.unsigned else first) for p in patterns], np.int64
        )
        self._last = np.array([_limit(p, BULK_LAST, last) for p in patterns], np.int64)
        self._limited = self._first < UNLIMITED
        self._least = int(min(self._first + self._last, default=0))

    def kept(self, pattern: Numbers, writer: Numbers) -> Mask | None:
        """Which of some matches of one file, in the order of the file, are kept; None if all are."""
        if len(pattern) <= self._least:
            return None
        key = pattern << 40 | (writer + (1 << 32))
        order = np.argsort(key, kind="stable")
        ordered = key[order]
        begins = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
        sizes = np.diff(np.concatenate((begins, [len(key)])))
        place = np.arange(len(key)) - np.repeat(begins, sizes)
        of = pattern[order]
        keep = (place < self._first[of]) | (place >= np.repeat(sizes, sizes) - self._last[of])
        if keep.all():
            return None
        mask = np.empty(len(key), np.bool_)
        mask[order] = keep
        return mask

    def fold(self, rows: Rows) -> Rows:
        """The rows of one file, in its order, without those in the middle of a crowd.

        Of the millions that are never folded nothing is copied.
        """
        mask = self.kept_of([rows])[0]
        return rows if mask is None else chosen(rows, mask)

    def kept_of(self, parts: Sequence[AnyRows]) -> list[Mask | None]:
        """Which rows are kept of the parts of one file, in its order; None for a part of which all are."""
        limited = [np.flatnonzero(self._limited[rows["pattern"]]) for rows in parts]
        if sum(map(len, limited)) <= self._least:
            return [None] * len(parts)

        def column(name: str) -> Numbers:
            return np.concatenate([rows[name][at] for rows, at in zip(parts, limited, strict=True)]).astype(np.int64)

        mask = self.kept(column("pattern"), writers(column("rank"), column("pid")))
        if mask is None:
            return [None] * len(parts)
        cuts = np.cumsum([len(at) for at in limited])[:-1]
        return [_spread(*one) for one in zip(np.split(mask, cuts), limited, map(len, parts), strict=True)]


def _spread(mask: Mask, at: npt.NDArray[np.intp], size: int) -> Mask | None:
    """A mask of some rows as one of all rows, of which the others are kept."""
    if mask.all():
        return None
    keep = np.ones(size, np.bool_)
    keep[at] = mask
    return keep


def writers(rank: npt.NDArray[np.integer], pid: npt.NDArray[np.integer]) -> Numbers:
    """One number per writer: the rank, or else the process, or else -1."""
    process = np.where(pid >= 0, -2 - pid.astype(np.int64), -1)
    return np.where(rank >= 0, rank, process)


def _limit(pattern: Pattern, bulk: int, other: int) -> int:
    """A pattern whose numbers are wanted from every line is not folded."""
    if pattern.numeric is not None:
        return UNLIMITED
    return bulk if pattern.bulk else other


# -- Rows

RAW = 255
"""In place of where a time came from: the row is not finished, its text is the line's raw bytes."""
TEXT_CAP = 2000
"""Characters of the matched line that are kept."""
MATCHES_PER_TEXT = 16
"""Records glued into one line that are kept apart; more are only counted."""
COMPACT = 1 << 14
"""Rows collected before those are dropped that will not be kept."""
_CLOCK = b"00:00:00"
"""What every time of day holds, in a text with all digits alike."""
_NAN = float("nan")

Place = tuple[int, int, int]
"""Line number, byte offset and length of a line."""
Before = Callable[[], tuple[float, int]]
"""Gives the time of the nearest line before a line, and where it is from."""


def untimed() -> tuple[float, int]:
    """Where nothing is known of the lines before."""
    return _NAN, TimeFrom.NONE


class RowBuilder:
    """Collects the rows of one file."""

    def __init__(self, file: LogFile, numeric: Sequence[object], shapes: Shapes | None = None) -> None:
        """`numeric` says of each pattern whether its numbers are kept in place of its text; `shapes` knows lines."""
        self._shapes = shapes or Shapes()
        self._file = file.index
        self._numeric = numeric
        self.clock = Clock(datetime.fromtimestamp(file.mtime, UTC).year, file.mtime - file.mtime % 86400)
        self._packed = bytearray()
        self._limit = COMPACT * ROW.itemsize
        self._texts: list[bytes] = []
        self.text_size = 0
        self._asked_to = -1
        self._neighbour: tuple[int, Stamp] | None = None
        self._inherited = untimed()
        self._hosts: dict[str, int] = {}

    def add(
        self, pattern: int, text: str, spot: Spot, place: Place, before: Before, shape: Shape | None = None,
        wrapped: Wrapped | None = None,
    ) -> Origin:  # fmt: skip
        """Add the row of one match in a cleaned text; `before` is asked only if the line has no time. `shape` is what
        is known of such lines, if anything is; `wrapped` is what a collector put before this one."""
        hit, first, second = spot
        origin = read_origin(text, hit) if shape is None else shape.origin(text, hit).read(text)
        stamp = self._stamp(text, hit, shape, wrapped)
        if wrapped:
            _complete(origin, wrapped)
        time, time_from = (stamp.epoch, stamp.source) if stamp else before()
        a, b, at, size = _NAN, _NAN, -1, 0
        if self._numeric[pattern]:
            a, b = _number(text, first), _number(text, second)
        else:
            at, size = self.keep_text(_kept_text(text, hit))
        host = self._hosts.setdefault(origin.host, len(self._hosts)) if origin.host else -1
        self._packed += PACKED.pack(
            self._file, pattern, origin.rank_from, time_from, *place,
            origin.rank, origin.local_rank, origin.task, origin.pid, host, time, at, size, a, b,
        )  # fmt: skip
        return origin

    def base(self, lines: Alike, origin: OriginPlaces, place: tuple[Numbers, Numbers, Numbers]) -> Rows:
        """Rows for some lines, in which neither times nor patterns nor what those read are known."""
        rows = np.repeat(_blank(self._file, origin.rank_from), len(lines))
        rows["line"], rows["offset"], rows["length"] = place
        for name in ("rank", "local_rank", "task", "pid"):
            if span := getattr(origin, name):
                rows[name] = lines.whole(span)
        if origin.host:
            rows["host"] = self._numbers_of(lines.strings(origin.host))
        return rows

    def fill(self, rows: Rows, pattern: int, spot: Spot, lines: Alike) -> list[bytes]:
        """Put into rows what a pattern reads in lines that it matches; the texts that are kept. `weave` adds them."""
        hit, first, second = spot
        rows["pattern"] = pattern
        if self._numeric[pattern]:
            rows["a"], rows["b"] = lines.real(first), lines.real(second)
            return []
        begin = kept_from(hit)
        texts = lines.strings((begin, min(len(lines.text), begin + TEXT_CAP)))
        rows["text"], rows["text_length"] = 0, len(texts[0])
        return texts

    def place(self, rows: Rows, place: tuple[Numbers, Numbers, Numbers], named: Numbers, hosts: list[bytes]) -> None:
        """Put into rows their places, and the hosts that some of them name."""
        rows["file"] = self._file
        rows["line"], rows["offset"], rows["length"] = place
        rows["host"][named] = self._numbers_of(hosts)

    def _numbers_of(self, hosts: list[bytes]) -> list[int]:
        known = self._hosts
        numbers = {name: known.setdefault(name.decode(), len(known)) for name in dict.fromkeys(hosts)}
        return [numbers[name] for name in hosts]

    @property
    def mark(self) -> Mark:
        """How far it has come."""
        return Mark(len(self._packed), len(self._texts), self.text_size, len(self._hosts))

    def weave(self, since: Mark, keys: Sequence[int], woven: Sequence[Woven]) -> None:
        """Put rows made from columns among those added since a mark, of which `keys` tells the order."""
        added = np.frombuffer(bytes(memoryview(self._packed)[since.packed :]), ROW)
        order = np.argsort(np.concatenate([np.array(keys, np.int64), *(s.keys for s in woven)]), kind="stable")
        place = np.empty(len(order), np.intp)
        place[order] = np.arange(len(order))
        self._packed += bytes((len(order) - len(added)) * ROW.itemsize)
        rows, at = self.rows_since(since), 0
        for part in (added, *(some.rows for some in woven)):
            rows.view(OPAQUE)[place[at : at + len(part)]] = part.view(OPAQUE)
            at += len(part)
        self._weave_texts(rows, since, order, woven)
        self._renumber_hosts(rows, since.hosts)

    def _weave_texts(self, rows: Rows, since: Mark, order: npt.NDArray[np.intp], woven: Sequence[Woven]) -> None:
        """Put their texts in the same order, and say in the rows where each stands."""
        texts = self._texts[since.texts :] + [text for some in woven for text in some.texts]
        if not texts:
            return
        held = rows["text"] >= 0
        as_added = np.empty(len(order), np.bool_)
        as_added[order] = held
        number = (np.cumsum(as_added) - 1)[order]
        self._texts[since.texts :] = [texts[i] for i in number[held].tolist()]
        sizes = rows["text_length"][held].astype(np.int64)
        rows["text"][held] = since.text_size + np.cumsum(sizes) - sizes
        self.text_size = since.text_size + int(sizes.sum())

    def rows_since(self, mark: Mark) -> Rows:
        """The rows added since a mark, to be written to; nothing may be added while they are held."""
        return np.frombuffer(self._packed, ROW, offset=mark.packed)

    def _renumber_hosts(self, rows: Rows, known: int) -> None:
        """Number new hosts as they come."""
        if len(self._hosts) == known:
            return
        numbers, first = np.unique(rows["host"], return_index=True)
        fresh = numbers >= known
        numbers = numbers[fresh][np.argsort(first[fresh])]
        names, renumbered = self.hosts, np.arange(-1, len(self._hosts), dtype=np.int32)
        renumbered[numbers + 1] = np.arange(known, known + len(numbers))
        rows["host"] = renumbered[rows["host"] + 1]
        names[known:] = [names[number] for number in numbers.tolist()]
        self._hosts = {name: number for number, name in enumerate(names)}

    def keep_text(self, text: bytes) -> tuple[int, int]:
        """Put a text into the blob; where it starts, and its size."""
        at = self.text_size
        self._texts.append(text)
        self.text_size += len(text)
        return at, len(text)

    def _stamp(self, text: str, hit: int, shape: Shape | None, wrapped: Wrapped | None) -> Stamp | None:
        """A collector's time goes first: it is one clock for all lines, where programs have several and many none."""
        if wrapped and (stamp := find_stamp(wrapped.text, 0, *self.clock)):
            return stamp
        if shape is None:
            return find_stamp(text, hit, *self.clock)
        places = shape.stamps(text)
        return stamp_at(places, text, hit, *self.clock) if places else None

    def time_before(self, offset: int, block: TextBlock, begin: int) -> tuple[float, int]:
        """The time of the nearest line before the one that begins at a byte of the file, and at an index of a block.
        To be asked in the order of the file."""
        if offset != self._asked_to:  # else another record of the same line
            stamp = self._stamp_before(offset, block.before(begin))
            self._inherited = untimed() if stamp is None else (stamp.epoch, heir_of(stamp.source))
        return self._inherited

    def _stamp_before(self, offset: int, before: bytes) -> Stamp | None:
        """The stamp of the nearest line that has one, of those that begin in `before`, which ends at `offset`.

        No line is asked twice: rows come in the order of the file.
        """
        if not before:
            return None
        floor = offset - len(before)
        known = before.rfind(b"\n", 0, max(0, self._asked_to - floor)) + 1
        masked = before[known:].translate(ALIKE)
        at = masked.rfind(_CLOCK)
        while at >= 0:
            begin = before.rfind(b"\n", 0, known + at) + 1
            end = before.find(b"\n", known + at)
            if begin == 0:  # where the line begins is not to be seen
                break
            if stamp := self.clock_of(before[begin : end if end >= 0 else len(before)]):
                self._neighbour = (floor + begin, stamp)
                break
            at = masked.rfind(_CLOCK, 0, begin - known)
        self._asked_to = offset
        return self._neighbour[1] if self._neighbour and self._neighbour[0] > floor else None

    def clock_of(self, line: bytes) -> Stamp | None:
        """The stamp of a line, as far as another line may take its time from it."""
        shape = self._shapes.of(line)
        text = line.decode() if shape else clean(line)
        stamp = (
            find_stamp(text, 0, *self.clock) if shape is None else stamp_at(shape.stamps(text), text, 0, *self.clock)
        )
        return stamp if stamp and stamp.source is not TimeFrom.UPTIME else None

    def compact(self, folding: Folding) -> None:
        """Now and then forget what would be folded away at the end: a range may hold a million lines of a kind."""
        if len(self._packed) < self._limit:
            return
        rows = self.rows
        mask = folding.kept(rows["pattern"].astype(np.int64), writers(rows["rank"], rows["pid"]))
        if mask is not None:
            kept = mask[rows["text"] >= 0].tolist()
            self._texts = [text for text, is_kept in zip(self._texts, kept, strict=True) if is_kept]
            rows = chosen(rows, mask)
            held = rows["text"] >= 0
            sizes = rows["text_length"][held].astype(np.int64)
            rows["text"][held] = np.cumsum(sizes) - sizes
            self.text_size = int(sizes.sum())
            self._packed = bytearray(rows.tobytes())
        self._limit = max(COMPACT * ROW.itemsize, 2 * len(self._packed))

    @property
    def hosts(self) -> list[str]:
        """Host names by the numbers that rows hold."""
        return list(self._hosts)

    @property
    def blob(self) -> bytes:
        """All kept texts."""
        return b"".join(self._texts)

    @property
    def rows(self) -> Rows:
        """All rows in the order they were added; nothing may be added while they are held."""
        return np.frombuffer(self._packed, ROW)


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in what has been collected."""

    packed: int
    texts: int
    text_size: int
    hosts: int


@dataclass(frozen=True, slots=True)
class Woven:
    """Rows made from columns."""

    keys: Numbers
    """What puts them in order among others of the block: the first hit of each one's text."""
    rows: Rows
    texts: list[bytes]
    """One for each row of which more than numbers is kept."""

    @property
    def counts(self) -> dict[tuple[int, int], int]:
        """(pattern, rank or -1) → rows."""
        keys = self.rows["pattern"].astype(np.int64) << 32 | (self.rows["rank"].astype(np.int64) + 1)
        if len(keys) and (keys == keys[0]).all():
            some, counts = keys[:1], np.array([len(keys)])
        else:
            some, counts = np.unique(keys, return_counts=True)
        pairs = zip(some.tolist(), counts.tolist(), strict=True)
        return {(key >> 32, (key & 0xFFFFFFFF) - 1): count for key, count in pairs}


def _blank(file: int, rank_from: int) -> Rows:
    """A row in which nothing but this is known."""
    nothing = 0, 0, 0, -1, -1, -1, -1, -1, _NAN, -1, 0, _NAN, _NAN
    return np.frombuffer(PACKED.pack(file, 0, rank_from, TimeFrom.NONE, *nothing), ROW)


def _complete(origin: Origin, wrapped: Wrapped) -> None:
    """Take from what stands before the line what the line itself does not say."""
    origin.host = origin.host or wrapped.writer
    if origin.rank < 0 <= wrapped.rank:
        origin.rank, origin.rank_from = wrapped.rank, RankFrom.PREFIX


def kept_from(hit: int) -> int:
    """The first character that is kept of a text."""
    return 0 if hit < TEXT_CAP // 2 else hit - TEXT_CAP // 2


def _kept_text(text: str, hit: int) -> bytes:
    start = kept_from(hit)
    return text[start : start + TEXT_CAP].encode()


def _number(text: str, span: Span) -> float:
    return real(text[span[0] : span[1]]) if span[1] > span[0] else _NAN
