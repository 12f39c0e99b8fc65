"""Numbers that cannot be one of their kind are garbage wherever they are read."""

from __future__ import annotations

import math

import pytest

from logtui.parsers.numbers import LARGEST, LONGEST_S, MOST_RANKS, dated, epoch, of_field, real, whole, wholes_in
from logtui.parsers.prefix.stamp import iso

HUGE = "1" + "0" * 400


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1234", 1234),
        ("-1", -1),
        (b"57", 57),
        (str(LARGEST), LARGEST),
        (str(LARGEST + 1), None),
        (HUGE, None),
        ("9" * 5000, None),
        ("²", None),
        ("", None),
        ("1.5", None),
        (None, None),
    ],
)
def test_whole_numbers(text: str | bytes | None, number: int | None) -> None:
    assert whole(text) == number


@pytest.mark.parametrize(
    ("field", "text", "number"),
    [
        ("rank", "57", 57),
        ("rank", str(MOST_RANKS + 1), None),
        ("world_size", "16384", 16384),
        ("world_size", HUGE, None),
        ("timeout_ms", "1800000", 1_800_000),
        ("timeout_ms", str(LONGEST_S * 1000 + 1), None),
        ("ran_ms", "9223372036854775807", None),
        ("exitcode", "-9", -9),
        ("exitcode", "4294967295", 4_294_967_295),
        ("pid", "4294967296", None),
        ("seq", "18446744073709551615", LARGEST),
        ("seq", HUGE, None),
    ],
)
def test_fields_are_bounded_by_what_they_mean(field: str, text: str, number: int | None) -> None:
    assert of_field(field, text) == number


@pytest.mark.parametrize("text", ["1.2.3", "1e400", "-1e400", "nan", "inf", "", "1e300"])
def test_what_is_no_finite_number(text: str) -> None:
    assert math.isnan(real(text))


def test_thousands_may_have_commas() -> None:
    assert real("1,234.5") == 1234.5


def test_lists_of_ranks() -> None:
    assert wholes_in(f"[1, 2,{HUGE} 7]") == [1, 2, 7]


@pytest.mark.parametrize("time", [math.nan, math.inf, -math.inf, -9.2e15, 9.2e15])
def test_times_that_no_calendar_has(time: float) -> None:
    assert not dated(time)
    assert epoch(time) == 0.0
    assert iso(time) is None
