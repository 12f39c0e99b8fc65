"""One kept report with what the screen needs beside it: the files, and where lines are in them.

A line of JSON says what follows: one JSON text, then two npy arrays. Nothing in it is ever executed, and whatever does
not add up makes the whole file worthless.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.case_file.codec import NotThatShape
from logtui.diagnosis.kept.columns import pack, unpack
from logtui.diagnosis.report import Report
from logtui.parsers.cache_files import is_ours
from logtui.parsers.case import Case, FileIndex
from logtui.parsers.discover import Discovery
from logtui.parsers.record import ROW, RecordTable
from logtui.parsers.source import Compression, FileKind, LogFile, NameHints, Unread

VERSION = 1
MOST_BYTES = 128 << 20
"""Of the text; a larger one would take longer to read than is worth it."""
_HEADER_CAP = 1 << 12


@dataclass(frozen=True, slots=True)
class KeptReport:
    """A report and the files it is about; the case has no records."""

    report: Report
    case: Case
    discovery: Discovery


class Damaged(Exception):
    """A kept report is cut, changed, or of another version."""


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    name: str
    size: int
    mtime: float
    kind: str
    compression: str
    inode: int
    hints: NameHints
    member: tuple[str, ...]


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


def to_text(kept: KeptReport) -> bytes:
    """Everything but the arrays, as JSON."""
    packed = {
        "report": pack(Report, [kept.report]),
        "files": pack(_File, [_file(f) for f in kept.case.files]),
        "unread": pack(Unread, kept.case.unread),
        "unlisted": pack(Unread, kept.discovery.unread),
        "layouts": pack(_Layout, [_layout(file, index) for file, index in kept.case.indexes.items()]),
    }
    return json.dumps(packed, separators=(",", ":")).encode()


def report_in(text: bytes) -> Report:
    """The report in such a text.

    Raises:
        NotThatShape: if it does not fit.
    """
    (report,) = unpack(Report, json.loads(text)["report"])
    assert isinstance(report, Report)
    return report


def write(out: IO[bytes], key: str, text: bytes, case: Case) -> None:
    """Write a kept report.

    Raises:
        OSError: if it cannot be written, as on a full disk.
    """
    arrays = _arrays(case)
    header = {"version": VERSION, "key": key, "size": len(text), "crc": _checksum(text, arrays)}
    out.write(json.dumps(header).encode() + b"\n" + text)
    for array in arrays:
        np.lib.format.write_array(out, array, allow_pickle=False)


def read(path: Path, key: str) -> KeptReport | None:
    """The report kept under a key; None where it has another one.

    Raises:
        OSError: if there is none, or it cannot be opened.
        Damaged: if it is worthless.
    """
    with path.open("rb") as source:
        if not is_ours(source):
            raise Damaged("written by somebody else")
        try:
            header = json.loads(source.readline(_HEADER_CAP))
            if (header["version"], header["key"]) != (VERSION, key):
                return None
            text = source.read(min(int(header["size"]), MOST_BYTES))
            arrays = [np.lib.format.read_array(source, allow_pickle=False) for _ in range(2)]
            if any(array.dtype != np.int64 or array.ndim != 1 for array in arrays):
                raise Damaged("an array has another shape")
            if _checksum(text, arrays) != header["crc"]:
                raise Damaged("changed since it was written")
            return _kept(text, arrays)
        except (NotThatShape, ValueError, KeyError, TypeError, IndexError, EOFError, MemoryError) as error:
            raise Damaged(str(error)) from error


def _kept(text: bytes, arrays: Sequence[npt.NDArray[np.int64]]) -> KeptReport:
    packed = json.loads(text)
    files = tuple(_log_file(i, f) for i, f in enumerate(unpack(_File, packed["files"])))
    (report,) = unpack(Report, packed["report"])
    unread, unlisted = (tuple(unpack(Unread, packed[name])) for name in ("unread", "unlisted"))
    indexes = _indexes(unpack(_Layout, packed["layouts"]), arrays)
    case = Case(files, RecordTable(np.empty(0, ROW), b"", [], [], []), indexes, unread)
    return KeptReport(report, case, Discovery(files, unlisted))


def _file(file: LogFile) -> _File:
    return _File(
        str(file.path), file.name, file.size, file.mtime, file.kind.value, file.compression.value, file.inode,
        file.hints, file.member,
    )  # fmt: skip


def _log_file(index: int, file: _File) -> LogFile:
    return LogFile(
        index, Path(file.path), file.name, file.size, file.mtime, FileKind(file.kind), Compression(file.compression),
        file.inode, file.hints, file.member,
    )  # fmt: skip


def _layout(file: int, index: FileIndex) -> _Layout:
    return _Layout(
        file, len(index.offsets), index.end, index.newlines, index.lines, index.matched, index.complete,
        index.nul_bytes, index.loose,
    )  # fmt: skip


def _indexes(layouts: Sequence[_Layout], arrays: Sequence[npt.NDArray[np.int64]]) -> dict[int, FileIndex]:
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


def _arrays(case: Case) -> list[npt.NDArray[np.int64]]:
    indexes = case.indexes.values()
    empty = np.empty(0, np.int64)
    return [np.concatenate([empty, *some]) for some in ([i.offsets for i in indexes], [i.before for i in indexes])]


def _checksum(text: bytes, arrays: Sequence[npt.NDArray[np.int64]]) -> int:
    crc = zlib.crc32(text)
    for array in arrays:
        crc = zlib.crc32(array.view(np.uint8).data, crc) if array.size else crc
    return crc
