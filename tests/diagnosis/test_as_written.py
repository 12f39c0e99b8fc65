"""What a report cites of lines of JSON objects stands in those lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from scanning import case_of, described, scan

from logtui.diagnosis.as_written import as_written
from logtui.diagnosis.evidence import SHOWN, still_says
from logtui.diagnosis.model.evidence import Evidence
from logtui.parsers.files.case import Case
from logtui.parsers.source import Coding

TIME = "2025-03-04T10:10:02.223Z"


@contextmanager
def _case(tmp_path: Path, *objects: Mapping[str, object]) -> Iterator[tuple[Case, list[str]]]:
    lines = [json.dumps(one) for one in objects]
    path = tmp_path / "stream.log"
    path.write_text("\n".join([*lines, ""]))
    file = described(path, codings=(Coding.JSON,))
    with closing(case_of(file, scan(file))) as case:
        yield case, lines


def _record(msg: str, **more: object) -> dict[str, object]:
    return {"time": TIME, "level": "ERROR", **more, "msg": msg}


def test_an_engine_s_text_is_cited_without_the_time_that_stands_behind_it(tmp_path: Path) -> None:
    with _case(tmp_path, *({"log": f"step {n}\n", "stream": "stderr", "time": TIME} for n in range(4))) as (case, _):
        read = Evidence("stream.log", 2, case.lines(0, 2, 1)[0])
        assert read.text == f"{TIME} step 1"
        assert as_written(case, (read,)) == (Evidence("stream.log", 2, "step 1"),)


def test_a_record_of_several_parts_is_cited_as_the_object_it_is(tmp_path: Path) -> None:
    with _case(tmp_path, *(_record(f"try {n} failed", status=404) for n in range(4))) as (case, lines):
        read = Evidence("stream.log", 3, case.lines(0, 3, 1)[0])
        (cited,) = as_written(case, (read,))
        assert cited.text == lines[2]
        assert still_says(case, cited)


def test_of_a_long_object_the_message_is_cited(tmp_path: Path) -> None:
    with _case(tmp_path, *(_record(f"try {n} failed", status=404, url="x" * SHOWN) for n in range(4))) as (case, _):
        (cited,) = as_written(case, (Evidence("stream.log", 1, case.lines(0, 1, 1)[0]),))
        assert cited.text == '"msg": "try 0 failed"}'


def test_what_no_line_says_is_still_found_out(tmp_path: Path) -> None:
    with _case(tmp_path, *(_record(f"try {n} failed") for n in range(4))) as (case, _):
        assert not still_says(case, Evidence("stream.log", 1, "try 7 failed"))


@pytest.mark.parametrize("name", ["stream.log", "other.log"])
def test_lines_of_other_files_and_beyond_the_end_stay(tmp_path: Path, name: str) -> None:
    with _case(tmp_path, *(_record(f"try {n} failed") for n in range(4))) as (case, _):
        told = (Evidence(name, 99, "ERROR try 7 failed"), "ERROR", 1)
        assert as_written(case, told) == told
