"""The table of contents of a zip, read entry by entry; a damaged one ends the walk, and says so.

Layout: PKWARE's APPNOTE.TXT, with its 64-bit extension and Info-ZIP's time stamps.
"""

from __future__ import annotations

import stat
import struct
from calendar import timegm
from collections.abc import Iterator
from dataclasses import dataclass

from logtui.parsers.files.entry import Deflated, Entry
from logtui.parsers.files.reading import ByteSource
from logtui.parsers.numbers import epoch

FIRST = (b"PK\x03\x04", b"PK\x05\x06")
"""What a zip begins with; the second where it is empty."""
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_END = struct.Struct("<4s4H2LH")
_END_64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR = struct.Struct("<4sLQL")
COMMENT_CAP = 1 << 16
"""The longest comment after the table of contents."""
_STORED, _DEFLATED = 0, 8
_FULL = 0xFFFFFFFF
"""Stands where the 64-bit extension holds the number."""
_ENCRYPTED, _UTF_8 = 0x1, 0x800
_ZIP_64, _UNIX_TIME = 0x0001, 0x5455
CUT = "damaged: a zip without its table of contents"


@dataclass(frozen=True, slots=True)
class _Contents:
    """Where the table of contents lies, and what all offsets must be raised by: bytes put before the zip."""

    at: int
    end: int
    shift: int


def is_zip(head: bytes) -> bool:
    """Whether these first bytes are a zip's."""
    return head[:4] in FIRST


def walk_zip(source: ByteSource) -> Iterator[Entry]:
    """All members in order of the table of contents; directories are left out."""
    contents = _contents(source)
    if contents is None:
        yield Entry("table of contents", 0, 0.0, 0, CUT)
        return
    at, packed = contents.at, 0
    while at < contents.end:
        fixed = source.read_at(at, _CENTRAL.size)
        if len(fixed) < _CENTRAL.size or fixed[:4] != b"PK\x01\x02":
            yield Entry(f"byte {at}", 0, 0.0, at, "damaged: a broken entry of the table of contents")
            return
        lengths = _CENTRAL.unpack(fixed)[10:13]
        entry = _entry(source, fixed, source.read_at(at + _CENTRAL.size, sum(lengths[:2])), contents.shift)
        at += _CENTRAL.size + sum(lengths)
        packed += entry.deflated.size if entry.deflated else entry.size
        if packed > source.size():
            yield Entry(entry.name, 0, 0.0, 0, "members that overlap: a bomb")
            return
        if not entry.name.endswith("/"):
            yield entry


def _contents(source: ByteSource) -> _Contents | None:
    size = source.size()
    tail_at = max(0, size - COMMENT_CAP - _END.size)
    tail = source.read_at(tail_at, size - tail_at)
    found = tail.rfind(b"PK\x05\x06")
    if found < 0 or len(tail) - found < _END.size:
        return None
    end = tail_at + found
    length, offset = _END.unpack_from(tail, found)[5:7]
    if _FULL in (length, offset):
        wide = _wide_end(source, end)
        if wide is None:
            return None
        end, length, offset = wide
    at = end - length
    return _Contents(at, end, at - offset) if 0 <= offset <= at else None


def _wide_end(source: ByteSource, end: int) -> tuple[int, int, int] | None:
    """Where the 64-bit end record lies, and the length and offset it states."""
    locator = source.read_at(end - _LOCATOR.size, _LOCATOR.size) if end >= _LOCATOR.size else b""
    at = end - _LOCATOR.size - _END_64.size
    record = source.read_at(at, _END_64.size) if locator[:4] == b"PK\x06\x07" and at >= 0 else b""
    if record[:4] != b"PK\x06\x06":
        return None
    length, offset = _END_64.unpack(record)[8:10]
    return at, length, offset


def _entry(source: ByteSource, fixed: bytes, named: bytes, shift: int) -> Entry:
    _, made, _, flags, method, time, date, crc, packed, size, name_bytes, *_, outer, local = _CENTRAL.unpack(fixed)
    name = named[:name_bytes].decode("utf-8" if flags & _UTF_8 else "cp437", "replace")
    extra = dict(_extra(named[name_bytes:]))
    size, packed, local = _widened(extra.get(_ZIP_64, b""), size, packed, local)
    header = source.read_at(local + shift, _LOCAL.size)
    why = _refused(header, flags, method, outer >> 16 if made >> 8 == 3 else 0)
    if why:
        return Entry(name, 0, 0.0, 0, why)
    data_at = local + shift + _LOCAL.size + sum(_LOCAL.unpack(header)[-2:])
    deflated = Deflated(packed, crc) if method == _DEFLATED else None
    return Entry(name, size, _mtime(extra.get(_UNIX_TIME, b""), time, date), data_at, "", deflated)


def _refused(header: bytes, flags: int, method: int, mode: int) -> str:
    if len(header) < _LOCAL.size or header[:4] != b"PK\x03\x04":
        return "damaged: its header is not where the table of contents says"
    if flags & _ENCRYPTED:
        return "encrypted"
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "a link or a device, not a file"
    return "" if method in (_STORED, _DEFLATED) else f"packed by method {method}, which is not read in a zip"


def _extra(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + 4 <= len(data):
        kind, length = struct.unpack_from("<2H", data, at)
        yield kind, data[at + 4 : at + 4 + length]
        at += 4 + length


def _widened(data: bytes, *numbers: int) -> tuple[int, ...]:
    """The 64-bit ones where a number is full, in the order in which the extension holds them."""
    wide = iter(struct.unpack(f"<{len(data) // 8}Q", data[: len(data) // 8 * 8]))
    return tuple(next(wide, n) if n == _FULL else n for n in numbers)


def _mtime(unix: bytes, time: int, date: int) -> float:
    """The exact time where there is one; else the local one of whoever packed it, taken as UTC."""
    if len(unix) >= 5 and unix[0] & 1:
        return epoch(struct.unpack_from("<l", unix, 1)[0])
    day = (1980 + (date >> 9), date >> 5 & 15, date & 31)
    return epoch(timegm((*day, time >> 11, time >> 5 & 63, (time & 31) * 2))) if date else 0.0
