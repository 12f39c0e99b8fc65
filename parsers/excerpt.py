"""Some lines of a file that is not there, at the numbers they had: what a case file holds of a log."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

import numpy as np

from logtui.parsers.case import Case, FileIndex
from logtui.parsers.lines import LineReader

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

    def new_reader(self, file: int) -> LineReader:
        """A reader of what is there."""
        index = self.indexes[file]
        source = ExcerptSource(self.excerpts[file])
        return LineReader(
            self.files[file], index.offsets, index.before, (index.end, index.newlines), source=source,
            held=self.held(file),
        )  # fmt: skip
