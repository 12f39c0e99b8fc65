"""Text of JSON is what the standard library writes."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.diagnosis.json_text import indented


class Word(StrEnum):
    ONE = "on\ne"


PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(), st.just(Word.ONE)
)  # fmt: skip
VALUES = st.recursive(
    PLAIN, lambda v: st.one_of(st.lists(v), st.tuples(v, v), st.dictionaries(st.text(), v)), max_leaves=20
)


@given(VALUES)
def test_as_the_standard_library_writes_it(value: Any) -> None:
    assert indented(value) == json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)


@pytest.mark.parametrize("value", [float("nan"), [float("inf")], {"a": float("-inf")}], ids=str)
def test_numbers_that_json_does_not_know_are_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        indented(value)


def test_keys_are_texts() -> None:
    with pytest.raises(TypeError):
        indented({1: 2})
