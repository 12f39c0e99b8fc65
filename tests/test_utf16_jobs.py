"""A job's logs in UTF-16, as PowerShell writes them, say what they say in UTF-8."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from logtui.diagnosis.report import json_report
from logtui.diagnosis.session.opening import Options, analyse_whole
from logtui.parsers.files.discover import changes_since, discover
from logtui.parsers.generator import Fault, JobSpec, Layout, generate

Encode = Callable[[bytes], bytes]
ENCODINGS: Mapping[str, Encode] = {
    "little": lambda text: text.decode().encode("utf-16-le"),
    "big": lambda text: text.decode().encode("utf-16-be"),
    "little with a mark": lambda text: f"\ufeff{text.decode()}".encode("utf-16-le"),
    "big with a mark": lambda text: f"\ufeff{text.decode()}".encode("utf-16-be"),
    "utf-8 with a mark": lambda text: f"\ufeff{text.decode()}".encode(),
    "plain bytes from the middle on": lambda text: _halves(text, lambda half: f"\ufeff{half}".encode("utf-16-le"), str.encode),
    "utf-16 from the middle on": lambda text: _halves(text, str.encode, lambda half: half.encode("utf-16-le")),
}  # fmt: skip
SPEC = JobSpec(fault=Fault.EXCEPTION_ONE_RANK, world_size=16, culprits=(3,), layout=Layout.MERGED)


def _halves(text: bytes, first: Callable[[str], bytes], second: Callable[[str], bytes]) -> bytes:
    lines = text.decode().splitlines(keepends=True)
    at = min(len(lines) // 2, 99)
    return first("".join(lines[:at])) + second("".join(lines[at:]))


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plain") / "job"
    generate(SPEC, folder)
    return folder


def _logs(job: Path) -> list[tuple[str, bytes]]:
    return [
        (str(p.relative_to(job)), p.read_bytes()) for p in sorted(job.rglob("*")) if p.is_file() and p.suffix != ".json"
    ]


def _written(folder: Path, files: list[tuple[str, bytes]]) -> Path:
    for name, data in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def _said(folder: Path) -> dict[str, Any]:
    """What a report says, but for the bytes that the files take; each line it cites is there."""
    analysis = analyse_whole([folder], Options(no_cache=True))
    analysis.case.close()
    assert analysis.report.verification.failed == ()
    report: dict[str, Any] = json.loads(json_report.dumps(analysis.report))
    kept = ("verdict", "chain", "ranks", "timeline", "findings", "started", "ended", "counts")
    return {key: report[key] for key in kept if key in report} | {"lines": report["coverage"]["lines"]}


@pytest.mark.parametrize("encode", ENCODINGS.values(), ids=list(ENCODINGS))
def test_the_same_report(job: Path, tmp_path: Path, encode: Encode) -> None:
    plain = _said(_written(tmp_path / "a" / "job", _logs(job)))
    assert plain["verdict"]["culprit_ranks"] == [3]
    assert _said(_written(tmp_path / "b" / "job", [(name, encode(text)) for name, text in _logs(job)])) == plain


def _packed(files: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    return [(f"{name}.gz", gzip.compress(data)) for name, data in files]


def _archived(files: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, data in files:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime = len(data), 1_772_600_000
            tar.addfile(entry, io.BytesIO(data))
    return [("logs.tar.gz", out.getvalue())]


@pytest.mark.parametrize("pack", [_packed, _archived], ids=["gz", "tar.gz"])
@pytest.mark.parametrize("encoding", ["little with a mark", "big"])
def test_packed_and_archived(
    job: Path, tmp_path: Path, pack: Callable[[list[tuple[str, bytes]]], list[tuple[str, bytes]]], encoding: str
) -> None:
    encode = ENCODINGS[encoding]
    plain = _said(_written(tmp_path / "a" / "job", pack(_logs(job))))
    assert plain["verdict"]["culprit_ranks"] == [3]
    assert _said(_written(tmp_path / "b" / "job", pack([(name, encode(text)) for name, text in _logs(job)]))) == plain


def test_a_log_that_ends_amid_a_character_and_grows(job: Path, tmp_path: Path) -> None:
    encode = ENCODINGS["little with a mark"]
    logs = [(name, encode(text)) for name, text in _logs(job)]
    folder = _written(tmp_path / "job", [(name, data[: len(data) // 3 | 1]) for name, data in logs])
    begun = analyse_whole([folder], Options(no_cache=True))
    assert not changes_since([folder], begun.case)
    _written(folder, logs)
    changes = changes_since([folder], begun.case)
    assert (changes.grown, changes.replaced) == (len(logs), 0)
    begun.case.close()
    assert _said(folder) == _said(_written(tmp_path / "other" / "job", _logs(job)))


def test_an_index_of_before_is_of_use_only_while_a_log_is_the_same(job: Path, tmp_path: Path) -> None:
    folder = tmp_path / "job"
    name, text = max(_logs(job), key=lambda one: len(one[1]))
    data = ENCODINGS["little with a mark"](b"nothing yet\n" * 800_000 + text)
    _written(folder, [(name, data)])
    reports = []
    for more in (b"", b"", "and on\n".encode("utf-16-le")):
        with (folder / name).open("ab") as out:
            out.write(more)
        analysis = analyse_whole([folder])
        analysis.case.close()
        first = analysis.report.verdict.first_evidence
        reports.append((analysis.report.coverage.lines, first and first.line, analysis.report.verification.failed))
    lines, evidence, _ = reports[0]
    assert reports == [(lines, evidence, ()), (lines, evidence, ()), (lines + 1, evidence, ())]


def test_lines_of_a_megabyte(job: Path, tmp_path: Path) -> None:
    name, text = max(_logs(job), key=lambda one: len(one[1]))
    text = b"x" * (1 << 20) + b"\n" + text + "größer 😀".encode() * (1 << 17) + b"\nthat was all of it\n"
    plain = _said(_written(tmp_path / "a" / "job", [(name, text)]))
    for n, encode in enumerate(ENCODINGS.values()):
        assert _said(_written(tmp_path / f"b{n}" / "job", [(name, encode(text))])) == plain


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"], ids=["little", "big"])
@pytest.mark.parametrize("size", [1, 2, 57, 5000, 1 << 18])
def test_random_bytes_behind_a_mark_are_counted_as_unread(job: Path, tmp_path: Path, mark: bytes, size: int) -> None:
    folder = _written(tmp_path / "job", [*_logs(job), ("odd.log", mark + Random(size).randbytes(size))])
    found = discover([folder])
    if size >= 5000:
        assert [(u.file, u.why) for u in found.unread if u.file == "odd.log"] == [("odd.log", "binary, not text")]
    assert _said(folder)["verdict"]["culprit_ranks"] == [3]


def test_random_bytes_further_on_change_nothing(job: Path, tmp_path: Path) -> None:
    encode = ENCODINGS["little with a mark"]
    logs = [(name, encode(text) + Random(5).randbytes(70_001)) for name, text in _logs(job)]
    assert _said(_written(tmp_path / "job", logs))["verdict"]["culprit_ranks"] == [3]
