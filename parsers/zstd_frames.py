"""Whether a .zst file is whole. The decompressor ends a cut file as quietly as a whole one.

Layout after RFC 8878: frames of a header, blocks of at most 128 KiB, and perhaps a checksum.
"""

from __future__ import annotations

import os
from typing import IO

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
