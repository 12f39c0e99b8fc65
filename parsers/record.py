"""Records: matched lines in columns, ten million of which must fit.

A `RecordTable` is immutable. Rows are ordered by file, then by position in the file. A `Record` is a light view
of one row, made when somebody looks at it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logtui.parsers.origin import RankFrom
from logtui.parsers.pattern import Pattern
from logtui.parsers.stamp import TimeFrom

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

UNCOUNTED = 1 << 62
"""Line numbers from here on stand for lines of a stretch that is scanned before what lies before it: the excess is the
byte the stretch begins at plus the line's number in it. They sort as the lines do, and neighbours have neighbouring
numbers. Only provisional records have them; `Case` and `LineReader` take them wherever they take line numbers."""


class Record:
    """One matched line. Cheap to make; fields are parsed when asked for."""

    __slots__ = ("_fields", "_row", "_table", "row")

    def __init__(self, table: RecordTable, row: int) -> None:
        self._table = table
        self.row = row
        self._row = table.rows[row]
        self._fields: dict[str, str] | None = None

    @property
    def pattern(self) -> Pattern:
        return self._table.patterns[int(self._row["pattern"])]

    @property
    def name(self) -> str:
        """Name of the pattern, `area.what`."""
        return self.pattern.name

    @property
    def file(self) -> int:
        """Index of the file in the case."""
        return int(self._row["file"])

    @property
    def line(self) -> int:
        """Line number, from 1; above `UNCOUNTED` while the lines before it are not counted."""
        return int(self._row["line"])

    @property
    def offset(self) -> int:
        return int(self._row["offset"])

    @property
    def rank(self) -> int | None:
        """Global rank."""
        rank = int(self._row["rank"])
        return rank if rank >= 0 else None

    @property
    def rank_from(self) -> RankFrom:
        return RankFrom(int(self._row["rank_from"]))

    @property
    def local_rank(self) -> int | None:
        value = int(self._row["local_rank"])
        return value if value >= 0 else None

    @property
    def task(self) -> int | None:
        value = int(self._row["task"])
        return value if value >= 0 else None

    @property
    def pid(self) -> int | None:
        value = int(self._row["pid"])
        return value if value >= 0 else None

    @property
    def host(self) -> str | None:
        index = int(self._row["host"])
        return self._table.hosts[index] if index >= 0 else None

    @property
    def time(self) -> float | None:
        """Seconds since the epoch; wall clock taken as UTC unless `time_from` is ZONED."""
        value = float(self._row["time"])
        return value if value == value else None

    @property
    def time_from(self) -> TimeFrom:
        return TimeFrom(int(self._row["time_from"]))

    @property
    def numbers(self) -> tuple[float, float]:
        """The pattern's two numbers, NaN where it has none."""
        return float(self._row["a"]), float(self._row["b"])

    @property
    def text(self) -> str:
        """The line and its kept continuation, cleaned; "" for patterns that keep only numbers."""
        start = int(self._row["text"])
        if start < 0:
            return ""
        return self._table.blob[start : start + int(self._row["text_length"])].decode("utf-8", "replace")

    @property
    def first_line(self) -> str:
        """The matched line itself, cleaned."""
        return self.text.split("\n", 1)[0]

    @property
    def fields(self) -> Mapping[str, str]:
        """Named groups of the pattern's regex."""
        if self._fields is None:
            m = self.pattern.compiled.search(self.text)
            self._fields = {k: v for k, v in m.groupdict().items() if v is not None} if m else {}
        return self._fields

    def number(self, field: str) -> int | None:
        """A field as an integer, or None."""
        value = self.fields.get(field)
        try:
            return int(value) if value is not None else None
        except ValueError:
            return None

    def __repr__(self) -> str:
        return f"Record({self.name}, file={self.file}, line={self.line}, rank={self.rank})"


@dataclass(frozen=True)
class Count:
    """How often a pattern matched, exactly, whether or not the records were kept."""

    pattern: str
    file: int
    rank: int
    """-1 where unknown."""
    total: int


class RecordTable:
    """All records of a case."""

    def __init__(
        self,
        rows: Rows,
        blob: bytes | bytearray,
        hosts: Sequence[str],
        patterns: Sequence[Pattern],
        counts: Iterable[Count] = (),
    ) -> None:
        self.rows = rows
        self.blob = blob
        self.hosts = list(hosts)
        self.patterns = patterns
        self.counts = tuple(counts)
        self._ids = {p.name: i for i, p in enumerate(patterns)}
        self._by_pattern: dict[int, npt.NDArray[np.intp]] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, row: int) -> Record:
        return Record(self, row)

    def indices(self, *names: str) -> npt.NDArray[np.intp]:
        """Row numbers of the named patterns, in order. Unknown names match nothing."""
        found = [self._indices_of(self._ids[n]) for n in names if n in self._ids]
        if not found:
            return np.empty(0, np.intp)
        return found[0] if len(found) == 1 else np.sort(np.concatenate(found))

    def _indices_of(self, pattern: int) -> npt.NDArray[np.intp]:
        if pattern not in self._by_pattern:
            self._by_pattern[pattern] = np.flatnonzero(self.rows["pattern"] == pattern)
        return self._by_pattern[pattern]

    def of(self, *names: str) -> Iterator[Record]:
        """Records of the named patterns, by file and position."""
        return (Record(self, int(i)) for i in self.indices(*names))

    def with_prefix(self, *areas: str) -> Iterator[Record]:
        """Records whose pattern's area (`nccl`, `slurm`) is one of these."""
        names = [p.name for p in self.patterns if p.name.split(".", 1)[0] in areas]
        return self.of(*names)

    def __iter__(self) -> Iterator[Record]:
        return (Record(self, i) for i in range(len(self.rows)))

    def total(self, name: str) -> int:
        """Exact number of matches of a pattern in all files."""
        return sum(c.total for c in self.counts if c.pattern == name)
