"""Files of our own in the cache directory, the longest unused removed first."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from logtui.parsers.directories import cache_directory
from logtui.parsers.files.sealed import UNFINISHED, Damaged, forget_unfinished, open_sealed, write_sealed

CAP_BYTES = 2 << 30
"""Of all kept files together."""
MOST_BYTES = 512 << 20
"""Of one of them; a larger one is none of ours."""
INDEX, REPORT = ".index", ".report"
_ODD = (ValueError, LookupError, TypeError, AttributeError, EOFError, MemoryError, ArithmeticError, RecursionError)
"""What is raised where an undamaged file holds something else than we write."""


def kept_directory() -> Path:
    """Where indexes, and the reports made from them, are kept."""
    return cache_directory() / "index"


def keep(path: Path, write: Callable[[IO[bytes]], None]) -> bool:
    """Write a file, sealed.

    Never fails: a full disk, or a directory that cannot be written, only costs the file; whether it was written.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_sealed(path, write)
    except OSError:
        return False
    _prune(path.parent)
    return True


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
    with open_sealed(path, MOST_BYTES) as source:
        try:
            yield json.loads(source.readline(header_cap)), source
        except _ODD as error:
            raise Damaged(str(error)) from error


def _below(directory: Path) -> list[Path]:
    """Kept files and what is left of unfinished ones, the longest unused first."""
    return [path for _, path, _ in _used(directory, (INDEX, REPORT, UNFINISHED))]


def _used(directory: Path, suffixes: Collection[str]) -> list[tuple[float, Path, int]]:
    """When files were used last, and their sizes; other processes may remove them meanwhile."""
    found = []
    for suffix in suffixes:
        for path in directory.glob(f"*{suffix}"):
            with suppress(OSError):
                info = path.stat()
                found.append((info.st_mtime, path, info.st_size))
    return sorted(found)


def _prune(directory: Path) -> None:
    """Remove the longest unused files until the rest fits, and what killed processes left."""
    forget_unfinished(directory)
    kept = _used(directory, (INDEX, REPORT))
    total = sum(size for *_, size in kept)
    for _, path, size in kept:
        if total <= CAP_BYTES:
            return
        with suppress(OSError):
            path.unlink()
            total -= size
