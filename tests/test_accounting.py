"""What a report counts and cites is what is there, counted and read again in the plainest way.

`LOGTUI_CORPUS` names a folder of real logs, as for `tests/test_corpus.py`: some of them are gone through, with
`LOGTUI_LONG=1` all.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from long_form import LONG

from logtui.diagnosis.report import json_report
from logtui.diagnosis.session.opening import Options, analyse_whole
from logtui.parsers.clean import clean
from logtui.parsers.generator import Fault, JobSpec, generate
from logtui.parsers.prefix.wrapping import unwrapped
from logtui.parsers.registry import registry
from logtui.parsers.source import Compression, FileKind, LogFile

FAULTS = tuple(fault for fault in Fault if "chain" not in fault.value)
CORPUS = Path(os.environ.get("LOGTUI_CORPUS") or Path(__file__).resolve().parents[2] / "shared/corpus")
FAMILIES = ("incidents", "mission", "faultlab", "aistore-lab", "aistore-real", "aistore-examples")
CASES = [case for family in FAMILIES for case in sorted(CORPUS.glob(f"{family}/*/"))]
PLAIN: dict[Compression, Callable[[bytes], bytes]] = {
    Compression.NONE: bytes, Compression.GZIP: gzip.decompress, Compression.BZIP2: bz2.decompress,
    Compression.XZ: lzma.decompress,
}  # fmt: skip
"""How a file is unpacked by others than us."""


def _lines(files: tuple[LogFile, ...]) -> dict[str, list[bytes]]:
    """The lines of each file that others can read, as they split them; dumps have none."""
    plain = [f for f in files if not f.member and f.compression in PLAIN and f.kind is not FileKind.FLIGHT_RECORDER]
    texts = {file.name: PLAIN[file.compression](file.path.read_bytes()) for file in plain}
    return {name: text.removesuffix(b"\n").split(b"\n") if text else [] for name, text in texts.items()}


def _wrong(logs: Path) -> Iterator[str]:
    """Whatever in the report of some logs is not as a plain look at the files has it."""
    analysis = analyse_whole([logs], Options(no_cache=True, jobs=1))
    analysis.case.close()
    report, files = json.loads(json_report.dumps(analysis.report)), analysis.case.files
    lines = _lines(files)
    dumps = sum(file.kind is FileKind.FLIGHT_RECORDER for file in files)
    if len(lines) + dumps == len(files) and not report["coverage"]["files_unread"]:
        counted, there = report["coverage"]["lines"], sum(map(len, lines.values()))
        if counted != there:
            yield f"{counted} lines, of {there}"
    for one in _cited(report):
        place = lines.get(one["file"])
        if place is not None and one["text"].rstrip("…") not in clean(place[one["line"] - 1]):
            yield f"{one['file']}:{one['line']} is no {one['text']}"
    wrappings = {file.name: file.wrapping for file in files}
    bodies = {name: [clean(unwrapped(raw, wrappings[name])) for raw in held] for name, held in lines.items()}
    yield from _miscounted(report, bodies)


def _cited(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if {"file", "line", "text"} <= value.keys() and value["line"]:
            yield value
        value = list(value.values())
    for inner in value if isinstance(value, list) else ():
        yield from _cited(inner)


def _miscounted(report: dict[str, Any], bodies: dict[str, list[str]]) -> Iterator[str]:
    """Every match of a pattern counts, of those that come in bulk every line."""
    for count in report["counts"]:
        pattern = registry().pattern(count["pattern"])
        regex, anchors = re.compile(pattern.regex), pattern.anchors
        if count["total"] != sum(count["by_file"].values()):
            yield f"{pattern.name}: the files' counts are not the total"
        for name in bodies.keys() & count["by_file"]:
            lines = [line for line in bodies[name] if any(anchor in line for anchor in anchors)]
            matches = [len(list(regex.finditer(line))) for line in lines]
            found = sum(map(bool, matches)) if pattern.bulk else sum(matches)
            if found != count["by_file"][name]:
                yield f"{pattern.name} in {name}: {count['by_file'][name]}, of {found}"


@pytest.mark.parametrize("fault", FAULTS if LONG else FAULTS[::8], ids=lambda fault: fault.value)
def test_generated_jobs(tmp_path: Path, fault: Fault) -> None:
    generate(JobSpec(fault=fault, world_size=16, culprits=(5,), pytorch="2.7", seed=3), tmp_path)
    assert list(_wrong(tmp_path)) == []


def test_what_is_wrong_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the tests here would prove nothing."""
    generate(JobSpec(fault=FAULTS[0], world_size=16, culprits=(5,), pytorch="2.7", seed=3), tmp_path)
    dumps = json_report.dumps

    def other(*given: Any) -> str:
        report = json.loads(dumps(*given))
        report["coverage"]["lines"] += 1
        report["verdict"]["first_evidence"]["text"] = "no such line"
        count = report["counts"][0]
        count["by_file"][next(iter(count["by_file"]))] += 1
        return json.dumps(report)

    monkeypatch.setattr(json_report, "dumps", other)
    lines, cited, total, counted = _wrong(tmp_path)
    assert re.fullmatch(r"\d+ lines, of \d+", lines)
    assert cited.endswith(" is no no such line")
    assert total.endswith("are not the total")
    assert ", of " in counted


@pytest.mark.skipif(not CASES, reason="no corpus of real logs here (LOGTUI_CORPUS)")
@pytest.mark.parametrize("case", CASES if LONG else CASES[::16], ids=lambda case: f"{case.parent.name}/{case.name}")
def test_real_logs(case: Path) -> None:
    assert list(_wrong(case / "logs" if (case / "logs").is_dir() else case)) == []
