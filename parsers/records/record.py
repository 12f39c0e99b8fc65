"""Records: matched lines in columns, ten million of which must fit.

A `RecordTable` is immutable. Rows are ordered by file, then by position in the file. A `Record` is a light view
of one row, made when somebody looks at it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import cast, overload

import numpy as np
import numpy.typing as npt

from logtui.parsers.advice import fill
from logtui.parsers.numbers import of_field
from logtui.parsers.pattern import Mark, Pattern
from logtui.parsers.prefix.origin import RankFrom
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.records.columns import AnyRows, NarrowRows, by_value, run_starts, wide
from logtui.parsers.records.shapes import FieldPlaces

ROW = np.dtype(
    [
        ("file", "u4"),
        ("pattern", "u2"),
        ("rank_from", "u1"),
        ("time_from", "u1"),
        ("line", "i8"),       # counts from 1, by \n alone
        ("offset", "i8"),     # of the line's first byte
        ("length", "u4"),     # of the line in bytes, without \n
        ("rank", "i4"),       # global rank, -1 unknown
        ("local_rank", "i2"),
        ("task", "i4"),
        ("pid", "i4"),
        ("host", "i4"),       # index into hosts, -1 unknown
        ("time", "f8"),       # seconds since the epoch, NaN unknown
        ("text", "i8"),       # where the kept text starts in the blob, -1 not kept
        ("text_length", "u4"),
        ("a", "f8"),          # the pattern's two numbers, NaN where it has none
        ("b", "f8"),
    ]
)  # fmt: skip

Rows = npt.NDArray[np.void]
OPAQUE = np.dtype(f"V{ROW.itemsize}")
"""A row as bytes: numpy copies it as a whole, where it copies a `ROW` field by field, four times as slowly."""


@overload
def chosen(rows: Rows, which: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> Rows: ...
@overload
def chosen(rows: AnyRows, which: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> AnyRows: ...
def chosen(rows: AnyRows, which: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> AnyRows:
    """A copy of some rows, by numbers or by a mask."""
    return rows[which] if isinstance(rows, NarrowRows) else rows.view(OPAQUE)[which].view(ROW)


def end_to_end(parts: Sequence[Rows]) -> Rows:
    """A copy of all rows of some parts."""
    return np.concatenate([rows.view(OPAQUE) for rows in parts]).view(ROW)


PACKED = struct.Struct("<IHBBqqIihiiidqIdd")
"""A `ROW` as bytes: packing and unpacking all of it is faster than numpy's conversion of a few fields."""

UNPACKED_ROWS = 4096
"""Rows that are unpacked at once."""

RowValues = tuple[
    int, int, int, int, int, int, int, int, int, int, int, int, float, int, int, float, float,
]  # fmt: skip


class Record:
    """One matched line. Cheap to make; fields are parsed when asked for."""

    __slots__ = ("_fields", "_held", "_table", "row")

    def __init__(self, table: RecordTable, row: int, values: RowValues | None = None) -> None:
        """`values` are those of the row, if they have been unpacked before."""
        self._table = table
        self.row = row
        self._held: RowValues | None = values or table.values(row)
        self._fields: dict[str, str] | None = None

    @property
    def _values(self) -> RowValues:
        return self._held or self._table.values(self.row)

    @property
    def pattern(self) -> Pattern:
        return self._table.patterns[self._values[1]]

    @property
    def name(self) -> str:
        """Name of the pattern, `area.what`."""
        return self._table.patterns[self._values[1]].name

    @property
    def file(self) -> int:
        """Index of the file in the case."""
        return self._values[0]

    @property
    def line(self) -> int:
        """Line number, from 1; above `UNCOUNTED` while the lines before it are not counted."""
        return self._values[4]

    @property
    def offset(self) -> int:
        return self._values[5]

    @property
    def length(self) -> int:
        """Bytes of the line, without its newline."""
        return self._values[6]

    @property
    def rank(self) -> int | None:
        """Global rank."""
        rank = self._values[7]
        return rank if rank >= 0 else None

    @property
    def rank_from(self) -> RankFrom:
        return _RANK_FROM[self._values[2]]

    @property
    def local_rank(self) -> int | None:
        return _known(self._values[8])

    @property
    def task(self) -> int | None:
        return _known(self._values[9])

    @property
    def pid(self) -> int | None:
        return _known(self._values[10])

    @property
    def host(self) -> str | None:
        index = self._values[11]
        return self._table.hosts[index] if index >= 0 else None

    @property
    def writer(self) -> tuple[int, int, int, int, int]:
        """Numbers of the file, local rank, task, process and host: equal for lines of the same origin."""
        values = self._values
        return values[0], values[8], values[9], values[10], values[11]

    @property
    def time(self) -> float | None:
        """Seconds since the epoch; wall clock taken as UTC unless `time_from` is ZONED."""
        value: float = self._values[12]
        return value if value == value else None

    @property
    def order(self) -> tuple[float, int, int]:
        """By time where it is known, then by place in the files. Unknown times sort first."""
        values = self._values
        return values[12] if values[12] == values[12] else 0.0, values[0], values[4]

    @property
    def time_from(self) -> TimeFrom:
        return _TIME_FROM[self._values[3]]

    @property
    def numbers(self) -> tuple[float, float]:
        """The pattern's two numbers, NaN where it has none."""
        return self._values[15], self._values[16]

    @property
    def text(self) -> str:
        """The line and its kept continuation, cleaned; "" for patterns that keep only numbers."""
        start, size = self._values[13], self._values[14]
        return self._table.blob[start : start + size].decode("utf-8", "replace") if start >= 0 else ""

    @property
    def first_line(self) -> str:
        """The matched line itself, cleaned."""
        return self.text.split("\n", 1)[0]

    @property
    def fields(self) -> Mapping[str, str]:
        """Named groups of the pattern's regex."""
        if self._fields is None:
            start, size = self._values[13], self._values[14]
            raw = bytes(self._table.blob[start : start + size]) if start >= 0 else b""
            self._fields = self._table.field_places.read(self.pattern, raw)
        return self._fields

    def forget(self) -> None:
        """Hold neither fields nor values, and read them anew should somebody ask: who keeps very many records wants a
        kilobyte or two less of each."""
        self._fields = self._held = None

    @property
    def title(self) -> str:
        """What its pattern calls it, with its own fields filled in; "" where the pattern has no title."""
        title = self.pattern.title
        return self.pattern.titled(self.fields) if "{" in title else title

    @property
    def note(self) -> str:
        """What people should know of such a line, with its own fields filled in."""
        note = self.pattern.note
        return (fill(note, self.pattern.values(self.fields)) or "") if "{" in note else note

    def number(self, field: str) -> int | None:
        """A field as an integer; None where it is none, or larger than such a number can be."""
        return of_field(field, self.fields.get(field))

    def __repr__(self) -> str:
        return f"Record({self.name}, file={self.file}, line={self.line}, rank={self.rank})"


_RANK_FROM, _TIME_FROM = tuple(RankFrom), tuple(TimeFrom)
"""By value: a quarter of the cost of asking the enumeration."""


def _known(number: int) -> int | None:
    return number if number >= 0 else None


@dataclass(frozen=True)
class Count:
    """How often a pattern matched, exactly, whether or not the records were kept."""

    pattern: str
    file: int
    rank: int
    """-1 where unknown."""
    total: int


class Undeclared(KeyError):
    """No declared pattern, or area of patterns, has this name: whoever asks for it would find nothing, ever."""


FARTHEST = 1 << 62
"""A number that is farther from 0 is told as this."""
Told = tuple[npt.NDArray[np.integer], npt.NDArray[np.integer]]
"""Some row numbers, ascending, and what the line of each tells."""


class RecordTable:
    """All records of a case."""

    def __init__(
        self,
        rows: AnyRows,
        blob: bytes | bytearray,
        hosts: Sequence[str],
        patterns: Sequence[Pattern],
        counts: Iterable[Count] = (),
    ) -> None:
        self.rows = rows if isinstance(rows, NarrowRows) else np.ascontiguousarray(rows)
        self._packed = b"" if isinstance(self.rows, NarrowRows) else self.rows.view(np.uint8).data
        self.blob = blob
        self.hosts = list(hosts)
        self.patterns = patterns
        self.counts = tuple(counts)
        self.field_places = FieldPlaces()
        self._whole: tuple[RecordTable, npt.NDArray[np.bool_]] | None = None
        self._told: dict[str, Told] = {}
        self._ids = {p.name: i for i, p in enumerate(patterns)}
        self._areas = [p.area for p in patterns]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, row: int) -> Record:
        return Record(self, row)

    def values(self, row: int) -> RowValues:
        """What stands in a row, in the order of a `ROW`."""
        if not isinstance(self.rows, NarrowRows):
            return PACKED.unpack_from(self._packed, row * PACKED.size)
        return cast("RowValues", self.rows.values(row))

    def indices(self, *names: str) -> npt.NDArray[np.intp]:
        """Row numbers of the named patterns, in order; none where the table has no patterns at all.

        Raises:
            Undeclared: if no pattern of the table is called so.
        """
        found = [self._indices_of(self._id(n)) for n in names] if self.patterns else []
        if not found:
            return np.empty(0, np.intp)
        if len(found) == 1:
            return found[0].astype(np.intp)
        joined = np.concatenate(found)  # of 32 bits until here: there may be ten million
        joined.sort()
        return joined.astype(np.intp)

    def part(self, which: npt.NDArray[np.bool_]) -> RecordTable:
        """A table of some of the records. What is read of lines is read once for it and for all others."""
        found = RecordTable(chosen(self.rows, which), self.blob, self.hosts, self.patterns)
        found.field_places, found._whole = self.field_places, (self, which)
        return found

    def told(self, field: str) -> Told:
        """The numbers that lines give to a field, as far as they go; of step lines, of which no text is kept, none."""
        return self.once(field, lambda whole: whole._read_numbers(field))

    def with_field(self, field: str) -> npt.NDArray[np.intp]:
        """Row numbers of all patterns that have a field of this name, and keep it."""
        return self.indices(*(p.name for p in self.patterns if field in p.fields and p.numeric is None))

    def _read_numbers(self, field: str) -> Told:
        found = [(r.row, n) for r in self.at(self.with_field(field)) if (n := r.number(field)) is not None]
        numbers = [max(-FARTHEST, min(n, FARTHEST)) for _, n in found]
        return np.array([row for row, _ in found], np.intp), np.array(numbers, np.int64)

    def once(self, what: str, read: Callable[[RecordTable], Told]) -> Told:
        """What `read` finds in a table by its lines' texts alone; of the lines of a part it is known then, too."""
        if what not in self._told:
            self._told[what] = read(self) if self._whole is None else self._of_whole(*self._whole, what, read)
        return self._told[what]

    @staticmethod
    def _of_whole(
        whole: RecordTable, which: npt.NDArray[np.bool_], what: str, read: Callable[[RecordTable], Told]
    ) -> Told:
        rows, told = whole.once(what, read)
        mine = which[rows]
        return np.searchsorted(np.flatnonzero(which), rows[mine]), told[mine]

    def by_file(self, rows: npt.NDArray[np.intp]) -> list[npt.NDArray[np.intp]]:
        """Some row numbers, ascending, file by file."""
        if not len(rows):
            return []
        cuts = np.unique(np.searchsorted(rows, self._files[1]))
        return [part for part in np.split(rows, cuts) if len(part)]

    def _id(self, name: str) -> int:
        try:
            return self._ids[name]
        except KeyError:
            raise Undeclared(name) from None

    def _indices_of(self, pattern: int) -> npt.NDArray[np.uint32]:
        order, ends = self._by_pattern
        return order[ends[pattern] : ends[pattern + 1]]

    @cached_property
    def _by_pattern(self) -> tuple[npt.NDArray[np.uint32], list[int]]:
        """All row numbers, ordered by pattern, and where those of each pattern begin."""
        return by_value(np.ascontiguousarray(self.rows["pattern"]), len(self.patterns))

    @cached_property
    def areas(self) -> frozenset[str]:
        """Areas of all patterns that were seen, stored or only counted: which programs speak."""
        _, ends = self._by_pattern
        counted = {c.pattern for c in self.counts}
        return frozenset(p.area for i, p in enumerate(self.patterns) if ends[i + 1] > ends[i] or p.name in counted)

    def rows_of_file(self, file: int) -> slice:
        """Which rows are those of a file."""
        files, starts = self._files
        begin, end = np.searchsorted(files, (file, file + 1)).tolist()
        return slice(*(int(starts[at]) if at < len(starts) else len(self.rows) for at in (begin, end)))

    @cached_property
    def _files(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.intp]]:
        """The files that have rows, and where those of each begin."""
        files = self.rows["file"]
        starts = run_starts(files)
        return files[starts], starts

    def of(self, *names: str) -> Iterator[Record]:
        """Records of the named patterns, by file and position."""
        return self.at(self.indices(*names))

    def marked(self, *marks: Mark) -> Iterator[Record]:
        """Records whose pattern has one of some marks, by file and position."""
        return self.at(self.rows_marked(*marks))

    def rows_marked(self, *marks: Mark) -> npt.NDArray[np.intp]:
        """Row numbers of the records whose pattern has one of some marks, in order."""
        return self.indices(*{name: None for mark in marks for name in self.names_of(mark)})

    def names_of(self, mark: Mark) -> Sequence[str]:
        """The names of the patterns with a mark."""
        return self._names_of.get(mark, ())

    @cached_property
    def _names_of(self) -> dict[Mark, list[str]]:
        """By mark: rules ask for some two dozen."""
        found: dict[Mark, list[str]] = {}
        for pattern in self.patterns:
            for mark in pattern.marks:
                found.setdefault(mark, []).append(pattern.name)
        return found

    def with_prefix(self, *areas: str) -> Iterator[Record]:
        """Records whose pattern's area (`nccl`, `slurm`) is one of these.

        Raises:
            Undeclared: if no pattern of the table is of such an area.
        """
        if self.patterns and (unknown := set(areas).difference(self._areas)):
            raise Undeclared(*sorted(unknown))
        names = [p.name for p, area in zip(self.patterns, self._areas, strict=True) if area in areas]
        return self.of(*names)

    def __iter__(self) -> Iterator[Record]:
        return self.at(np.arange(len(self.rows)))

    def at(self, rows: npt.NDArray[np.intp]) -> Iterator[Record]:
        """Records of some rows in the order given, unpacked together."""
        for at in range(0, len(rows), UNPACKED_ROWS):
            some = rows[at : at + UNPACKED_ROWS]
            values = PACKED.iter_unpack(wide(chosen(self.rows, some)).tobytes())
            yield from map(Record, repeat(self), some.tolist(), values)

    def total(self, name: str) -> int:
        """Exact number of matches of a pattern in all files.

        Raises:
            Undeclared: if no pattern of the table is called so.
        """
        if self.patterns:
            self._id(name)
        return sum(c.total for c in self.counts if c.pattern == name)
