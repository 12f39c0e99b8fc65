"""Opens any log. Those in zips and tars (packed or not) are read in place, archives in archives too.

A member is admitted only if it is a plain file with a harmless relative name; everything else is refused, one
by one, with the reason, and the rest goes on. Names never touch the file system: a member is a range of bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath
from threading import Lock

from logtui.parsers.errors import ArchiveRefused, PathUnreadable
from logtui.parsers.files.cut_source import CutSource
from logtui.parsers.files.entry import Deflated, Entry
from logtui.parsers.files.inflate import GzipSource
from logtui.parsers.files.reading import ByteSource, PackedStream, PlainSource, TextStream, UnpackedSource
from logtui.parsers.files.tar_headers import BLOCK_BYTES, is_tar, walk
from logtui.parsers.files.transcoding import recoded
from logtui.parsers.files.zip_headers import is_zip, walk_zip
from logtui.parsers.source import Compression, LogFile

MEMBERS_CAP = 100_000
"""Members of one archive that are looked at."""
DEPTH_CAP = 3
"""Archives inside archives that are opened."""
OPEN_ARCHIVES = 64
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_GZIP_FRAME = _GZIP + b"\x08" + bytes(7)
"""The shortest header of a gzip stream."""
_BY_SUFFIX = {
    ".tar.bz2": Compression.BZIP2, ".tbz2": Compression.BZIP2, ".tar.xz": Compression.XZ, ".txz": Compression.XZ,
}  # fmt: skip
"""Unpacked as a whole before they are read."""
_SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst", *_BY_SUFFIX)


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


class DeflatedSource(SlicedSource):
    """The packed bytes of a zip's member between the header and the trailer that make them a gzip stream."""

    def __init__(self, inner: ByteSource, start: int, deflated: Deflated, size: int) -> None:
        super().__init__(inner, start, deflated.size)
        self._trailer = struct.pack("<2L", deflated.crc, size & 0xFFFFFFFF)

    def read_at(self, offset: int, count: int) -> bytes:
        head = _GZIP_FRAME[offset : offset + count]
        offset, count = offset + len(head) - len(_GZIP_FRAME), count - len(head)
        body = super().read_at(offset, count)
        offset, count = offset + len(body) - self._count, count - len(body)
        return head + body + (self._trailer[offset : offset + count] if offset >= 0 else b"")

    def size(self) -> int:
        return len(_GZIP_FRAME) + self._count + len(self._trailer)


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
    """A zip, or a tar, whatever it is packed in; the index is made on the first walk and kept. Safe from any thread."""

    def __init__(self, packed: ByteSource, path: Path | None = None) -> None:
        self._text = _unpacked(packed, path)
        self._lock = Lock()
        self._entries: dict[str, Entry] = {}
        self._there: dict[str, int] = {}
        self._inner: dict[str, Archive | ByteSource] = {}
        self._sources: dict[str, ByteSource] = {}

    @property
    def is_one(self) -> bool:
        """Whether it begins as an archive does."""
        return _is_archive(self._text.read_at(0, BLOCK_BYTES))

    @property
    def damage(self) -> str:
        """Why the archive ends early, as far as it was read."""
        return getattr(self._text, "damage", None) or ""

    def members(self, head_bytes: int = 0, depth: int = 1) -> Iterator[Member | Refused]:
        """Every member in order, nested archives opened; reads the archive once from start to end."""
        seen: set[str] = set()
        for n, entry in enumerate(self._walk()):
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

    def _admit(self, entry: Entry, head_bytes: int, depth: int) -> Iterator[Member | Refused]:
        self._entries[entry.name] = entry
        source = self._source(entry)
        head = source.read_at(0, max(head_bytes, BLOCK_BYTES))
        if _is_packed(head):
            yield from self._nested(entry, source, head_bytes, depth)
            return
        there = self._available(entry)
        short = "" if there == entry.size else f"damaged: {there} of {entry.size} bytes are there"
        damage = getattr(source, "damage", None) or short
        yield Member((entry.name,), there, entry.mtime, head[:head_bytes], damage)

    def _walk(self) -> Iterator[Entry]:
        return walk_zip(self._text) if is_zip(self._text.read_at(0, 4)) else walk(self._text)

    def _source(self, entry: Entry) -> ByteSource:
        """A member's bytes, as they are in a tar, unpacked in a zip. One source for all: it keeps where it has been."""
        if entry.name not in self._sources:
            packed = entry.deflated and DeflatedSource(self._text, entry.data_at, entry.deflated, entry.size)
            plain = SlicedSource(self._text, entry.data_at, entry.size)
            self._sources[entry.name] = GzipSource(packed) if packed else plain
        return self._sources[entry.name]

    def _available(self, entry: Entry) -> int:
        """Bytes of a member that can be read; less than its size where the archive is cut. Found out once."""
        if entry.name not in self._there:
            if entry.deflated:
                self._there[entry.name] = self._source(entry).size()
                return self._there[entry.name]
            whole = entry.size == 0 or self._text.read_at(entry.data_at + entry.size - 1, 1) != b""
            left = entry.size if whole else self._text.size() - entry.data_at
            self._there[entry.name] = max(0, min(entry.size, left))
        return self._there[entry.name]

    def _nested(self, entry: Entry, source: ByteSource, head_bytes: int, depth: int) -> Iterator[Member | Refused]:
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
            text = _unpacked(self._source(entry), None)
            self._inner[name] = Archive(text) if _is_archive(text.read_at(0, BLOCK_BYTES)) else text
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
            source = self._source(entry)
            if len(parts) == 1 and not _is_packed(source.read_at(0, BLOCK_BYTES)):
                return SlicedSource(source, 0, self._available(entry))
            inner = self._open_inner(parts[0])
        return inner.open(parts[1:]) if isinstance(inner, Archive) else inner


def _is_archive(head: bytes) -> bool:
    return is_zip(head) or is_tar(head)


def _is_packed(head: bytes) -> bool:
    return _is_archive(head) or head[:2] == _GZIP or head[:4] == _ZSTD


def _unpacked(packed: ByteSource, path: Path | None) -> ByteSource:
    head = packed.read_at(0, 4)
    if head[:2] == _GZIP:
        return GzipSource(packed)
    packing = next((c for suffix, c in _BY_SUFFIX.items() if path is not None and path.name.endswith(suffix)), None)
    if path is not None and packing is not None:
        return UnpackedSource(PackedStream(path, packing))
    if head != _ZSTD:
        return packed
    if path is None:
        raise ArchiveRefused("a zstd archive inside an archive")
    return UnpackedSource(PackedStream(path, Compression.ZSTD))


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
    """Whether a file is named as an archive and is one. Cheap for other names.

    Raises:
        PathUnreadable: if it cannot be opened.
    """
    return path.name.endswith(_SUFFIXES) and open_archive(path).is_one


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
    """Read a log from its start, unpacked and decoded.

    Raises:
        PathUnreadable: if it cannot be opened.
        ArchiveRefused: if the member is not there or not to be read.
    """
    if file.member:
        return recoded(MemberStream(open_member(file.path, file.member)), file.codings)
    return recoded(PackedStream(file.path, file.compression), file.codings)


def open_log(file: LogFile) -> ByteSource:
    """Open what is read of a log, for random access.

    Raises:
        PathUnreadable: if it cannot be opened.
        ArchiveRefused: if the member is not there or not to be read.
    """
    source: ByteSource
    if file.in_place:
        source = PlainSource(file.path)
    elif file.member and not file.codings:
        source = open_member(file.path, file.member)
    else:
        source = UnpackedSource(open_stream(file))
    return source if file.cut is None else CutSource(source, file.cut)
