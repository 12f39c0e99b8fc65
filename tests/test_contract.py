"""The JSON report keeps schema 1, for every kind of job the generator knows."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from contract import CLASSES, ROLES, SIDES, STATUSES, against_schema, violations

import logtui
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import Report
from logtui.diagnosis.report import schema
from logtui.diagnosis.report.json_report import as_dict, dumps
from logtui.diagnosis.session.opening import analyse_whole
from logtui.parsers.clean import clean
from logtui.parsers.generator import Fault, JobSpec, generate
from logtui.parsers.pattern import FailureClass
from logtui.tui.cli import main

FAULTS = (Fault.DATA_STALL, Fault.EXCEPTION_ONE_RANK, Fault.HEALTHY)


@pytest.fixture(scope="module", params=FAULTS, ids=lambda f: f.value)
def job(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs of one written job of sixteen ranks."""
    folder = tmp_path_factory.mktemp(request.param.value)
    generate(JobSpec(fault=request.param, world_size=16, culprits=(5,), pytorch="2.7"), folder)
    return folder


@pytest.fixture(scope="module")
def report(job: Path) -> Report:
    """What the diagnosis says about it."""
    return analyse_whole([job]).report


def test_it_keeps_the_contract(report: Report) -> None:
    assert list(violations(as_dict(report))) == []
    assert against_schema(as_dict(report)) == []


def test_it_is_one_json_object_without_control_characters(report: Report) -> None:
    text = dumps(report)
    assert json.loads(text) == json.loads(json.dumps(as_dict(report)))
    assert all(c.isprintable() or c == "\n" for c in text)


def test_the_same_files_give_the_same_report(job: Path, report: Report) -> None:
    assert dumps(analyse_whole([job]).report) == dumps(report)


def test_every_cited_line_says_what_is_cited(job: Path, report: Report) -> None:
    for e in _cited(report):
        line = (job / e.file).read_bytes().split(b"\n")[e.line - 1]
        assert e.text[:40] in clean(line), e.place


def _cited(report: Report) -> Iterator[Evidence]:
    if report.verdict.first_evidence:
        yield report.verdict.first_evidence
    for step in report.chain:
        yield from step.evidence
    for symptom in report.symptoms:
        yield from symptom.evidence


def test_ranks_and_times_are_in_order(report: Report) -> None:
    ranks = [r.rank for r in report.ranks]
    assert ranks == sorted(set(ranks))
    times = [e.time for e in report.timeline if e.time is not None]
    assert times == sorted(times)


def test_the_chain_leads_forward(report: Report) -> None:
    steps = [s.step for s in report.chain]
    assert steps == list(range(1, len(steps) + 1))
    assert all(s.leads_to is None or s.step < s.leads_to <= len(steps) for s in report.chain)


def test_the_exit_status_is_the_verdict(
    job: Path, report: Report, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    healthy = report.verdict.cls == "healthy"
    assert main([str(job), "--json", "-o", str(tmp_path / "out.json")]) == (0 if healthy else 1)
    assert capsys.readouterr().out == ""
    assert (tmp_path / "out.json").read_text(encoding="utf-8").strip() == dumps(report)


def test_no_class_is_missing() -> None:
    assert {c.value for c in FailureClass} == CLASSES


def test_the_published_schema_is_that_of_the_program() -> None:
    """`logtui schema > docs/report.schema.json` where it is not; its version is in `diagnosis/report/schema.py`."""
    published = json.loads((Path(__file__).parents[1] / "docs" / "report.schema.json").read_text(encoding="utf-8"))
    assert published == schema.schema()
    assert published["$id"] == f"urn:logtui:report:{schema.VERSION}"
    rank = published["$defs"]["Rank"]["properties"]
    assert (set(rank["status"]["enum"]), set(rank["role"]["enum"])) == (STATUSES, ROLES)
    assert set(published["$defs"]["Recommendation"]["properties"]["side"]["enum"]) == SIDES


@pytest.mark.parametrize("key", ["verdict", "ranks", "schema", "coverage"])
def test_the_schema_sees_what_is_missing(report: Report, key: str) -> None:
    spoilt = as_dict(report)
    del spoilt[key]
    assert len(against_schema(spoilt)) == 1


def test_the_python_interface_says_what_the_command_prints(job: Path, report: Report) -> None:
    found = logtui.diagnose(job)
    assert found == report
    assert json.dumps(logtui.to_dict(found)) == json.dumps(as_dict(report))


SPOILT: tuple[tuple[str, tuple[object, ...], object], ...] = (
    ("a word of its own", ("verdict", "class"), "gremlins"),
    ("a number as text", ("coverage", "lines"), "12"),
    ("a truth value as a number", ("coverage", "files"), True),
    ("a time without seconds", ("job", "started"), "2025-11-21 04:12"),
    ("an extra key", ("job", "owner"), "me"),
    ("null where something must stand", ("verdict", "title"), None),
    ("a list that is none", ("ranks",), {}),
)


@pytest.mark.parametrize(("path", "value"), [s[1:] for s in SPOILT], ids=[s[0] for s in SPOILT])
def test_the_check_itself_sees(report: Report, path: tuple[str, ...], value: object) -> None:
    spoilt: Any = copy.deepcopy(as_dict(report))
    place = spoilt
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert len(list(violations(spoilt))) == 1
    del place[path[-1]]
    assert len(list(violations(spoilt))) == (0 if path[-1] == "owner" else 1)
