"""Write a case file: `.tar.zst` with the report, the facts behind it, and the lines it rests on.

The first member tells it from any other archive. Of the lines, those go in that the report cites or a person marked,
with some around them.
"""

from __future__ import annotations

import errno
import io
import os
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from logtui.diagnosis.model.evidence import MarkedLine
from logtui.diagnosis.model.report import Report
from logtui.diagnosis.report import json_report, markdown
from logtui.diagnosis.report.case_file.beside import Beside, bounded
from logtui.diagnosis.report.case_file.beside import members as beside_members
from logtui.diagnosis.report.case_file.beside import places as beside_places
from logtui.diagnosis.report.case_file.layout import FACTS, FORMAT, JSON, MARKDOWN, Head, KeptFile, lines_name
from logtui.diagnosis.report.case_file.renaming import Contents, holds_secret, learned, renamed
from logtui.diagnosis.report.codec import encode, plain
from logtui.diagnosis.report.secrets import Masks
from logtui.parsers.files.case import Case
from logtui.parsers.files.case_file_mark import HEAD
from logtui.parsers.files.excerpts import Excerpt
from logtui.parsers.files.lines import UNCOUNTED
from logtui.parsers.files.zstd import ZstdFile

NEAR, WIDE = 2, 20
"""Lines before and after: of any cited line; of those the verdict rests on, and of marked ones."""
MOST_KEPT = 200_000
"""Lines in all."""
LINE_CHARS = 20_000

Places = dict[str, dict[int, int]]
"""Per file, lines and how many around each are wanted."""


def write_case(
    path: Path,
    case: Case,
    report: Report,
    marks: Sequence[MarkedLine] = (),
    *,
    beside: Beside | None = None,
    pseudonymise: bool = False,
) -> Path:
    """Write a case file, over what is there; returns its path. `beside` is what other views show.

    Raises:
        OSError: if it cannot be written, or would take the place of a device or a pipe.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EEXIST, "is there, and not a file", str(path))
    more = bounded(beside or Beside())
    names = {file.index: file.name for file in case.files}
    contents = Contents(report, tuple(marks), excerpts(case, report, marks, more), names, beside_members(more))
    if pseudonymise or holds_secret(contents):
        contents = renamed(contents, learned(case, contents) if pseudonymise else Masks())
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        _pack(fresh, _members(_head(case, contents, pseudonymise), contents))
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    return path


def _head(case: Case, contents: Contents, pseudonymised: bool) -> Head:
    kept = contents.kept
    files = (
        KeptFile(contents.names[f.index], f.kind.value, f.size, kept[f.index].lines, tuple(kept[f.index].ranges))
        for f in case.files
    )
    return Head(FORMAT, contents.report.version, pseudonymised, tuple(contents.marks), tuple(files))


def _pack(path: Path, members: Iterable[tuple[str, bytes]]) -> None:
    with (
        path.open("wb") as raw,
        ZstdFile(raw, "wb", level=10) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as tar,
    ):
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(data), 0o644
            tar.addfile(info, io.BytesIO(data))


def _members(head: Head, contents: Contents) -> Iterator[tuple[str, bytes]]:
    report, marks = contents.report, contents.marks
    yield HEAD, encode(head)
    yield FACTS, encode(report)
    yield JSON, json_report.dumps(report, marks).encode()
    yield MARKDOWN, markdown.render(report, marks).encode()
    for name, value in contents.views.items():
        yield name, encode(value)
    for file, excerpt in contents.kept.items():
        if excerpt.stretches:
            lines = (line.replace(b"\n", b" ") for _, stretch in excerpt.stretches for line in stretch)
            yield lines_name(file), b"".join(line + b"\n" for line in lines)


def excerpts(
    case: Case, report: Report, marks: Iterable[MarkedLine], beside: Beside | None = None
) -> dict[int, Excerpt]:
    """The lines to keep, by file; `beside` cites more of them, which are kept as far as there is room."""
    places: Places = {}
    for part in (report.verdict, report.chain, report.symptoms, report.recommendations, report.revisions, tuple(marks)):
        _add(places, plain(part), WIDE)
    _add(places, plain(report), NEAR)
    if beside is not None:
        _add(places, plain(beside.odd), NEAR)
        for name, line in beside_places(case, beside):
            places.setdefault(name, {}).setdefault(line, 0)
    left, found = MOST_KEPT, {}
    for file in case.files:
        ranges = _ranges(places.get(file.name, {}), left)
        stretches = tuple((first, _kept_lines(case, file.index, first, count)) for first, count in ranges)
        stretches = tuple((first, lines) for first, lines in stretches if lines)
        left -= sum(len(lines) for _, lines in stretches)
        index = case.indexes.get(file.index)
        known = index.lines if index is not None and index.complete else case.line_count(file.index)
        last = stretches[-1][0] + len(stretches[-1][1]) - 1 if stretches else 0
        found[file.index] = Excerpt(max(known, last), stretches)
    return found


def _add(places: Places, value: Any, around: int) -> None:
    for file, line in _cited(value):
        lines = places.setdefault(file, {})
        lines[line] = max(lines.get(line, 0), around)


def _cited(value: Any) -> Iterator[tuple[str, int]]:
    """Every (file, line) in a plain value."""
    if isinstance(value, Mapping):
        file, line = value.get("file"), value.get("line")
        if isinstance(file, str) and isinstance(line, int) and 0 < line < UNCOUNTED:
            yield file, line
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    for one in inner:
        yield from _cited(one)


def _ranges(lines: Mapping[int, int], most: int) -> list[tuple[int, int]]:
    """(first, how many), ascending and apart; no more lines in all than that."""
    ranges: list[tuple[int, int]] = []
    for line, around in sorted(lines.items()):
        first, last = max(line - around, 1), line + around
        if most <= 0:
            break
        if ranges and first <= ranges[-1][0] + ranges[-1][1]:
            start, count = ranges[-1]
            most -= max(last - start + 1 - count, 0)
            ranges[-1] = (start, max(count, last - start + 1))
        else:
            ranges.append((first, last - first + 1))
            most -= last - first + 1
    return ranges


def _kept_lines(case: Case, file: int, first: int, count: int) -> tuple[bytes, ...]:
    return tuple(line[:LINE_CHARS].encode() for line in case.lines(file, first, count))
