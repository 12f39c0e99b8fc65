"""Parts of files: lines of one that is not there, and the stretches of a large one that are looked at."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, count
from operator import add

import numpy as np

from logtui.parsers.files.case import Case, FileIndex
from logtui.parsers.files.lines import LineReader

# -- Lines of a file that is not there, at the numbers they had

INDEX_STEP = 1 << 20
"""Lines of a gap per entry of the index, so that none is far from one."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Stretches of lines, ascending and apart: the number of the first line, and the lines."""

    lines: int
    """Of the whole file."""
    stretches: tuple[tuple[int, tuple[bytes, ...]], ...]

    @property
    def ranges(self) -> tuple[tuple[int, int], ...]:
        """(first line, how many) of each stretch."""
        return tuple((first, len(lines)) for first, lines in self.stretches)

    @property
    def held(self) -> int:
        """Lines that are there."""
        return sum(len(lines) for _, lines in self.stretches)


class ExcerptSource:
    """The excerpt as the text of a file in which every line that is not there is empty."""

    def __init__(self, excerpt: Excerpt) -> None:
        self._starts: list[int] = []
        self._pieces: list[bytes | int] = []
        """Text, or a number of empty lines."""
        self._size, line = 0, 1
        for first, lines in excerpt.stretches:
            self._add(first - line)
            self._add(b"".join(text.replace(b"\n", b" ") + b"\n" for text in lines))
            line = first + len(lines)
        self._add(excerpt.lines + 1 - line)

    def _add(self, piece: bytes | int) -> None:
        if piece:
            self._starts.append(self._size)
            self._pieces.append(piece)
            self._size += piece if isinstance(piece, int) else len(piece)

    def read_at(self, offset: int, count: int) -> bytes:
        """Up to `count` bytes from `offset`."""
        out, end = [], min(offset + count, self._size)
        at = bisect_right(self._starts, offset) - 1
        while 0 <= at < len(self._pieces) and offset < end:
            begin, piece = self._starts[at], self._pieces[at]
            length = piece if isinstance(piece, int) else len(piece)
            stop = min(end, begin + length)
            out.append(b"\n" * (stop - offset) if isinstance(piece, int) else piece[offset - begin : stop - begin])
            offset, at = stop, at + 1
        return b"".join(out)

    def size(self) -> int:
        """Bytes of that text."""
        return self._size

    def close(self) -> None:
        """Nothing to release."""

    def index(self, lines: int) -> FileIndex:
        """Where lines begin: around each stretch, and now and then in a gap."""
        offsets, before, newlines = [], [], 0
        for start, piece in zip(self._starts, self._pieces, strict=True):
            length = piece if isinstance(piece, int) else len(piece)
            steps = [*range(0, length, INDEX_STEP), length - 1] if isinstance(piece, int) else [0]
            for step in sorted(set(steps)):
                offsets.append(start + step)
                before.append(newlines + step)
            newlines += piece if isinstance(piece, int) else piece.count(b"\n")
        return FileIndex(
            np.array(offsets, np.int64), np.array(before, np.int64), self._size, newlines, lines, complete=True
        )


@dataclass
class ExcerptCase(Case):
    """A case whose files are excerpts."""

    excerpts: dict[int, Excerpt] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Know all lines' places."""
        for file, excerpt in self.excerpts.items():
            self.indexes[file] = ExcerptSource(excerpt).index(excerpt.lines)

    def held(self, file: int) -> tuple[tuple[int, int], ...] | None:
        """The ranges of lines that are there."""
        return self.excerpts[file].ranges

    @property
    def is_excerpt(self) -> bool:
        """It is."""
        return True

    def new_reader(self, file: int) -> LineReader:
        """A reader of what is there."""
        index = self.indexes[file]
        source = ExcerptSource(self.excerpts[file])
        return LineReader(
            self.files[file], index.offsets, index.before, (index.end, index.newlines), source=source,
            held=self.held(file),
        )  # fmt: skip


# -- Stretches of a file that is too large to be looked at line by line
#
# Of a file larger than its share: its end, what leads to its first sign of trouble, and a little of its beginning and
# middle, to know what it says as a rule.

LEAST, MOST = 4 << 10, 4 << 20
"""Bytes of one file that are looked at, whatever the number of files."""
TAIL, TROUBLE = 0.5, 0.25
"""Shares of that: the end, the way to the first sign of trouble; beginning and middle halve the rest."""
_PART = 1 << 20


@dataclass(frozen=True, slots=True)
class Stretch:
    """Bytes of a file; the line that holds the first one is left out unless it begins there."""

    begin: int
    end: int


def share_of_each(budget: int, files: int) -> int:
    """Bytes of one file, where `budget` is for all of them."""
    return max(LEAST, min(MOST, budget // max(files, 1)))


def stretches(size: int, most: int, trouble: int | None = None, first: int = 0) -> list[Stretch]:
    """At most about `most` bytes of a file of `size`, in its order; all of it where it is no larger.

    `trouble` is the byte at which the first line about a failure begins, `first` the first one that is looked at.
    """
    if size - first <= most:
        return [Stretch(first, size)] if size > first else []
    tail, lead = int(most * TAIL), int(most * TROUBLE)
    rest = (most - tail - lead) // 2
    middle = (first + size) // 2
    found = [Stretch(first, first + rest), Stretch(middle, middle + rest), Stretch(size - tail, size)]
    if trouble is not None:
        found.append(Stretch(max(first, trouble - lead * 3 // 4), min(size, trouble + lead // 4)))
    return _joined(sorted(found, key=lambda s: s.begin))


def _joined(ordered: Sequence[Stretch]) -> list[Stretch]:
    out: list[Stretch] = []
    for one in ordered:
        if out and one.begin <= out[-1].end:
            out[-1] = Stretch(out[-1].begin, max(out[-1].end, one.end))
        else:
            out.append(one)
    return out


def lines_of(reader: LineReader, stretch: Stretch) -> Iterator[tuple[int, bytes]]:
    """(offset, line) of the lines that begin in a stretch, an unfinished last line of the file included."""
    at, pending = stretch.begin, b""
    skip = at > 0 and reader.bytes_at(at - 1, 1) != b"\n"
    while at < stretch.end:
        block = reader.bytes_at(at, min(_PART, stretch.end - at))
        if not block:
            break
        begin, at = at - len(pending), at + len(block)
        *whole, pending = (pending + block).split(b"\n")
        begins = [*map(add, accumulate(map(len, whole), initial=begin), count())]
        first = int(skip and bool(whole))
        yield from zip(begins[first:-1], whole[first:], strict=True)
        skip = skip and not whole
    if pending and not skip and not reader.bytes_at(at, 1):
        yield at - len(pending), pending
