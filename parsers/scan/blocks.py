"""The text of a log in blocks of whole lines, through one reused buffer that stays in the cache.

A range owns the lines that *start* in it: it begins at the first line start at or after its first byte, and reads
past its end to finish its last line. A line longer than the buffer comes in pieces, cut at fixed distances from the
line's start, so that blocks are cut the same way wherever a range begins.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from logtui.parsers.errors import PathUnreadable
from logtui.parsers.files.archive import open_log, open_stream
from logtui.parsers.files.reading import BLOCK, ByteSource, TextStream
from logtui.parsers.source import LogFile

LONG_LINE = BLOCK
"""Bytes from which on a line is taken in pieces."""
CONTEXT = 4096
"""Bytes before a block that stay readable: a line without a time takes that of a line before it."""
FULL = CONTEXT + LONG_LINE
"""Bytes of a buffer that are ever filled."""
STRADDLE = 1 << 14
"""Bytes read past the end of a range at first, to finish its last line."""
SHRANK = "shrank while it was read"
"""What to say of a file that ends before the byte it was to be read to."""
COMPARED = 1 << 17
"""Bytes compared at a time, so that neither they nor the result leave the cache."""
_SLACK = 64
"""Bytes past the end that may be looked at, never used: views of line heads have a fixed width."""


def places_of(sign: int, text: bytes | bytearray, begin: int, end: int) -> npt.NDArray[np.int64]:
    """Where a byte stands in a part of a text."""
    signs = np.frombuffer(text, np.uint8)[:end]
    found = [np.flatnonzero(signs[at : at + COMPARED] == sign) + at for at in range(begin, end, COMPARED)]
    return np.concatenate([np.empty(0, np.int64), *found])


@dataclass(slots=True)
class TextBlock:
    """Whole lines of a file, inside a buffer that the next block will overwrite."""

    buffer: bytearray
    context: int
    """Index of the first byte that is known before the block."""
    begin: int
    end: int
    """The block is `buffer[begin:end]`."""
    offset: int
    """Of `buffer[begin]` in the file."""
    continued: bool = False
    """It begins inside a line, of which a piece came before."""
    ragged: bool = False
    """It is one piece of a line that goes on."""
    _newlines: npt.NDArray[np.int64] | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def piece(self) -> bool:
        """Its first line is longer than the buffer: what is here is a part of it."""
        return self.continued or self.ragged

    @property
    def newlines(self) -> npt.NDArray[np.int64]:
        """Where they are, found when first asked for."""
        if self._newlines is None:
            self._newlines = places_of(10, self.buffer, self.begin, self.end)
        return self._newlines

    def before(self, index: int) -> bytes:
        """Up to `CONTEXT` bytes that stand before an index; a newline first where they begin the file."""
        first = max(self.context, index - CONTEXT)
        at_start = self.offset - (self.begin - first) == 0
        return (b"\n" if at_start else b"") + bytes(memoryview(self.buffer)[first:index])


class Filler(Protocol):
    """Where the bytes come from."""

    @property
    def damage(self) -> str | None:
        """Why they end early, if they do."""

    def fill(self, room: memoryview, offset: int) -> int:
        """Write bytes from `offset` on into `room`; their number, 0 at the end."""

    def close(self) -> None:
        """Release the file."""


class PlainFiller:
    """A file read in place with `pread`: if it is truncated meanwhile, that is a short read, not a signal."""

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            PathUnreadable: if it cannot be opened.
        """
        self.damage: str | None = None
        try:
            self._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError as error:
            raise PathUnreadable(path, error.strerror or str(error)) from error

    def fill(self, room: memoryview, offset: int) -> int:
        try:
            return os.preadv(self._fd, [room], offset)
        except OSError as error:
            self.damage = f"cannot be read from byte {offset} on: {error.strerror}"
            return 0

    def size(self) -> int:
        """Bytes right now."""
        return os.fstat(self._fd).st_size

    def close(self) -> None:
        os.close(self._fd)


class StreamFiller:
    """A packed log, or a member of an archive, read once from its start."""

    def __init__(self, stream: TextStream) -> None:
        self._stream = stream

    @property
    def damage(self) -> str | None:
        """Why the text ends early, if it does."""
        return self._stream.damage

    def fill(self, room: memoryview, offset: int) -> int:
        piece = self._stream.read(len(room))
        room[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        self._stream.close()


class CutFiller:
    """What is read of a file of which not all is."""

    damage: str | None = None

    def __init__(self, source: ByteSource) -> None:
        self._source = source

    def fill(self, room: memoryview, offset: int) -> int:
        piece = self._source.read_at(offset, len(room))
        room[: len(piece)] = piece
        return len(piece)

    def size(self) -> int:
        """Bytes with the empty lines."""
        return self._source.size()

    def close(self) -> None:
        self._source.close()


class BlockReader:
    """Reads blocks with one buffer, one range after the other."""

    def __init__(self) -> None:
        self.buffer = bytearray(FULL + _SLACK)
        self.damage: str | None = None
        """Why the text of the last range read ended early, if it did."""

    def read(self, file: LogFile, start: int, stop: int | None) -> Iterator[TextBlock]:
        """Blocks of the lines that start in [start, stop).

        `stop` None means the end of the file as it is when opened; lines written later are not chased.

        Raises:
            PathUnreadable: if the file cannot be opened.
            ArchiveRefused: if it is a member that is not there or not to be read.
        """
        if not file.in_place:
            packed = StreamFiller(open_stream(file)) if file.cut is None else CutFiller(open_log(file))
            return self._read(packed, 0, None)
        plain = PlainFiller(file.path) if file.cut is None else CutFiller(open_log(file))
        return self._read(plain, start, plain.size() if stop is None else stop)

    def _read(self, filler: Filler, start: int, stop: int | None) -> Iterator[TextBlock]:
        try:
            window = _Window(self.buffer, filler)
            if window.seek(start):
                yield from window.blocks(stop)
            self.damage = filler.damage or window.missing(stop)
        finally:
            filler.close()


class _Window:
    """The part of a file that is in the buffer: context, then the bytes not yet given."""

    def __init__(self, buffer: bytearray, filler: Filler) -> None:
        self._buffer, self._view, self._filler = buffer, memoryview(buffer), filler
        self._context = self._low = self._high = CONTEXT
        self._offset = 0
        """Of the byte at `_low` in the file."""
        self._continued = False

    def seek(self, start: int) -> bool:
        """Go to the first line start at or after a byte; False if there is none."""
        if start == 0:
            return True
        self._offset = max(0, start - CONTEXT)
        self._context = self._low = self._high = CONTEXT - (start - self._offset)
        self._fill(CONTEXT + STRADDLE)
        newline = self._buffer.find(b"\n", CONTEXT - 1, self._high)
        while newline < 0:
            self._advance(self._high)
            self._shift()
            self._fill(FULL)
            if self._low == self._high:
                return False
            newline = self._buffer.find(b"\n", self._low, self._high)
        self._advance(newline + 1)
        return True

    def blocks(self, stop: int | None) -> Iterator[TextBlock]:
        """Every block whose lines start before `stop`."""
        while self._continued or stop is None or self._offset < stop:
            self._shift()
            end = self._next_cut(stop)
            if end == self._low:
                return
            whole = self._buffer.endswith(b"\n", self._low, end)
            ragged = not whole and end - self._low == LONG_LINE
            yield TextBlock(self._buffer, self._context, self._low, end, self._offset, self._continued, ragged)
            self._continued = ragged
            self._advance(end)

    def missing(self, stop: int | None) -> str | None:
        """What to say if the bytes ended before `stop`."""
        return None if stop is None or self._offset >= stop else SHRANK

    def _next_cut(self, stop: int | None) -> int:
        """Where the next block ends: after a newline, at the size of a long line, or at the end of the file."""
        wanted = FULL if stop is None else min(FULL, CONTEXT + max(0, stop - self._offset) + STRADDLE)
        while True:
            more = self._fill(wanted)
            end = self._last_newline(stop) + 1
            if end or not more or self._high == FULL:
                return end or self._high
            wanted = FULL

    def _last_newline(self, stop: int | None) -> int:
        """Index of the newline that ends the last line this block may hold, or -1."""
        if stop is not None and self._offset + self._high - self._low >= stop:
            last = self._buffer.find(b"\n", max(self._low, self._low + stop - self._offset - 1), self._high)
            if last >= 0:
                return last
        return self._buffer.rfind(b"\n", self._low, self._high)

    def _fill(self, wanted: int) -> bool:
        """Read until the buffer is filled up to an index; False if the file ended before."""
        while self._high < wanted:
            count = self._filler.fill(self._view[self._high : wanted], self._offset + self._high - self._low)
            if not count:
                return False
            self._high += count
        return True

    def _shift(self) -> None:
        """Move what is not given yet, and the context before it, to the front."""
        back = self._low - CONTEXT
        if back <= 0:
            return
        first = max(self._context, back)
        self._view[first - back : self._high - back] = bytes(self._view[first : self._high])
        self._context, self._low, self._high = first - back, CONTEXT, self._high - back

    def _advance(self, index: int) -> None:
        self._offset += index - self._low
        self._low = index
