"""Write a case file: `.tar.zst` with the report, the facts behind it, and the lines it rests on."""

from __future__ import annotations

import io
import json
import os
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import zstandard

from logtui.diagnosis import json_report, markdown
from logtui.diagnosis.case_file.codec import decode, encode
from logtui.diagnosis.case_file.excerpts import excerpts
from logtui.diagnosis.case_file.layout import FACTS, FORMAT, JSON, MARKDOWN, lines_name
from logtui.diagnosis.case_file.pseudonyms import Pseudonyms
from logtui.diagnosis.marks import Mark
from logtui.diagnosis.report import Report
from logtui.parsers.case import Case
from logtui.parsers.case_file_mark import HEAD
from logtui.parsers.excerpt import Excerpt

_HOST_FIELDS = frozenset(("host", "hosts", "culprit_hosts", "nodes_missing"))


def write_case(
    path: Path, case: Case, report: Report, marks: Sequence[Mark] = (), *, pseudonymise: bool = False
) -> Path:
    """Write a case file, over what is there; returns its path.

    Raises:
        OSError: if it cannot be written.
    """
    kept = excerpts(case, report, marks)
    names = {file.index: file.name for file in case.files}
    if pseudonymise:
        report, marks, kept, names = _renamed(case, report, marks, kept, names)
    head = {
        "case": FORMAT,
        "logtui": report.version,
        "pseudonymised": pseudonymise,
        "marks": encode(tuple(marks)),
        "files": [
            {
                "name": names[file.index],
                "kind": file.kind.value,
                "size": file.size,
                "lines": kept[file.index].lines,
                "ranges": kept[file.index].ranges,
            }
            for file in case.files
        ],
    }
    members = _members(head, report, marks, kept)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        _pack(fresh, members)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    return path


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


def _members(
    head: Mapping[str, Any], report: Report, marks: Sequence[Mark], kept: Mapping[int, Excerpt]
) -> Iterator[tuple[str, bytes]]:
    yield HEAD, json.dumps(head).encode()
    yield FACTS, json.dumps(encode(report), allow_nan=False).encode()
    yield JSON, json_report.dumps(report, marks).encode()
    yield MARKDOWN, markdown.render(report, marks).encode()
    for file, excerpt in kept.items():
        if excerpt.stretches:
            lines = (line.replace(b"\n", b" ") for _, stretch in excerpt.stretches for line in stretch)
            yield lines_name(file), b"".join(line + b"\n" for line in lines)


def _renamed(
    case: Case, report: Report, marks: Sequence[Mark], kept: Mapping[int, Excerpt], names: Mapping[int, str]
) -> tuple[Report, Sequence[Mark], dict[int, Excerpt], dict[int, str]]:
    """The same with pseudonyms: of each text the same ones, so that the lines still bear out the report."""
    found = Pseudonyms()
    facts = encode(report)
    found.learn_hosts(_hosts(facts))
    found.learn_hosts(case.records.hosts)
    found.learn_hosts(file.hints.host for file in case.files)
    found.learn(names.values())
    found.learn(line.decode() for e in kept.values() for _, stretch in e.stretches for line in stretch)
    found.learn(_texts(facts))
    renamed_names: dict[int, str] = {}
    by_name: dict[str, str] = {}
    for file, name in names.items():
        new = found.replace(name)
        new = new if new not in by_name.values() else f"{new}~{file}"
        renamed_names[file] = by_name[name] = new
    renamed_report = decode(Report, _replaced(facts, found, by_name))
    renamed_marks = [
        replace(m, file=by_name.get(m.file, m.file), text=found.replace(m.text), note=found.replace(m.note))
        for m in marks
    ]
    renamed_kept = {
        file: replace(
            e,
            stretches=tuple((n, tuple(found.replace(b.decode()).encode() for b in lines)) for n, lines in e.stretches),
        )
        for file, e in kept.items()
    }
    return renamed_report, renamed_marks, renamed_kept, renamed_names


def _hosts(value: Any) -> Iterator[str]:
    """What stands in fields for hosts, wherever they are in the report."""
    if isinstance(value, Mapping):
        for key in _HOST_FIELDS.intersection(value):
            yield from _texts(value[key])
        if value.get("kind") == "host":
            yield from _texts(value.get("name"))
    for inner in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from _hosts(inner)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from _texts(inner)


def _replaced(value: Any, found: Pseudonyms, files: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return files.get(value) or found.replace(value)
    if isinstance(value, Mapping):
        return {files.get(key) or found.replace(key): _replaced(inner, found, files) for key, inner in value.items()}
    if isinstance(value, list):
        return [_replaced(inner, found, files) for inner in value]
    return value
