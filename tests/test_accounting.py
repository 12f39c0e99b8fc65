"""What a report counts and cites is what is there, counted and read again in the plainest way."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from long_form import LONG

from logtui.diagnosis.report import json_report
from logtui.diagnosis.session.opening import Options, analyse_whole
from logtui.parsers.clean import clean
from logtui.parsers.files.case import Case
from logtui.parsers.generator import Fault, JobSpec, generate
from logtui.parsers.registry import registry

FAULTS = tuple(fault for fault in Fault if "chain" not in fault.value)
CORPUS = Path(os.environ.get("LOGTUI_CORPUS", "/nowhere"))


def _lines(case: Case) -> dict[str, list[str]]:
    """The lines of each file by the file's name, as an editor splits them."""
    texts = {file.name: file.path.read_bytes() for file in case.files}
    return {name: [clean(line) for line in text.removesuffix(b"\n").split(b"\n")] for name, text in texts.items()}


def _cited(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if {"file", "line", "text"} <= value.keys() and value["line"]:
            yield value
        value = list(value.values())
    for inner in value if isinstance(value, list) else ():
        yield from _cited(inner)


@pytest.mark.parametrize("fault", FAULTS if LONG else FAULTS[::8], ids=lambda fault: fault.value)
def test_counts_and_citations_of_generated_jobs(tmp_path: Path, fault: Fault) -> None:
    generate(JobSpec(fault=fault, world_size=16, culprits=(5,), pytorch="2.7", seed=3), tmp_path)
    analysis = analyse_whole([tmp_path], Options(no_cache=True, jobs=1))
    report = json.loads(json_report.dumps(analysis.report))
    lines = _lines(analysis.case)
    analysis.case.close()
    assert report["coverage"]["lines"] == sum(map(len, lines.values()))
    citations = list(_cited(report))
    assert citations
    for one in citations:
        assert one["text"].rstrip("…") in lines[one["file"]][one["line"] - 1]
    everything = [line for some in lines.values() for line in some]
    patterns = {pattern.name: pattern for pattern in registry().patterns}
    for count in report["counts"]:
        pattern = patterns[count["pattern"]]
        regex, anchors = re.compile(pattern.regex), pattern.anchors
        found = sum(any(anchor in line for anchor in anchors) and bool(regex.search(line)) for line in everything)
        assert (count["total"], sum(count["by_file"].values())) == (found, found), pattern.name


@pytest.mark.skipif(not CORPUS.is_dir(), reason="LOGTUI_CORPUS names no folder")
def test_lines_of_the_corpus() -> None:
    """Each newline ends a line, and what is behind the last one is a line too."""
    cases = sorted(path.parent for path in CORPUS.glob("incidents/*/truth.json"))
    assert cases
    for case in cases if LONG else cases[::12]:
        logs = case / "logs" if (case / "logs").is_dir() else case
        analysis = analyse_whole([logs], Options(no_cache=True, jobs=1))
        analysis.case.close()
        texts = [f.path.read_bytes() for f in analysis.case.files if not f.member and f.compression.value == "none"]
        if len(texts) == len(analysis.case.files) and not analysis.report.coverage.files_unread:
            expected = sum(text.count(b"\n") + (not text.endswith(b"\n")) for text in texts if text)
            assert analysis.report.coverage.lines == expected, case.name
