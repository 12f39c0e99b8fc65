"""One member as the headers of an archive state it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deflated:
    """How a member of a zip is packed: bytes in the archive, and the CRC-32 that its text must have."""

    size: int
    crc: int


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a member's bytes are. `why` says why it must not be read, if so."""

    name: str
    size: int
    """Bytes of text."""
    mtime: float
    """Seconds since the epoch; 0.0 where the archive says nothing."""
    data_at: int
    why: str = ""
    deflated: Deflated | None = None
