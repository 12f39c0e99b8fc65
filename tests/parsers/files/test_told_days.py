"""Times of day behind a day that is told once."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.parsers.files.told_days import told_days


def moment(day: int, hour: int, minute: int) -> float:
    return datetime(2031, 2, day, hour, minute, 5, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("Run of 2031-02-03, node007\n21:04:05 begins\n23:04:05 it 5\n", (moment(3, 21, 4), moment(3, 23, 4))),
        ("début : lundi (2031-02-03)\n[21:04:05] a\n[23:59:59] b\n[01:04:05] c\n", (moment(3, 21, 4), moment(4, 1, 4))),
        ("日期: 2031-02-03\n21:04:05 a\n22:04:05 b\n", (moment(3, 21, 4), moment(3, 22, 4))),
        ("model of 2031-02-03\n21:04:05 a\n22:04:05 b\n", None),
        ("Run of 2031-02-03 04:05:06\n21:04:05 a\n22:04:05 b\n", None),
        ("Run of 2031-02-03\n21:04:05 a\n", None),
        ("Run of 2031-02-33\n21:04:05 a\n22:04:05 b\n", None),
        ("", None),
    ],
)  # fmt: skip
def test_the_span_of_a_text(text: str, span: tuple[float, float] | None) -> None:
    assert told_days([text.encode()]) == span


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_any_bytes_have_a_span_or_none(before: bytes, behind: bytes) -> None:
    span = told_days([before + b"\nrun of 2031-02-03\n" + behind])
    assert span is None or span[0] <= span[1]
