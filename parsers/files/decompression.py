"""The text of .bz2 and .xz files, by the standard library; a bound on memory, which its file classes do not keep."""

from __future__ import annotations

from bz2 import BZ2Decompressor
from collections.abc import Callable, Mapping
from lzma import FORMAT_AUTO, LZMADecompressor
from typing import IO

from logtui.parsers.source import Compression

FEED = 1 << 16
"""Packed bytes given to the decompressor at a time."""
MOST_MEMORY = 128 << 20
"""What a stream may ask for by its header; `xz -9` needs 65 MiB."""


Decompressor = BZ2Decompressor | LZMADecompressor

MAKERS: Mapping[Compression, Callable[[], Decompressor]] = {
    Compression.BZIP2: BZ2Decompressor,
    Compression.XZ: lambda: LZMADecompressor(FORMAT_AUTO, memlimit=MOST_MEMORY),
}


class Decompressed:
    """Streams one after another, zero padding between them, read from the start.

    Raises EOFError where the data ends within a stream, and what the decompressor raises where it is damaged.
    """

    def __init__(self, raw: IO[bytes], make: Callable[[], Decompressor]) -> None:
        self._raw, self._make = raw, make
        self._state = make()

    def read1(self, size: int = FEED, /) -> bytes:
        """Up to `size` bytes of text; b"" at the end."""
        while True:
            data = b""
            if self._state.eof:
                if not (data := self._next_stream()):
                    return b""
                self._state = self._make()
            elif self._state.needs_input and not (data := self._raw.read(FEED)):
                raise EOFError("the packed data ends early")
            if text := self._state.decompress(data, size):
                return text

    def _next_stream(self) -> bytes:
        """How the stream after a finished one begins; b"" where none does."""
        rest = self._state.unused_data.lstrip(b"\0")
        while not rest and (more := self._raw.read(FEED)):
            rest = more.lstrip(b"\0")
        return rest

    def close(self) -> None:
        """Nothing to release: whoever opened the file closes it."""
