"""Walk what the user gave, once, and say what each file is."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import dataclass, replace
from pathlib import Path

from logtui.parsers.archive import Refused, is_archive, open_archive
from logtui.parsers.case_file_mark import is_case_file
from logtui.parsers.errors import ArchiveRefused, NothingToRead, SourceError
from logtui.parsers.listing import Found, Listing, list_files
from logtui.parsers.names import read_name
from logtui.parsers.sniff import HEAD_BYTES, Sniffed, sniff, sniff_head
from logtui.parsers.source import EMPTY, Compression, Discovery, FileKind, LogFile, Unread

_PACKED = {".gz": Compression.GZIP, ".zst": Compression.ZSTD}
LOOKED_FOR = (
    "worker logs (SLURM .out/.err, torchrun stderr.log, *.log, *.txt), AIStore daemon logs, "
    "kernel logs, flight-recorder dumps"
)


LOOKED_AT_TOGETHER = 32
"""Files that one process looks at in one go."""


@dataclass(frozen=True, slots=True)
class Look:
    """The files of a listing, being looked at: here and when asked, or by others since this was made."""

    unread: tuple[Unread, ...]
    files: tuple[Found | Unread, ...]
    """Those that were seen before under another name are unread."""
    verdicts: Iterator[list[LogFile | Unread]]
    """Of each file that is not unread, in order."""


def look(listing: Listing, executor: Executor | None = None) -> Look:
    """Begin to look at files, in the processes of an executor if one is given."""
    files = tuple(_distinct(listing.files))
    found = [file for file in files if isinstance(file, Found)]
    return Look(listing.unread, files, map(_classified, found) if executor is None else _elsewhere(found, executor))


def _elsewhere(found: Sequence[Found], executor: Executor) -> Iterator[list[LogFile | Unread]]:
    """What processes say of files; what they leave to be said because one of them died is said here."""
    anywhere = [replace(file, path=file.path.absolute()) for file in found]
    try:
        some = executor.map(_classified, anywhere, chunksize=LOOKED_AT_TOGETHER)
    except BrokenExecutor:
        return map(_classified, found)

    def verdicts() -> Iterator[list[LogFile | Unread]]:
        told = 0
        try:
            for verdict in some:
                yield verdict
                told += 1
        except BrokenExecutor:
            yield from map(_classified, found[told:])

    return verdicts()


def discover(paths: Sequence[Path], seen: Look | None = None) -> Discovery:
    """Walk directories and take files as given; recognise each by content first, name second.

    `seen` are the files of the paths where somebody has begun to look at them.

    Raises:
        PathMissing: a given path does not exist.
        PathUnreadable: a given path cannot be listed or opened.
        NothingToRead: no file looks like a log; the message says what was looked for.
    """
    seen = seen or look(list_files(paths))
    unread = list(seen.unread)
    files: list[LogFile] = []
    for found in seen.files:
        if isinstance(found, Unread):
            unread.append(found)
            continue
        for verdict in next(seen.verdicts):
            if isinstance(verdict, Unread):
                unread.append(verdict)
            else:
                files.append(replace(verdict, index=len(files), path=found.path))
    if not files:
        what = f"{len(unread)} files seen, none of them readable as a log" if unread else "no files there"
        raise NothingToRead(paths[0], f"{what}; looked for {LOOKED_FOR}")
    return Discovery(tuple(files), tuple(unread))


def _distinct(found: Iterable[Found]) -> Iterator[Found | Unread]:
    """Each file once, however many links and given paths lead to it: its lines must not count twice."""
    names: dict[tuple[int, int], str] = {}
    for file in found:
        key = file.info.st_dev, file.info.st_ino
        if key in names:
            yield Unread(file.name, f"the same file as {names[key]}")
            continue
        names[key] = file.name
        yield file


def _classified(found: Found) -> list[LogFile | Unread]:
    return list(_classify(found))


def _classify(found: Found) -> Iterator[LogFile | Unread]:
    mode = found.info.st_mode
    if not stat.S_ISREG(mode):
        kind = "named pipe" if stat.S_ISFIFO(mode) else "socket" if stat.S_ISSOCK(mode) else "device"
        yield Unread(found.name, f"a {kind}, not a file")
        return
    if found.info.st_size == 0:
        yield Unread(found.name, EMPTY)
        return
    try:
        if found.path.suffix == ".zst" and is_case_file(found.path):
            yield Unread(found.name, "a case file of logtui, which is opened by itself")
            return
        if is_archive(found.path):
            yield from _members(found)
            return
        packed = _PACKED.get(found.path.suffix, Compression.NONE)
        yield _as_log(found, packed, sniff(found.path, found.name, packed))
    except (SourceError, ArchiveRefused) as error:
        yield Unread(found.name, error.why if isinstance(error, SourceError) else str(error))


def _as_log(found: Found, packed: Compression, seen: Sniffed) -> LogFile | Unread:
    if seen.refused:
        return Unread(found.name, seen.refused)
    return LogFile(
        index=0, path=found.path, name=found.name, size=found.info.st_size, mtime=found.info.st_mtime,
        kind=seen.kind, compression=seen.coded or packed, inode=found.info.st_ino, hints=read_name(found.name),
        wrapping=seen.wrapping,
    )  # fmt: skip


def _members(found: Found) -> Iterator[LogFile | Unread]:
    """The logs inside an archive, shown as `archive.tar.gz!member`."""
    for member in open_archive(found.path).members(HEAD_BYTES):
        name = "!".join((found.name, *member.parts))
        if isinstance(member, Refused):
            yield Unread(name, member.why)
            continue
        seen = sniff_head(member.head, name) if member.size else Sniffed(FileKind.UNKNOWN, EMPTY)
        if seen.refused:
            yield Unread(name, seen.refused)
            continue
        if member.damage:
            yield Unread(name, member.damage)
        yield LogFile(
            index=0, path=found.path, name=name, size=member.size, mtime=member.mtime or found.info.st_mtime,
            kind=seen.kind, compression=Compression.TAR, inode=found.info.st_ino,
            hints=read_name(name.replace("!", "/")), member=member.parts, wrapping=seen.wrapping,
        )  # fmt: skip


__all__ = ["HEAD_BYTES", "Discovery", "Look", "discover", "look"]
