"""Open a case file. It may come from anyone: what does not fit is refused, and nothing goes to disk."""

from __future__ import annotations

import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from logtui.diagnosis.model.evidence import MarkedLine
from logtui.diagnosis.model.report import Report
from logtui.diagnosis.report import json_report, markdown
from logtui.diagnosis.report.case_file.beside import Beside, read_beside
from logtui.diagnosis.report.case_file.layout import (
    FACTS,
    FORMAT,
    MOST_BYTES,
    MOST_FILES,
    MOST_LINES,
    MOST_TIMES,
    ROOM_BYTES,
    Format,
    Head,
    KeptFile,
    lines_name,
)
from logtui.diagnosis.report.codec import NotThatShape, decode
from logtui.parsers.clean import clean
from logtui.parsers.errors import CaseFileRefused
from logtui.parsers.files.case_file_mark import HEAD
from logtui.parsers.files.excerpts import Excerpt, ExcerptCase
from logtui.parsers.files.zstd import ZstdError, unpacking
from logtui.parsers.records.record import ROW, RecordTable
from logtui.parsers.source import FileKind, LogFile

Members = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class SavedCase:
    """What a case file holds."""

    case: ExcerptCase
    report: Report
    marks: tuple[MarkedLine, ...]
    pseudonymised: bool
    beside: Beside


def open_case(path: Path) -> SavedCase:
    """Read a case file.

    Raises:
        CaseFileRefused: if it is damaged, too large, or not what a case file is.
    """
    members = _members(path)
    try:
        head = _head(_member(members, HEAD))
        report = decode(Report, _member(members, FACTS))
        case = _case(path, head, members)
        beside = read_beside(members, len(case.files))
        _check(report)
    except (ValueError, RecursionError) as error:
        raise CaseFileRefused(path, f"not a case file that can be used: {error}") from error
    return SavedCase(case, report, head.marks, head.pseudonymised, beside)


def _members(path: Path) -> Members:
    """All members by name, bounded in number and size; links, devices and folders are none."""
    found: dict[str, bytes] = {}
    try:
        most = left = min(MOST_BYTES, ROOM_BYTES + MOST_TIMES * path.stat().st_size)
        with path.open("rb") as raw, tarfile.open(fileobj=cast("Any", unpacking(raw)), mode="r|") as tar:
            for info in tar:
                left -= max(info.size, 0) + tarfile.BLOCKSIZE
                if left < 0 or len(found) > MOST_FILES:
                    raise CaseFileRefused(path, f"holds more than {most >> 20} MiB or {MOST_FILES:,} members")
                if info.isreg() and not info.issparse() and (data := tar.extractfile(info)) is not None:
                    found.setdefault(info.name, data.read())
    except OSError as error:
        raise CaseFileRefused(path, error.strerror or str(error)) from error
    except (tarfile.TarError, ZstdError, EOFError, ValueError) as error:
        raise CaseFileRefused(path, f"damaged: {error}") from error
    return found


def _member(members: Members, name: str) -> bytes:
    if name not in members:
        raise NotThatShape(f"no {name} in it")
    return members[name]


def _head(data: bytes) -> Head:
    case = decode(Format, data).case
    if case != FORMAT:
        raise NotThatShape(f"format {case}; this version of logtui reads {FORMAT}")
    head = decode(Head, data)
    if len(head.files) > MOST_FILES:
        raise NotThatShape(f"more than {MOST_FILES:,} files")
    return head


def _case(path: Path, head: Head, members: Members) -> ExcerptCase:
    files, excerpts = [], {}
    for index, described in enumerate(head.files):
        kind = FileKind(described.kind)
        files.append(LogFile(index, path, described.name, described.size, 0.0, kind))
        excerpts[index] = _excerpt(described, members.get(lines_name(index), b""))
    if len({file.name for file in files}) < len(files):
        raise NotThatShape("two files of one name")
    return ExcerptCase(tuple(files), RecordTable(np.empty(0, ROW), b"", [], [], []), excerpts=excerpts)


def _excerpt(described: KeptFile, text: bytes) -> Excerpt:
    """The kept lines at their numbers."""
    if not 0 <= described.lines <= MOST_LINES or described.size < 0 or not described.name:
        raise NotThatShape("a file of no size")
    lines = [clean(line).encode() for line in text.split(b"\n")[:-1]]
    stretches, at, after = [], 0, 1
    for first, count in described.ranges:
        if first < after or count < 1 or first + count - 1 > described.lines or at + count > len(lines):
            raise NotThatShape(f"lines of {described.name} that do not fit")
        stretches.append((first, tuple(lines[at : at + count])))
        at, after = at + count, first + count
    return Excerpt(described.lines, tuple(stretches))


def _check(report: Report) -> None:
    """What the report holds of free shape must be what its texts expect."""
    try:
        json_report.dumps(report)
        markdown.render(report)
    except Exception as error:
        raise NotThatShape(f"its report cannot be shown ({type(error).__name__}: {error})") from error
