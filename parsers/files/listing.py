"""What stands below the paths the user gave: names and facts of files, before any of them is opened."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from logtui.parsers.clean import clean
from logtui.parsers.errors import PathMissing, PathUnreadable
from logtui.parsers.files import tracker_copies
from logtui.parsers.files.found import Found
from logtui.parsers.source import Unread

SKIPPED_DIRS = frozenset({".git", "__pycache__", ".venv", "node_modules"})


@dataclass(frozen=True, slots=True)
class Listing:
    """All files below some paths, in the order they are read, and what could not be looked at."""

    files: tuple[Found, ...]
    unread: tuple[Unread, ...]

    @property
    def bytes(self) -> int:
        """On disk, all files together."""
        return sum(found.info.st_size for found in self.files)


def list_files(paths: Sequence[Path], within: Sequence[Path] = ()) -> Listing:
    """Walk directories and take files as given.

    With `within`, resolved directories, what leads out of them is not listed but told as unread.

    Raises:
        PathMissing: a given path does not exist.
        PathUnreadable: a given path cannot be listed.
    """
    unread: list[Unread] = []
    files = [found for found in _walk(paths, unread) if _lies(found, within, unread)]
    return Listing(tracker_copies.settle(files, {*paths}, unread), tuple(unread))


def _lies(found: Found, within: Sequence[Path], unread: list[Unread]) -> bool:
    if not within or any(found.path.resolve().is_relative_to(top) for top in within):
        return True
    unread.append(Unread(found.name, "leads out of the given paths"))
    return False


def _shown(name: str) -> str:
    """A name of any bytes, as text that is safe to show."""
    return clean(os.fsencode(name))


def _walk(paths: Sequence[Path], unread: list[Unread]) -> Iterator[Found]:
    for given in paths:
        try:
            info = given.stat()
        except FileNotFoundError as error:
            raise PathMissing(given, "no such file or directory") from error
        except OSError as error:
            raise PathUnreadable(given, error.strerror or str(error)) from error
        if stat.S_ISDIR(info.st_mode):
            yield from _below(given, _prefix(given, paths), unread)
        else:
            yield Found(given, _shown(str(given)), info)


def _prefix(given: Path, paths: Sequence[Path]) -> str:
    """What tells the files of one given directory from those of the others."""
    if len(paths) == 1:
        return ""
    alone = given.name and sum(p.name == given.name for p in paths) == 1
    return _shown(given.name if alone else str(given)) + "/"


def _below(top: Path, prefix: str, unread: list[Unread]) -> Iterator[Found]:
    if not os.access(top, os.R_OK | os.X_OK):
        raise PathUnreadable(top, "permission denied")

    def failed(error: OSError) -> None:
        unread.append(Unread(prefix + _shown(os.path.relpath(error.filename, top)), error.strerror or str(error)))

    for folder, dirs, names in os.walk(top, onerror=failed):
        dirs[:] = sorted(d for d in dirs if d not in SKIPPED_DIRS)
        below = Path(folder).relative_to(top)
        inside = below.as_posix()
        names = [name for name in names if tracker_copies.is_kept(below, name)]
        before = prefix if inside == "." else f"{prefix}{_shown(inside)}/"
        # A link to a log beside it, as AIStore leaves one, must not hide the log's own name.
        for name in sorted(names, key=lambda n: (os.path.islink(f"{folder}/{n}"), _natural(n))):  # noqa: PTH114 - fast
            path = Path(folder, name)
            try:
                yield Found(path, before + _shown(name), path.stat())
            except OSError as error:
                unread.append(Unread(before + _shown(name), error.strerror or str(error)))


def _natural(name: str) -> list[tuple[int, int | str]]:
    """Sort key under which `rank2` comes before `rank10`."""
    parts: list[tuple[int, int | str]] = []
    for is_digit, run in _runs(name):
        parts.append((0, int(run)) if is_digit else (1, run))
    return parts


def _runs(name: str) -> Iterable[tuple[bool, str]]:
    start = 0
    for i in range(1, len(name) + 1):
        if i == len(name) or name[i].isdecimal() != name[start].isdecimal():
            yield name[start].isdecimal(), name[start:i]
            start = i
