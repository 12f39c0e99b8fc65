"""Opens any log; those inside tars, plain or packed (gzip, zstd, bzip2, xz), are read in place; archives inside too.

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
from logtui.parsers.files.inflate import GzipSource
from logtui.parsers.files.reading import ByteSource, PackedStream, PlainSource, TextStream, UnpackedSource
from logtui.parsers.numbers import epoch, real
from logtui.parsers.source import Compression, LogFile

MEMBERS_CAP = 100_000
"""Members of one archive that are looked at."""
DEPTH_CAP = 3
"""Archives inside archives that are opened."""
OPEN_ARCHIVES = 64
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_BY_SUFFIX = {
    ".tar.bz2": Compression.BZIP2, ".tbz2": Compression.BZIP2, ".tar.xz": Compression.XZ, ".txz": Compression.XZ,
}  # fmt: skip
"""Unpacked as a whole before they are read."""
_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.zst", *_BY_SUFFIX)


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
    packing = next((c for suffix, c in _BY_SUFFIX.items() if path is not None and path.name.endswith(suffix)), None)
    if path is not None and packing is not None:
        return UnpackedSource(path, packing)
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


# -- Headers of a tar: damaged ones are skipped, not trusted
#
# Reads the ustar, GNU and pax layouts. Nothing is ever extracted: an entry says where its bytes are.

BLOCK_BYTES = 512
RESYNC_BYTES = 64 << 20
"""How far after a damaged header the next good one is looked for."""
EXTENSION_CAP = 1 << 16
"""Bytes of a long name or a pax header that are read; longer ones are refused."""
_FILE, _DIRECTORY = frozenset({b"0", b"\0", b"7"}), b"5"
_DATALESS = frozenset({b"1", b"2", b"3", b"4", b"5", b"6"})
_REFUSED = {
    b"1": "a hard link, not a file", b"2": "a symbolic link, not a file", b"3": "a device, not a file",
    b"4": "a device, not a file", b"6": "a named pipe, not a file", b"S": "a sparse file",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TarEntry:
    """One member. `why` says why it must not be read, if so."""

    name: str
    size: int
    mtime: float
    data_at: int
    why: str = ""


@dataclass(slots=True)
class _Override:
    """What a long-name or pax header says about the member after it."""

    name: str | None = None
    size: int | None = None
    mtime: float | None = None


def is_tar(head: bytes) -> bool:
    """Whether these first bytes are a tar header."""
    return len(head) >= BLOCK_BYTES and _checksum_holds(head[:BLOCK_BYTES])


def walk(source: ByteSource) -> Iterator[TarEntry]:
    """All members in order; directories are left out, damaged headers give an entry that says so."""
    at, override = 0, _Override()
    while header := source.read_at(at, BLOCK_BYTES):
        if header.count(0) == BLOCK_BYTES:
            return
        if len(header) < BLOCK_BYTES or not _checksum_holds(header):
            found = _resync(source, at + BLOCK_BYTES)
            yield TarEntry(f"byte {at}", 0, 0.0, at, "damaged: a broken header")
            if found is None:
                return
            at, override = found, _Override()
            continue
        kind, size, data_at = header[156:157], _number(header[124:136]), at + BLOCK_BYTES
        at = data_at + _padded(size)
        if kind in b"LKxg":
            _extend(override, kind, source.read_at(data_at, min(size, EXTENSION_CAP)))
            continue
        entry = _entry(header, kind, size, data_at, override)
        at, override = data_at + _padded(entry.size), _Override()
        if kind != _DIRECTORY:
            yield entry


def _entry(header: bytes, kind: bytes, size: int, data_at: int, override: _Override) -> TarEntry:
    name = override.name or _ustar_name(header)
    why = "" if kind in _FILE else _REFUSED.get(kind, "an unknown kind of member")
    if why:
        return TarEntry(name, 0 if kind in _DATALESS else size, 0.0, data_at, why)
    mtime = override.mtime if override.mtime is not None else epoch(_number(header[136:148]))
    return TarEntry(name, override.size if override.size is not None else size, mtime, data_at)


def _ustar_name(header: bytes) -> str:
    name = _text(header[:100])
    prefix = _text(header[345:500]) if header[257:263] == b"ustar\0" else ""
    return f"{prefix}/{name}" if prefix else name


def _extend(override: _Override, kind: bytes, data: bytes) -> None:
    if kind == b"L":
        override.name = _text(data)
    elif kind == b"x":
        for key, value in _pax(data):
            if key == "path":
                override.name = value
            elif key == "size" and value.isdecimal() and len(value) < 19:
                override.size = int(value)
            elif key == "mtime":
                override.mtime = epoch(real(value))


def _pax(data: bytes) -> Iterator[tuple[str, str]]:
    """`LENGTH key=value\\n` records; stops at the first malformed one."""
    while data:
        length, space, rest = data.partition(b" ")
        if not space or not length.isdigit() or len(length) > 9 or not 3 < int(length) <= len(data):
            return
        key, _, value = rest[: int(length) - len(length) - 2].partition(b"=")
        yield key.decode("utf-8", "replace"), value.decode("utf-8", "replace")
        data = data[int(length) :]


def _resync(source: ByteSource, at: int) -> int | None:
    """The next block boundary that holds a good header."""
    for block_at in range(at, at + RESYNC_BYTES, BLOCK_BYTES):
        block = source.read_at(block_at, BLOCK_BYTES)
        if len(block) < BLOCK_BYTES:
            return None
        if block[257:262] == b"ustar" and _checksum_holds(block):
            return block_at
    return None


def _checksum_holds(header: bytes) -> bool:
    stored = header[148:156].strip(b" \0")
    if not stored or not all(48 <= c <= 55 for c in stored):
        return False
    return int(stored, 8) == sum(header) - sum(header[148:156]) + 8 * 32


def _number(field: bytes) -> int:
    """Octal text, or base 256 where the first bit is set; 0 where it is neither."""
    if field[:1] and field[0] & 0x80:
        return int.from_bytes(bytes([field[0] & 0x7F]) + field[1:], "big")
    text = field.strip(b" \0")
    return int(text, 8) if text and all(48 <= c <= 55 for c in text) else 0


def _padded(size: int) -> int:
    return -(-size // BLOCK_BYTES) * BLOCK_BYTES


def _text(field: bytes) -> str:
    return field.split(b"\0", 1)[0].decode("utf-8", "replace")
