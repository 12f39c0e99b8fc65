"""Files of our own in the cache directory: private, replaced as a whole, the longest unused removed first."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from logtui.parsers.directories import cache_directory

CAP_BYTES = 2 << 30
"""Of all kept files together."""
STALE_S = 3600.0
INDEX, REPORT, UNFINISHED = ".index", ".report", ".new"


class Damaged(Exception):
    """A kept file is cut, changed, somebody else's, or of another version."""


def kept_directory() -> Path:
    """Where indexes, and the reports made from them, are kept."""
    return cache_directory() / "index"


def keep(path: Path, write: Callable[[IO[bytes]], None]) -> bool:
    """Write a file beside the one it replaces, and put it in its place when it is whole. Its owner alone can read it.

    Never fails: a full disk, or a directory that cannot be written, only costs the file; whether it was written.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(path, write)
        _prune(path.parent)
    except OSError:
        return False
    return True


def _write(path: Path, write: Callable[[IO[bytes]], None]) -> None:
    import tempfile  # not on the way to what is only read

    descriptor, name = tempfile.mkstemp(dir=path.parent, suffix=UNFINISHED)  # made with mode 0600
    try:
        with os.fdopen(descriptor, "wb") as out:
            write(out)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def clear() -> int:
    """Remove all kept files; how many there were."""
    removed = 0
    for path in _below(kept_directory()):
        with suppress(OSError):
            path.unlink()
            removed += path.suffix != UNFINISHED
    return removed


@contextmanager
def opened(path: Path, header_cap: int = 1 << 12) -> Iterator[tuple[dict[str, Any], IO[bytes]]]:
    """A kept file behind its first line, and that line, which is JSON of so many bytes at most.

    Raises:
        OSError: if there is none, or it cannot be opened.
        Damaged: if anything that is read of it inside the `with` does not add up.
    """
    with path.open("rb") as source:
        if os.fstat(source.fileno()).st_uid != os.getuid():
            raise Damaged("written by somebody else")
        try:
            yield json.loads(source.readline(header_cap)), source
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, EOFError, MemoryError) as error:
            raise Damaged(str(error)) from error


def _below(directory: Path) -> list[Path]:
    """Kept files and what is left of unfinished ones, the longest unused first."""
    try:
        found = [(entry.stat().st_mtime, Path(entry)) for entry in os.scandir(directory) if entry.is_file()]
    except OSError:
        return []
    return [path for _, path in sorted(found) if path.suffix in (INDEX, REPORT, UNFINISHED)]


def _prune(directory: Path) -> None:
    """Remove the longest unused files until the rest fits, and what killed processes left."""
    kept = [(path, path.stat()) for path in _below(directory)]
    total = sum(info.st_size for _, info in kept)
    for path, info in kept:
        stale = path.suffix == UNFINISHED and info.st_mtime < time.time() - STALE_S
        if stale or total > CAP_BYTES:
            path.unlink()
            total -= info.st_size
