"""Real incidents, judged against what their maintainers established.

The logs belong to their authors and are no part of this repository: `LOGTUI_CORPUS` names a folder that holds
`incidents/NAME/` with the logs and a `truth.json` each. Without one these tests are skipped.
"""

from __future__ import annotations

import io
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import pytest
from contract import against_schema, violations

from logtui.tui.cli import main

CORPUS = Path(os.environ.get("LOGTUI_CORPUS") or Path(__file__).resolve().parents[2] / "shared/corpus")
CASES = tuple(sorted(p.parent.name for p in CORPUS.glob("incidents/*/truth.json")))

pytestmark = pytest.mark.skipif(not CASES, reason="no corpus of incidents here (LOGTUI_CORPUS)")

SECONDS_PER_CASE = 20.0
NEAR_LINES = 2
"""First evidence counts when it is this near the line the truth names."""

# Raised when the diagnosis improves, never lowered. Counts, for the corpus of 134 incidents.
AT_LEAST = {
    "class right": 115,
    "culprit ranks exact": 44,
    "first evidence": 101,
    "NCCL states": 123,
}
AT_MOST = {
    "false alarms on healthy jobs": 0,
    "wrong with high confidence": 0,
}


@dataclass(frozen=True)
class Run:
    """One case, run headless."""

    status: int
    report: dict[str, Any]
    seconds: float


@cache
def _truth(name: str) -> dict[str, Any]:
    truth: dict[str, Any] = json.loads((CORPUS / "incidents" / name / "truth.json").read_text(encoding="utf-8"))
    return truth


@cache
def _run(name: str) -> Run:
    """Run a case once, on a copy that lacks the answer."""
    out = io.StringIO()
    with TemporaryDirectory() as folder:
        logs = Path(folder) / "logs"
        shutil.copytree(CORPUS / "incidents" / name, logs, ignore=shutil.ignore_patterns("truth.json"))
        start = monotonic()
        with redirect_stdout(out):
            status = main([str(logs), "--json"])
        return Run(status, json.loads(out.getvalue()), monotonic() - start)


@pytest.mark.parametrize("name", CASES)
def test_a_case_runs(name: str) -> None:
    run = _run(name)
    assert list(violations(run.report)) == []
    assert against_schema(run.report) == []
    assert run.status == (0 if run.report["verdict"]["class"] == "healthy" else 1)
    assert run.seconds < SECONDS_PER_CASE


@pytest.mark.parametrize("name", CASES)
def test_a_case_cites_lines_that_exist(name: str) -> None:
    for where in _cited(_run(name).report):
        lines = _lines(name, where["file"])
        assert where["line"] <= len(lines), where


def _cited(value: Any) -> Iterator[dict[str, Any]]:
    """Every `file` and `line` that stand together anywhere in a report."""
    if isinstance(value, dict):
        if {"file", "line"} <= value.keys():
            yield value
        value = list(value.values())
    for item in value if isinstance(value, list) else ():
        yield from _cited(item)


@cache
def _lines(name: str, file: str) -> list[bytes]:
    return (CORPUS / "incidents" / name / file).read_bytes().split(b"\n")


@pytest.fixture(scope="session")
def totals() -> dict[str, int]:
    """How many cases are right, by what is judged."""
    counts = dict.fromkeys(AT_LEAST | AT_MOST, 0)
    for name in CASES:
        for what, right in _judge(_truth(name), _run(name).report).items():
            counts[what] += right
    return counts


@pytest.mark.parametrize(("what", "floor"), AT_LEAST.items())
def test_enough_is_right(totals: dict[str, int], what: str, floor: int) -> None:
    assert totals[what] >= floor, totals


@pytest.mark.parametrize(("what", "ceiling"), AT_MOST.items())
def test_little_is_claimed_falsely(totals: dict[str, int], what: str, ceiling: int) -> None:
    assert totals[what] <= ceiling, totals


def _judge(truth: dict[str, Any], report: dict[str, Any]) -> dict[str, int]:
    verdict = report["verdict"]
    said = verdict["class"]
    accepted = {truth["class"], *truth.get("class_accept", ()), *truth.get("class_alternatives", ())}
    wrong = said not in accepted and said != "unknown"
    return {
        "class right": truth["class"] != "unknown" and said in accepted,
        "culprit ranks exact": truth["culprit_ranks"] is not None
        and sorted(verdict["culprit_ranks"]) == sorted(truth["culprit_ranks"]),
        "first evidence": _is_near(verdict["first_evidence"], truth["first_bad_line"]),
        "NCCL states": _states_right(truth.get("nccl_state") or {}, report["ranks"]),
        "false alarms on healthy jobs": wrong and truth["class"] == "healthy",
        "wrong with high confidence": wrong and verdict["confidence"] == "high",
    }


def _is_near(said: dict[str, Any] | None, true: dict[str, Any] | None) -> bool:
    if not said or not true or not true.get("line"):
        return False
    same_file = PurePath(said["file"]).name == PurePath(true["file"]).name
    return same_file and abs(said["line"] - true["line"]) <= NEAR_LINES


def _states_right(true: dict[str, Any], ranks: list[dict[str, Any]]) -> int:
    """For how many ranks some group shows the numbers of operations that the truth gives."""
    seen = {(str(r["rank"]), g["enqueued"], g["completed"]) for r in ranks for g in r["groups"]}
    states = ((rank, s) for rank, s in true.items() if isinstance(s, dict))
    return sum((rank, s.get("enqueued"), s.get("completed")) in seen for rank, s in states)
