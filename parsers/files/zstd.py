"""Zstandard as the standard library has it from Python 3.14 on; before that, the same module from its backport."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO

if sys.version_info >= (3, 14):
    from compression.zstd import (
        CompressionParameter,
        DecompressionParameter,
        ZstdCompressor,
        ZstdDecompressor,
        ZstdError,
        ZstdFile,
        compress,
    )
else:
    from backports.zstd import (
        CompressionParameter,
        DecompressionParameter,
        ZstdCompressor,
        ZstdDecompressor,
        ZstdError,
        ZstdFile,
        compress,
    )

WINDOW: dict[int, int] = {DecompressionParameter.window_log_max: 27}
"""The largest window that is unpacked, 128 MiB: what `zstd` itself accepts without being told to."""


def unpacking(raw: IO[bytes] | Path) -> ZstdFile:
    """The text of all frames, one after the other."""
    return ZstdFile(raw, options=WINDOW)


__all__ = [
    "WINDOW",
    "CompressionParameter",
    "ZstdCompressor",
    "ZstdDecompressor",
    "ZstdError",
    "ZstdFile",
    "compress",
    "unpacking",
]
