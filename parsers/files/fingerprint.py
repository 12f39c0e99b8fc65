"""Whether a file is still the one that was read: unchanged, grown at its end, or another."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import Enum
from hashlib import blake2b
from pathlib import Path

EDGE = 4096
"""Bytes at the start of a file, and before the place where reading stopped, that must be the same."""


class Change(Enum):
    """What happened to a file since it was read."""

    NONE = "unchanged"
    GROWN = "grown"
    OTHER = "replaced, truncated or rewritten"


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A file as it was when it was read up to some byte."""

    inode: int
    size: int
    mtime_ns: int
    head: str
    """Digest of its first bytes."""
    tail: str
    """Digest of the last bytes before `upto`."""
    upto: int
    """A byte that begins a line; everything before it is known."""


def take(path: Path, upto: int) -> Fingerprint | None:
    """The fingerprint of a file that was read up to a byte; None if it cannot be read any more."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        info = os.fstat(descriptor)
        begin = max(0, upto - EDGE)
        head, tail = os.pread(descriptor, min(EDGE, upto), 0), os.pread(descriptor, upto - begin, begin)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return Fingerprint(info.st_ino, info.st_size, info.st_mtime_ns, _digest(head), _digest(tail), upto)


def compare(path: Path, known: Fingerprint) -> Change:
    """What happened to a file since its fingerprint was taken."""
    now = take(path, known.upto)
    if now is None or (now.inode, now.head, now.tail) != (known.inode, known.head, known.tail):
        return Change.OTHER
    if (now.size, now.mtime_ns) == (known.size, known.mtime_ns):
        return Change.NONE
    return Change.GROWN if now.size > known.size else Change.OTHER


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()
