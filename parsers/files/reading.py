"""Bytes of a log file, plain or packed, by position, without reading the file into memory.

Plain files are read with `pread`, never mapped: a log that is truncated while it is read costs a short read,
not a signal. Packed files can only be read from the start; for random access their text goes once into an
unnamed temporary file, never beside the logs.
"""

from __future__ import annotations

import gzip
import os
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Protocol, cast
from weakref import finalize

from logtui.parsers.errors import PathUnreadable
from logtui.parsers.source import Compression

BLOCK = 1 << 20
"""Bytes per read: larger buffers fall out of the cache and cost four times as much."""

BOMB_FLOOR = 1 << 30
BOMB_RATIO = 1000
"""A packed file may grow to a thousand times its size (at least 1 GiB); past that it is refused as a bomb."""


class ByteSource(Protocol):
    """Random access to the text of one log. Not safe to share between threads while closing."""

    def read_at(self, offset: int, count: int) -> bytes:
        """Up to `count` bytes from `offset`; fewer at the end, b"" past it."""

    def size(self) -> int:
        """Bytes of text right now; grows with a growing file."""

    def close(self) -> None:
        """Release the descriptor."""


class TextStream(Protocol):
    """The text of one log from its start."""

    damage: str | None
    """Why it ended early, if it did."""

    def read(self, count: int) -> bytes:
        """Up to `count` bytes; b"" at the end or where the damage begins."""

    def close(self) -> None:
        """Release the descriptor."""


class PlainSource:
    """A file read in place; released when closed, or when nobody holds it any more."""

    def __init__(self, path: Path) -> None:
        try:
            self._fd = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0))
        except OSError as error:
            raise PathUnreadable(path, error.strerror or str(error)) from error
        self._release = finalize(self, os.close, self._fd)

    def read_at(self, offset: int, count: int) -> bytes:
        try:
            return os.pread(self._fd, count, offset)
        except OSError:
            return b""

    def size(self) -> int:
        return os.fstat(self._fd).st_size

    def close(self) -> None:
        self._release()


class UnpackedSource:
    """The text of a stream, which it closes, in an unnamed temporary file that vanishes with the process."""

    def __init__(self, stream: TextStream) -> None:
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=64 << 20)  # noqa: SIM115 - closed by close()
        self.damage: str | None = None
        """Why the text ends early, if it does."""
        self._size = 0
        while block := stream.read(BLOCK):
            self._file.write(block)
            self._size += len(block)
        self.damage = stream.damage
        stream.close()

    def read_at(self, offset: int, count: int) -> bytes:
        self._file.seek(offset)
        return self._file.read(count)

    def size(self) -> int:
        return self._size

    def close(self) -> None:
        self._file.close()


class _OneRead(Protocol):
    """A reader that can be asked for what one read of its source gives."""

    def read1(self, size: int = ..., /) -> bytes:
        """Up to `size` bytes."""

    def close(self) -> None:
        """Release it."""


class PackedStream:
    """A file read from its start, packed or not; ends early, and says why, where the data is damaged."""

    def __init__(self, path: Path, compression: Compression) -> None:
        self.damage: str | None = None
        self._given = 0
        try:
            self._limit = max(BOMB_FLOOR, path.stat().st_size * BOMB_RATIO)
            self._raw: IO[bytes] = path.open("rb")
        except OSError as error:
            raise PathUnreadable(path, error.strerror or str(error)) from error
        self._text = _unpacking(self._raw, compression)

    def read(self, count: int) -> bytes:
        """Up to `count` bytes; b"" at the end or where the damage begins."""
        if self.damage:
            return b""
        if self._given > self._limit:
            self.damage = f"unpacks to more than {self._limit >> 20} MiB: refused as a decompression bomb"
            return b""
        block = b"".join(self._pieces(count))
        self._given += len(block)
        return block

    def _pieces(self, count: int) -> Iterator[bytes]:
        """Up to `count` bytes, piece by piece: damage must not cost the text before it."""
        while count > 0:
            try:
                piece = self._text.read1(count)
            except _damage_errors() as error:
                self.damage = f"damaged: {error}"
                return
            if not piece:
                return
            yield piece
            count -= len(piece)

    def close(self) -> None:
        """Release the descriptor."""
        self._text.close()
        self._raw.close()


def _damage_errors() -> tuple[type[Exception], ...]:
    from lzma import LZMAError

    from logtui.parsers.files.zstd import ZstdError

    return OSError, EOFError, ValueError, LZMAError, zlib.error, ZstdError


def _unpacking(raw: IO[bytes], compression: Compression) -> _OneRead:
    if compression is Compression.NONE:
        return cast("_OneRead", raw)
    if compression is Compression.GZIP:
        return gzip.GzipFile(fileobj=raw)
    if compression in (Compression.BZIP2, Compression.XZ):
        from logtui.parsers.files.decompression import MAKERS, Decompressed

        return Decompressed(raw, MAKERS[compression])
    from logtui.parsers.files.zstd import unpacking

    return cast("_OneRead", unpacking(raw))
