"""The headers of a tar: damaged ones are skipped, not trusted.

Reads the ustar, GNU and pax layouts. Nothing is ever extracted: an entry says where its bytes are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from logtui.parsers.files.entry import Entry
from logtui.parsers.files.reading import ByteSource
from logtui.parsers.numbers import epoch, real

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


@dataclass(slots=True)
class _Override:
    """What a long-name or pax header says about the member after it."""

    name: str | None = None
    size: int | None = None
    mtime: float | None = None


def is_tar(head: bytes) -> bool:
    """Whether these first bytes are a tar header."""
    return len(head) >= BLOCK_BYTES and _checksum_holds(head[:BLOCK_BYTES])


def walk(source: ByteSource) -> Iterator[Entry]:
    """All members in order; directories are left out, damaged headers give an entry that says so."""
    at, override = 0, _Override()
    while header := source.read_at(at, BLOCK_BYTES):
        if header.count(0) == BLOCK_BYTES:
            return
        if len(header) < BLOCK_BYTES or not _checksum_holds(header):
            found = _resync(source, at + BLOCK_BYTES)
            yield Entry(f"byte {at}", 0, 0.0, at, "damaged: a broken header")
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


def _entry(header: bytes, kind: bytes, size: int, data_at: int, override: _Override) -> Entry:
    name = override.name or _ustar_name(header)
    why = "" if kind in _FILE else _REFUSED.get(kind, "an unknown kind of member")
    if why:
        return Entry(name, 0 if kind in _DATALESS else size, 0.0, data_at, why)
    mtime = override.mtime if override.mtime is not None else epoch(_number(header[136:148]))
    return Entry(name, override.size if override.size is not None else size, mtime, data_at)


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
