"""Any byte of a gzip stream without unpacking it to disk.

Reading forward leaves a checkpoint (a copy of the decompressor, about 40 KB) every few megabytes; a read at an
earlier byte starts from the checkpoint before it. The text is never held as a whole, in memory or on disk.
"""

from __future__ import annotations

import zlib
from bisect import bisect_right
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING

from logtui.parsers.files.reading import BLOCK, ByteSource

if TYPE_CHECKING:
    from zlib import _Decompress


CHECKPOINT_BYTES = 8 << 20
"""Text between checkpoints: what a jump backwards costs at most, some 20 ms."""
FEED = 1 << 16
"""Packed bytes given to the decompressor at a time."""
BOMB_FLOOR = 256 << 20
BOMB_RATIO = 400
"""Text past the floor that grew by more than this ratio is refused; daemon logs shrink by 5 to 50."""
_GZIP_HEADER = 31
"""zlib's code for "a gzip header, its checksum verified"."""


@dataclass(frozen=True, slots=True)
class _Checkpoint:
    text_at: int
    packed_at: int
    state: _Decompress
    pending: bytes


class GzipSource:
    """Random access to the text of a gzip stream, concatenated streams included. Safe from any thread."""

    def __init__(self, packed: ByteSource) -> None:
        self._packed = packed
        self._lock = RLock()
        self.damage: str | None = None
        """Why the text ends early, once its end was reached."""
        self._size: int | None = None
        self._state = zlib.decompressobj(_GZIP_HEADER)
        self._pending = b""
        self._packed_at = 0
        self._chunk, self._chunk_at = b"", 0
        self._points = [_Checkpoint(0, 0, self._state.copy(), b"")]

    def read_at(self, offset: int, count: int) -> bytes:
        with self._lock:
            self._seek(offset)
            out: list[bytes] = []
            while count > 0 and self._reach(offset):
                piece = self._chunk[offset - self._chunk_at : offset - self._chunk_at + count]
                out.append(piece)
                offset += len(piece)
                count -= len(piece)
            return b"".join(out)

    def size(self) -> int:
        """Bytes of text; reads to the end the first time."""
        with self._lock:
            while self._size is None:
                self._advance()
            return self._size

    def close(self) -> None:
        self._packed.close()

    def _reach(self, offset: int) -> bool:
        """Whether the current chunk holds the byte, after reading forward to it."""
        while offset >= self._chunk_at + len(self._chunk):
            if not self._advance():
                return False
        return True

    def _seek(self, offset: int) -> None:
        """Go to the last checkpoint before a byte, unless reading on from here is as near."""
        i = bisect_right(self._points, offset, key=lambda p: p.text_at) - 1
        point = self._points[i]
        if self._chunk_at <= offset and point.text_at <= self._chunk_at + len(self._chunk):
            return
        self._state, self._pending, self._packed_at = point.state.copy(), point.pending, point.packed_at
        self._chunk, self._chunk_at = b"", point.text_at

    def _advance(self) -> bool:
        """Unpack the next chunk; False at the end or where the damage begins."""
        at = self._chunk_at + len(self._chunk)
        if at - self._points[-1].text_at >= CHECKPOINT_BYTES:
            self._points.append(_Checkpoint(at, self._packed_at, self._state.copy(), self._pending))
        chunk = b"" if self._size == at else self._inflate()
        if not chunk:
            self._size = at
            return False
        self._chunk, self._chunk_at = chunk, at
        if at > max(BOMB_FLOOR, self._packed_at * BOMB_RATIO):
            self.damage = f"unpacks to more than {BOMB_RATIO} times its size: refused as a decompression bomb"
            self._size = at
            return False
        return True

    def _inflate(self) -> bytes:
        while True:
            if self._state.eof and not self._next_stream():
                return b""
            packed = self._pending or self._packed.read_at(self._packed_at, FEED)
            if not self._pending:
                self._packed_at += len(packed)
            if not packed:
                self.damage = self.damage or "damaged: the packed data ends early"
                return b""
            try:
                text = self._state.decompress(packed, BLOCK)
            except zlib.error as error:
                self.damage = f"damaged: {error}"
                return b""
            self._pending = self._state.unconsumed_tail
            if text:
                return text

    def _next_stream(self) -> bool:
        """Begin the stream that follows a finished one; zero padding ends the data."""
        rest = (self._state.unused_data + self._pending).lstrip(b"\0")
        if not rest:
            rest = self._packed.read_at(self._packed_at, FEED).lstrip(b"\0")
            self._packed_at += FEED if rest else 0
        if not rest:
            return False
        self._state, self._pending = zlib.decompressobj(_GZIP_HEADER), rest
        return True
