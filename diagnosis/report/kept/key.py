"""One digest over everything a report depends on: logs, options, and the program itself."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from logtui.parsers.files.fingerprint import take
from logtui.parsers.files.found import Found
from logtui.parsers.files.listing import Listing
from logtui.parsers.scan.program import READERS, program

JUDGES = "logtui.diagnosis"
Part = str | int | float | None


class Look(NamedTuple):
    """How everything that a report depends on was at some moment."""

    at_ns: int
    """Before the first file was looked at."""
    key: str
    found: bool
    """Whether a report is kept for that."""


def key_of(settings: Sequence[Part], listings: Sequence[Listing]) -> str:
    """The digest of some settings and of the files in some listings as they are now."""
    digest = blake2b(program(READERS, JUDGES).encode(), digest_size=16)
    for part in settings:
        digest.update(f"{part!r}\n".encode())
    for listing in listings:
        places: dict[tuple[int, int], int] = {}
        for found in listing.files:
            same = places.setdefault((found.info.st_dev, found.info.st_ino), len(places))
            digest.update(repr((same, *_described(found))).encode())
        digest.update(repr(listing.unread).encode())
    return digest.hexdigest()


def _described(found: Found) -> tuple[object, ...]:
    """A file as it is now. A changed line leaves its traces in the times, whatever is done to hide it."""
    info = found.info
    edges = take(found.path, info.st_size) if info.st_size else None
    return found.name, info.st_mode, info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns, edges


def last_change_ns(listings: Sequence[Listing]) -> int:
    """When any of the files was last written or renamed, as its file system says."""
    files = [found.info for listing in listings for found in listing.files]
    return max((max(info.st_mtime_ns, info.st_ctime_ns) for info in files), default=0)
