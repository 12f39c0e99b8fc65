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
    """The text of a packed file, in an unnamed temporary file that vanishes with the process."""

    def __init__(self, path: Path, compression: Compression) -> None:
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=64 << 20)  # noqa: SIM115 - closed by close()
        self.damage: str | None = None
        """Why the text ends early, if it does."""
        self._size = 0
        stream = PackedStream(path, compression)
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
    """A packed file read from its start; ends early, and says why, where the data is damaged."""

    def __init__(self, path: Path, compression: Compression) -> None:
        self.damage: str | None = None
        self._given = 0
        self._compression = compression
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
                self.damage = self._cut_short()
                return
            yield piece
            count -= len(piece)

    def _cut_short(self) -> str | None:
        """What is wrong with an end the decompressor did not complain of."""
        cut = self._compression is Compression.ZSTD and ends_early(self._raw)
        return "damaged: the packed data ends early" if cut else None

    def close(self) -> None:
        """Release the descriptor."""
        self._text.close()
        self._raw.close()


def _damage_errors() -> tuple[type[Exception], ...]:
    from lzma import LZMAError

    import zstandard

    return OSError, EOFError, ValueError, LZMAError, zlib.error, zstandard.ZstdError


def _unpacking(raw: IO[bytes], compression: Compression) -> _OneRead:
    if compression is Compression.GZIP:
        return gzip.GzipFile(fileobj=raw)
    if compression in (Compression.BZIP2, Compression.XZ):
        from logtui.parsers.files.decompression import MAKERS, Decompressed

        return Decompressed(raw, MAKERS[compression])
    if compression in (Compression.JSON, Compression.PAGE, Compression.UTF16):
        from logtui.parsers.files.transcoding import READERS

        return READERS[compression](raw)
    import zstandard

    reader = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(raw, read_across_frames=True)
    return cast("_OneRead", reader)


# -- Frames of a .zst file
#
# The decompressor ends a cut file as quietly as a whole one.
# Layout after RFC 8878: frames of a header, blocks of at most 128 KiB, and perhaps a checksum.

MAGIC = b"\x28\xb5\x2f\xfd"
_RLE = 1
_DICTIONARY_ID_BYTES = (0, 1, 2, 4)
_CONTENT_SIZE_BYTES = (0, 2, 4, 8)


class _Cut(Exception):
    """The file ended inside a frame."""


def ends_early(raw: IO[bytes]) -> bool:
    """Whether a file of frames stops inside one. Reads a few bytes of each block and skips the rest."""
    size = raw.seek(0, os.SEEK_END)
    raw.seek(0)
    try:
        while magic := raw.read(4):
            if magic == MAGIC:
                _skip_frame(raw, size)
            elif magic[1:] == b"\x2a\x4d\x18" and magic[0] >> 4 == 5:
                _skip(raw, int.from_bytes(_take(raw, 4), "little"), size)
            else:
                return len(magic) < 4
    except _Cut:
        return True
    return False


def _skip_frame(raw: IO[bytes], size: int) -> None:
    descriptor = _take(raw, 1)[0]
    single_segment, checksum = descriptor >> 5 & 1, descriptor >> 2 & 1
    content_size = _CONTENT_SIZE_BYTES[descriptor >> 6] or single_segment
    _skip(raw, (1 - single_segment) + _DICTIONARY_ID_BYTES[descriptor & 3] + content_size, size)
    last = False
    while not last:
        header = int.from_bytes(_take(raw, 3), "little")
        last = bool(header & 1)
        _skip(raw, 1 if header >> 1 & 3 == _RLE else header >> 3, size)
    _skip(raw, 4 * checksum, size)


def _take(raw: IO[bytes], count: int) -> bytes:
    data = raw.read(count)
    if len(data) < count:
        raise _Cut
    return data


def _skip(raw: IO[bytes], count: int, size: int) -> None:
    if raw.seek(count, os.SEEK_CUR) > size:
        raise _Cut
