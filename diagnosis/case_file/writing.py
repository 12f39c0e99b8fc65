"""Write a case file: `.tar.zst` with the report, the facts behind it, and the lines it rests on."""

from __future__ import annotations

import io
import os
import tarfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import zstandard

from logtui.diagnosis import json_report, markdown
from logtui.diagnosis.case_file.beside import Beside, bounded
from logtui.diagnosis.case_file.beside import members as beside_members
from logtui.diagnosis.case_file.codec import encode
from logtui.diagnosis.case_file.excerpts import excerpts
from logtui.diagnosis.case_file.layout import FACTS, FORMAT, JSON, MARKDOWN, Head, KeptFile, lines_name
from logtui.diagnosis.case_file.renaming import Contents, renamed
from logtui.diagnosis.marks import Mark
from logtui.diagnosis.report import Report
from logtui.parsers.case import Case
from logtui.parsers.case_file_mark import HEAD


def write_case(
    path: Path,
    case: Case,
    report: Report,
    marks: Sequence[Mark] = (),
    *,
    beside: Beside | None = None,
    pseudonymise: bool = False,
) -> Path:
    """Write a case file, over what is there; returns its path. `beside` is what other views show.

    Raises:
        OSError: if it cannot be written.
    """
    more = bounded(beside or Beside())
    names = {file.index: file.name for file in case.files}
    contents = Contents(report, tuple(marks), excerpts(case, report, marks, more), names, beside_members(more))
    if pseudonymise:
        contents = renamed(case, contents)
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
        zstandard.ZstdCompressor(level=10).stream_writer(raw) as packed,
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
