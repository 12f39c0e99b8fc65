"""What tells a case file, a diagnosis saved with its lines, from logs: its first member, whatever its name."""

from __future__ import annotations

from pathlib import Path

HEAD = "logtui-case.json"
"""The first member."""
_MAGIC = b"\x28\xb5\x2f\xfd"


def is_case_file(path: Path) -> bool:
    """Whether a path is a case file; False for what cannot be read."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as raw:
            packed = raw.read(1 << 17)
    except OSError:
        return False
    return packed.startswith(_MAGIC) and _unpacked_head(packed).startswith(HEAD.encode() + b"\0")


def _unpacked_head(packed: bytes) -> bytes:
    from logtui.parsers.files.zstd import WINDOW, ZstdDecompressor, ZstdError

    try:
        return ZstdDecompressor(options=WINDOW).decompress(packed, 512)
    except ZstdError:
        return b""
