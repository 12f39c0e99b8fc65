"""One kept report with what the screen needs beside it: the files, and where lines are in them.

A line of JSON says what follows: one packed JSON text, then two arrays of 64-bit integers. Nothing in it is ever
executed, and whatever does not add up makes the whole file worthless. Unlike in a case file, which anyone may have
written, texts are taken as they are.
"""

from __future__ import annotations

import json
import os
import zlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

import msgspec

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.report.codec import NotThatShape, encode
from logtui.parsers.files.case import Case, FileIndex
from logtui.parsers.files.lines import Int64s
from logtui.parsers.files.sealed import Damaged
from logtui.parsers.scan.cache_files import opened
from logtui.parsers.source import Coding, Compression, Discovery, FileKind, LogFile, NameHints, Unread

if TYPE_CHECKING:
    from logtui.parsers.records.record import RecordTable

VERSION = 4
MOST_BYTES = 128 << 20
"""Of the text; a larger one would take longer to read than is worth it."""
FASTEST = 1
"""Of the levels of compression: a twelfth of the size, unpacked in less time than the text takes to be read."""


class BareCase(Case):
    """A case without records; numpy is not loaded for it until somebody asks for them."""

    def __init__(self, files: tuple[LogFile, ...], indexes: dict[int, FileIndex], unread: tuple[Unread, ...]) -> None:
        super().__init__(files, cast("RecordTable", None), indexes, unread)
        del self.records

    def __getattr__(self, name: str) -> Any:
        """The empty table, once it is wanted."""
        if name != "records":
            raise AttributeError(name)
        self.records = _no_records()
        return self.records


def _no_records() -> RecordTable:
    import numpy as np

    from logtui.parsers.records.record import ROW, RecordTable

    return RecordTable(np.empty(0, ROW), b"", [], [])


@dataclass(frozen=True, slots=True)
class KeptReport:
    """A report and the files it is about; the case has no records."""

    report: Report
    case: Case
    discovery: Discovery


@dataclass(frozen=True, slots=True)
class _File:
    path: bytes
    """As the file system has it, which need be no text."""
    name: str
    size: int
    mtime: float
    kind: str
    compression: str
    inode: int
    hints: NameHints
    member: tuple[bytes, ...]
    wrapping: str
    codings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Layout:
    """A `FileIndex` without its arrays."""

    file: int
    blocks: int
    end: int
    newlines: int
    lines: int
    matched: int
    complete: bool
    nul_bytes: bool
    loose: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Text:
    """All of a kept report but the arrays."""

    report: Report
    files: tuple[_File, ...]
    unread: tuple[Unread, ...]
    unlisted: tuple[Unread, ...]
    layouts: tuple[_Layout, ...]


def to_text(kept: KeptReport) -> bytes:
    """Everything but the arrays, as JSON.

    Raises:
        ValueError: if a text in it cannot be written.
    """
    files = tuple(map(_file, kept.case.files))
    layouts = tuple(_layout(file, index) for file, index in kept.case.indexes.items())
    return encode(_Text(kept.report, files, tuple(kept.case.unread), tuple(kept.discovery.unread), layouts))


def report_in(text: bytes) -> Report:
    """The report in such a text.

    Raises:
        NotThatShape: if it does not fit.
    """
    return _read(text).report


def _read(text: bytes) -> _Text:
    try:
        return msgspec.json.decode(text, type=_Text)
    except msgspec.MsgspecError as error:
        raise NotThatShape(str(error)) from error


def write(out: IO[bytes], key: str, text: bytes, case: Case) -> None:
    """Write a kept report.

    Raises:
        OSError: if it cannot be written, as on a full disk.
    """
    indexes = case.indexes.values()
    pieces = [zlib.compress(text, FASTEST), _joined(i.offsets for i in indexes), _joined(i.before for i in indexes)]
    header = {"version": VERSION, "key": key, "sizes": list(map(len, pieces))}
    out.write(json.dumps(header).encode() + b"\n")
    for piece in pieces:
        out.write(piece)


def read(path: Path, key: str) -> KeptReport | None:
    """The report kept under a key; None where it has another one.

    Raises:
        OSError: if there is none, or it cannot be opened.
        Damaged: if it is worthless.
    """
    with opened(path) as (header, source):
        if (header["version"], header["key"]) != (VERSION, key):
            return None
        data = source.read(MOST_BYTES)
        text, offsets, before = (data[cut] for cut in _cuts(header["sizes"], len(data)))
        return _kept(_read(_unpacked(text)), (array("q", offsets), array("q", before)))


def _cuts(sizes: Sequence[int], whole: int) -> list[slice]:
    ends = list(accumulate(sizes, initial=0))
    if ends[-1] != whole or min(sizes) < 0:
        raise Damaged("sizes and contents do not agree")
    return [slice(a, b) for a, b in pairwise(ends)]


def _unpacked(packed: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(packed, MOST_BYTES)
    except zlib.error as error:
        raise Damaged(str(error)) from error
    if not unpacker.eof:
        raise Damaged("longer than what is kept")
    return text


def _kept(text: _Text, arrays: tuple[array[int], array[int]]) -> KeptReport:
    files = tuple(_log_file(i, f) for i, f in enumerate(text.files))
    indexes = _indexes(text.layouts, arrays)
    return KeptReport(text.report, BareCase(files, indexes, text.unread), Discovery(files, text.unlisted))


def _file(file: LogFile) -> _File:
    return _File(
        os.fsencode(file.path), file.name, file.size, file.mtime, file.kind.value, file.compression.value, file.inode,
        file.hints, tuple(map(os.fsencode, file.member)), file.wrapping, tuple(c.value for c in file.codings),
    )  # fmt: skip


def _log_file(index: int, file: _File) -> LogFile:
    return LogFile(
        index, Path(os.fsdecode(file.path)), file.name, file.size, file.mtime, FileKind(file.kind),
        Compression(file.compression), file.inode, file.hints, tuple(map(os.fsdecode, file.member)), file.wrapping,
        tuple(map(Coding, file.codings)),
    )  # fmt: skip


def _layout(file: int, index: FileIndex) -> _Layout:
    return _Layout(
        file, len(index.offsets), index.end, index.newlines, index.lines, index.matched, index.complete,
        index.nul_bytes, index.loose,
    )  # fmt: skip


def _indexes(layouts: Sequence[_Layout], arrays: tuple[array[int], array[int]]) -> dict[int, FileIndex]:
    offsets, before = arrays
    found, at = {}, 0
    for one in layouts:
        cut = slice(at, at + one.blocks)
        found[one.file] = FileIndex(
            offsets[cut], before[cut], one.end, one.newlines, one.lines, one.matched, one.complete, one.nul_bytes,
            one.loose,
        )  # fmt: skip
        at += one.blocks
    if at != len(offsets) or at != len(before):
        raise Damaged("arrays and layouts do not agree")
    return found


def _joined(arrays: Iterable[Int64s]) -> bytes:
    return b"".join(a.tobytes() for a in arrays)
