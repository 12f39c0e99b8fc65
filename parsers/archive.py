"""Opens any log; those inside archives are read in place: tar, tar.gz, tar.zst, and archives inside them.

A member is admitted only if it is a plain file with a harmless relative name; everything else is refused, one
by one, with the reason, and the rest goes on. Names never touch the file system: a member is a range of bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath
from threading import Lock

from logtui.parsers.errors import ArchiveRefused, PathUnreadable
from logtui.parsers.inflate import GzipSource
from logtui.parsers.reading import ByteSource, PackedStream, PlainSource, TextStream, UnpackedSource
from logtui.parsers.source import Compression, LogFile
from logtui.parsers.tarindex import BLOCK_BYTES, TarEntry, is_tar, walk

MEMBERS_CAP = 100_000
"""Members of one archive that are looked at."""
DEPTH_CAP = 3
"""Archives inside archives that are opened."""
OPEN_ARCHIVES = 64
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.zst")


@dataclass(frozen=True, slots=True)
class Member:
    """One file inside an archive."""

    parts: tuple[str, ...]
    """Names from the outermost archive in; more than one where archives are nested."""
    size: int
    """Bytes of text that are there."""
    mtime: float
    """Seconds since the epoch, as the archive says; 0.0 where it says nothing."""
    head: bytes = field(repr=False, default=b"")
    """Its first bytes, so that it need not be opened again to be recognised."""
    damage: str = ""
    """Why its text ends early, if it does."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A member that is not read, and why."""

    parts: tuple[str, ...]
    why: str


class SlicedSource:
    """A range of bytes of another source. Closing it leaves the other open: it is shared."""

    def __init__(self, inner: ByteSource, start: int, count: int) -> None:
        self._inner, self._start, self._count = inner, start, count

    def read_at(self, offset: int, count: int) -> bytes:
        count = min(count, self._count - offset)
        return self._inner.read_at(self._start + offset, count) if count > 0 and offset >= 0 else b""

    def size(self) -> int:
        return self._count

    def close(self) -> None:
        """Nothing to release here."""


class MemberStream:
    """A member read from its start, as `PackedStream` reads a packed file."""

    def __init__(self, source: ByteSource) -> None:
        self._source = source
        self._at = 0
        self.damage: str | None = None

    def read(self, count: int) -> bytes:
        block = self._source.read_at(self._at, count)
        self._at += len(block)
        if not block and self._at < self._source.size():
            self.damage = "damaged: the member ends early"
        return block

    def close(self) -> None:
        """The archive stays open for its other members."""


class Archive:
    """One tar, whatever it is packed in; the index is made on the first walk and kept. Safe from any thread."""

    def __init__(self, packed: ByteSource, path: Path | None = None) -> None:
        self._text = _unpacked(packed, path)
        self._lock = Lock()
        self._entries: dict[str, TarEntry] = {}
        self._there: dict[str, int] = {}
        self._inner: dict[str, Archive | ByteSource] = {}

    @property
    def is_tar(self) -> bool:
        """Whether it begins as a tar does."""
        return is_tar(self._text.read_at(0, BLOCK_BYTES))

    @property
    def damage(self) -> str:
        """Why the archive ends early, as far as it was read."""
        return getattr(self._text, "damage", None) or ""

    def members(self, head_bytes: int = 0, depth: int = 1) -> Iterator[Member | Refused]:
        """Every member in order, nested archives opened; reads the archive once from start to end."""
        seen: set[str] = set()
        for n, entry in enumerate(walk(self._text)):
            if n == MEMBERS_CAP:
                yield Refused((), f"more than {MEMBERS_CAP} members: the rest is not read")
                return
            twice = "a second member of that name" if entry.name in seen else ""
            why = entry.why or _unsafe(entry.name) or twice
            if why:
                yield Refused((entry.name,), why)
                continue
            seen.add(entry.name)
            yield from self._admit(entry, head_bytes, depth)
        if self.damage:
            yield Refused((), self.damage)

    def _admit(self, entry: TarEntry, head_bytes: int, depth: int) -> Iterator[Member | Refused]:
        self._entries[entry.name] = entry
        source = SlicedSource(self._text, entry.data_at, entry.size)
        head = source.read_at(0, max(head_bytes, BLOCK_BYTES))
        if is_tar(head) or (head[:2] == _GZIP or head[:4] == _ZSTD):
            yield from self._nested(entry, source, head_bytes, depth)
            return
        there = self._available(entry)
        damage = "" if there == entry.size else f"damaged: {there} of {entry.size} bytes are there"
        yield Member((entry.name,), there, entry.mtime, head[:head_bytes], damage)

    def _available(self, entry: TarEntry) -> int:
        """Bytes of a member that can be read; less than its size where the archive is cut. Found out once."""
        if entry.name not in self._there:
            whole = entry.size == 0 or self._text.read_at(entry.data_at + entry.size - 1, 1) != b""
            left = entry.size if whole else self._text.size() - entry.data_at
            self._there[entry.name] = max(0, min(entry.size, left))
        return self._there[entry.name]

    def _nested(self, entry: TarEntry, source: ByteSource, head_bytes: int, depth: int) -> Iterator[Member | Refused]:
        if depth >= DEPTH_CAP:
            yield Refused((entry.name,), "archives nested too deep")
            return
        try:
            inner = self._open_inner(entry.name)
        except ArchiveRefused as error:
            yield Refused((entry.name,), str(error))
            return
        if not isinstance(inner, Archive):
            size, damage = inner.size(), getattr(inner, "damage", None) or ""
            yield Member((entry.name,), size, entry.mtime, inner.read_at(0, head_bytes), damage)
            return
        for found in inner.members(head_bytes, depth + 1):
            parts = (entry.name, *found.parts)
            if isinstance(found, Refused):
                yield Refused(parts, found.why)
            else:
                yield Member(parts, found.size, found.mtime, found.head, found.damage)

    def _open_inner(self, name: str) -> Archive | ByteSource:
        """A packed member: an archive of its own, or the text of a packed file."""
        if name not in self._inner:
            entry = self._entries[name]
            text = _unpacked(SlicedSource(self._text, entry.data_at, entry.size), None)
            self._inner[name] = Archive(text) if is_tar(text.read_at(0, BLOCK_BYTES)) else text
        return self._inner[name]

    def open(self, parts: tuple[str, ...]) -> ByteSource:
        """The text of a member.

        Raises:
            ArchiveRefused: if there is no such member, or it is not to be read.
        """
        with self._lock:
            if parts[0] not in self._entries:
                for _ in self.members():
                    pass
            if parts[0] not in self._entries:
                raise ArchiveRefused(f"no member {parts[0]}")
            entry = self._entries[parts[0]]
            head = self._text.read_at(entry.data_at, BLOCK_BYTES)
            if len(parts) == 1 and not is_tar(head) and head[:2] != _GZIP and head[:4] != _ZSTD:
                return SlicedSource(self._text, entry.data_at, self._available(entry))
            inner = self._open_inner(parts[0])
        return inner.open(parts[1:]) if isinstance(inner, Archive) else inner


def _unpacked(packed: ByteSource, path: Path | None) -> ByteSource:
    head = packed.read_at(0, 4)
    if head[:2] == _GZIP:
        return GzipSource(packed)
    if head != _ZSTD:
        return packed
    if path is None:
        raise ArchiveRefused("a zstd archive inside an archive")
    return UnpackedSource(path, Compression.ZSTD)


def _unsafe(name: str) -> str:
    """Why a member's name is refused; "" for a harmless one."""
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or name[1:2] == ":":
        return "an absolute path"
    if ".." in path.parts:
        return "a path that leaves the archive"
    if not path.parts or not name.isprintable():
        return "a name that is empty or not printable"
    return ""


def is_archive(path: Path) -> bool:
    """Whether a file is named as a tar and holds one. Cheap for other names.

    Raises:
        PathUnreadable: if it cannot be opened.
    """
    return path.name.endswith(_SUFFIXES) and open_archive(path).is_tar


def open_archive(path: Path) -> Archive:
    """The archive at a path; kept open and indexed while it does not change.

    Raises:
        PathUnreadable: if it cannot be opened.
    """
    try:
        info = path.stat()
    except OSError as error:
        raise PathUnreadable(path, error.strerror or str(error)) from error
    return _open(path, info.st_mtime_ns, info.st_size)


@lru_cache(maxsize=OPEN_ARCHIVES)
def _open(path: Path, mtime_ns: int, size: int) -> Archive:
    return Archive(PlainSource(path), path)


def open_member(path: Path, parts: tuple[str, ...]) -> ByteSource:
    """The text of one member of an archive.

    Raises:
        PathUnreadable: if the archive cannot be opened.
        ArchiveRefused: if the member is not there or not to be read.
    """
    return open_archive(path).open(parts)


def open_stream(file: LogFile) -> TextStream:
    """Read a packed log, or a member of an archive, from its start.

    Raises:
        PathUnreadable: if it cannot be opened.
        ArchiveRefused: if the member is not there or not to be read.
    """
    if file.member:
        return MemberStream(open_member(file.path, file.member))
    return PackedStream(file.path, file.compression)


def open_source(path: Path, compression: Compression, member: tuple[str, ...] = ()) -> ByteSource:
    """Open a log, or a member of the archive at `path`, for random access.

    Raises:
        PathUnreadable: if it cannot be opened.
        ArchiveRefused: if the member is not there or not to be read.
    """
    if member:
        return open_member(path, member)
    return PlainSource(path) if compression is Compression.NONE else UnpackedSource(path, compression)
