"""Files of our own: private, written whole or not at all, and telling whether anything in them was changed since.

The first line is the checksum of all bytes behind it: nothing of a file is believed, or even looked at, before all
of it is known to be what was written.
"""

from __future__ import annotations

import os
import stat
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

UNFINISHED = ".new"
STALE_S = 3600.0
"""So old, an unfinished file was left by a process that was killed."""
_SEAL = b"%08x\n"
_LENGTH = len(_SEAL % 0)
_BLOCK = 1 << 20


class Damaged(Exception):
    """A file of ours is cut, changed, somebody else's, or of another version."""


def write_sealed(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write a file beside the one it replaces, and put it in its place when it is whole. Its owner alone can read it.

    Raises:
        OSError: if it cannot be written; nothing is left of it then.
    """
    import tempfile  # not on the way to what is only read

    descriptor, name = tempfile.mkstemp(dir=path.parent, suffix=UNFINISHED)  # made with mode 0600
    try:
        with os.fdopen(descriptor, "w+b") as out:
            out.write(_SEAL % 0)
            write(out)
            seal = _SEAL % _checksum(out)
            out.seek(0)
            out.write(seal)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


@contextmanager
def open_sealed(path: Path, most_bytes: int) -> Iterator[IO[bytes]]:
    """A file as it was written, from behind its seal on.

    Raises:
        OSError: if there is none, or it cannot be opened.
        Damaged: if it is not what was written, is not a file, or has more than so many bytes.
    """
    with open(path, "rb", opener=_at_once) as source:
        info = os.fstat(source.fileno())
        if info.st_uid != os.getuid():
            raise Damaged("written by somebody else")
        if not stat.S_ISREG(info.st_mode) or info.st_size > most_bytes:
            raise Damaged("not a file of ours")
        if source.read(_LENGTH) != _SEAL % _checksum(source):
            raise Damaged("changed since it was written")
        source.seek(_LENGTH)
        yield source


def forget_unfinished(folder: Path) -> None:
    """Remove what killed processes left in a folder."""
    for path in folder.glob(f"*{UNFINISHED}"):
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - STALE_S:
                path.unlink()


def _at_once(path: str, flags: int) -> int:
    """Open without waiting for somebody who writes, as a pipe of that name would."""
    return os.open(path, flags | os.O_NONBLOCK)


def _checksum(file: IO[bytes]) -> int:
    """Of all behind the seal."""
    file.seek(_LENGTH)
    crc = 0
    while block := file.read(_BLOCK):
        crc = zlib.crc32(block, crc)
    return crc
