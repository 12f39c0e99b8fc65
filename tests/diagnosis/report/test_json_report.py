"""Text of the JSON report is what the standard library writes, and takes a fraction of its time."""

from __future__ import annotations

import json
from dataclasses import replace
from enum import StrEnum
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.diagnosis.model.evidence import Evidence, MarkedLine
from logtui.diagnosis.model.report import Coverage, JobFacts, Report, Steps, Verdict
from logtui.diagnosis.report.json_report import as_dict, dumps

REPORT = Report("1", JobFacts(), Coverage(), Verdict("unknown", "Undecided", "low"))


class Word(StrEnum):
    ONE = "on\ne"


TEXTS = st.text(st.characters(codec="utf-8"))
PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXTS, st.just(Word.ONE),
    st.sampled_from([1e-4, 1e-5, 1.7e-5, -9.2e-05, 1e-6, 1e15, 1e16, 1e22, 5e-324, '": 1e-6', '"a": 0.00001,', "0.00001"]),
)  # fmt: skip
VALUES = st.recursive(
    PLAIN, lambda v: st.one_of(st.lists(v), st.tuples(v, v), st.dictionaries(TEXTS, v)), max_leaves=20
)


@given(st.dictionaries(TEXTS, VALUES))
def test_as_the_standard_library_writes_it(value: Any) -> None:
    report = replace(REPORT, ais=value)
    assert dumps(report) == json.dumps(as_dict(report), indent=1, ensure_ascii=False, allow_nan=False)
    assert json.loads(dumps(report))["ais"] == json.loads(json.dumps(value))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")], ids=str)
def test_numbers_that_json_does_not_know_are_unknown(value: float) -> None:
    report = replace(REPORT, steps=Steps(0, 1, value), ais={"a": [value]})
    assert json.loads(dumps(report))["steps"]["median_ms"] is None
    assert json.loads(dumps(report))["ais"] == {"a": [None]}


def test_numbers_of_numpy_are_numbers() -> None:
    assert json.loads(dumps(replace(REPORT, ais={"a": np.float64(0.5)})))["ais"] == {"a": 0.5}


def test_what_is_no_value_of_json_is_refused() -> None:
    with pytest.raises(TypeError):
        dumps(replace(REPORT, ais={"a": object()}))


def test_marks_are_the_last_key_and_only_there_if_there_are_any() -> None:
    mark = MarkedLine("a.log", 3, "text", "first sign", 4, 0.5)
    written = json.loads(dumps(REPORT, [mark]))
    assert list(written)[-1] == "marks"
    assert list(written["marks"][0].items()) == [
        ("file", "a.log"), ("line", 3), ("text", "text"), ("note", "first sign"), ("rank", 4),
        ("time", "1970-01-01T00:00:00.500"),
    ]  # fmt: skip
    assert "marks" not in json.loads(dumps(REPORT))


def test_evidence_has_its_zone_where_it_is_known() -> None:
    verdict = replace(REPORT.verdict, first_evidence=Evidence("a.log", 3, "x", 0.0, zoned=True))
    assert as_dict(replace(REPORT, verdict=verdict))["verdict"]["first_evidence"] == {
        "file": "a.log", "line": 3, "text": "x", "time": "1970-01-01T00:00:00+00:00",
        "inherited": False,
    }  # fmt: skip
