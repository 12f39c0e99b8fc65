"""Walk what the user gave, once, and say what each file is."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from logtui.parsers.errors import NothingToRead, PathMissing, PathUnreadable, SourceError
from logtui.parsers.names import read_name
from logtui.parsers.sniff import HEAD_BYTES, Sniffed, sniff
from logtui.parsers.source import Compression, LogFile, Unread

SKIPPED_DIRS = frozenset({".git", "__pycache__", ".venv", "node_modules", "wandb"})
_PACKED = {".gz": Compression.GZIP, ".zst": Compression.ZSTD}
LOOKED_FOR = (
    "worker logs (SLURM .out/.err, torchrun stderr.log, *.log, *.txt), AIStore daemon logs, "
    "kernel logs, flight-recorder dumps"
)


@dataclass(frozen=True, slots=True)
class Discovery:
    """Every file below the given paths: read, or not and why."""

    files: tuple[LogFile, ...]
    unread: tuple[Unread, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    path: Path
    name: str
    info: os.stat_result


def discover(paths: Sequence[Path]) -> Discovery:
    """Walk directories and take files as given; recognise each by content first, name second.

    Raises:
        PathMissing: a given path does not exist.
        PathUnreadable: a given path cannot be listed or opened.
        NothingToRead: no file looks like a log; the message says what was looked for.
    """
    unread: list[Unread] = []
    files: list[LogFile] = []
    for found in _walk(paths, unread):
        verdict = _classify(found)
        if isinstance(verdict, Unread):
            unread.append(verdict)
        else:
            files.append(replace(verdict, index=len(files)))
    if not files:
        seen = f"{len(unread)} files seen, none of them readable as a log" if unread else "no files there"
        raise NothingToRead(paths[0], f"{seen}; looked for {LOOKED_FOR}")
    return Discovery(tuple(files), tuple(unread))


def _walk(paths: Sequence[Path], unread: list[Unread]) -> Iterator[_Found]:
    for given in paths:
        try:
            info = given.stat()
        except FileNotFoundError as error:
            raise PathMissing(given, "no such file or directory") from error
        except OSError as error:
            raise PathUnreadable(given, error.strerror or str(error)) from error
        if stat.S_ISDIR(info.st_mode):
            prefix = f"{given.name}/" if len(paths) > 1 else ""
            yield from _below(given, prefix, unread)
        else:
            yield _Found(given, given.name, info)


def _below(top: Path, prefix: str, unread: list[Unread]) -> Iterator[_Found]:
    if not os.access(top, os.R_OK | os.X_OK):
        raise PathUnreadable(top, "permission denied")

    def failed(error: OSError) -> None:
        unread.append(Unread(prefix + os.path.relpath(error.filename, top), error.strerror or str(error)))

    for folder, dirs, names in os.walk(top, onerror=failed):
        dirs[:] = sorted(d for d in dirs if d not in SKIPPED_DIRS)
        for name in sorted(names, key=_natural):
            path = Path(folder) / name
            shown = prefix + path.relative_to(top).as_posix()
            try:
                yield _Found(path, shown, path.stat())
            except OSError as error:
                unread.append(Unread(shown, error.strerror or str(error)))


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


def _classify(found: _Found) -> LogFile | Unread:
    mode = found.info.st_mode
    if not stat.S_ISREG(mode):
        kind = "named pipe" if stat.S_ISFIFO(mode) else "socket" if stat.S_ISSOCK(mode) else "device"
        return Unread(found.name, f"a {kind}, not a file")
    if found.info.st_size == 0:
        return Unread(found.name, "empty")
    packed = _PACKED.get(found.path.suffix, Compression.NONE)
    try:
        seen = sniff(found.path, found.name, packed)
    except SourceError as error:
        return Unread(found.name, error.why)
    return _as_log(found, packed, seen)


def _as_log(found: _Found, packed: Compression, seen: Sniffed) -> LogFile | Unread:
    if seen.refused:
        return Unread(found.name, seen.refused)
    return LogFile(
        index=0, path=found.path, name=found.name, size=found.info.st_size, mtime=found.info.st_mtime,
        kind=seen.kind, compression=packed, inode=found.info.st_ino, hints=read_name(found.name),
    )  # fmt: skip


__all__ = ["HEAD_BYTES", "Discovery", "discover"]
