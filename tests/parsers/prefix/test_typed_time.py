"""Times as they are typed."""

from __future__ import annotations

import time as clock
from datetime import UTC, datetime

import pytest

from logtui.parsers.prefix.typed_time import read_time

NEAR = 1_771_945_777.0
"""2026-02-24 15:09:37."""
DAY = NEAR - NEAR % 86400


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("15:42", DAY + 56520), ("15:42:03", DAY + 56523), ("15:42:03.250", DAY + 56523.25), (" 9:05 ", DAY + 32700),
        ("2026-02-24 15:42:03", DAY + 56523), ("2026-02-24T15:42:03Z", DAY + 56523), ("02-23 15:42", DAY - 29880),
        ("12/31 23:00", 1_767_222_000.0), ("-10m", NEAR - 600), ("-10", NEAR - 600), ("+1h30m", NEAR + 5400),
        ("- 90 s", NEAR - 90), ("+1.5h", NEAR + 5400), ("-2d", NEAR - 172_800),
        ("25:00", None), ("15:61", None), ("02-31 10:00", None), ("noon", None), ("", None), ("+", None), ("1542", None),
    ],
)  # fmt: skip
def test_times(typed: str, expected: float | None) -> None:
    assert read_time(typed, NEAR) == expected


def test_a_time_without_a_day_is_the_nearest_one() -> None:
    late = DAY + 86400 - 60
    assert read_time("00:01", late) == DAY + 86400 + 60
    assert read_time("23:59", DAY + 30) == DAY - 60


@pytest.mark.parametrize(
    ("typed", "iso"),
    [
        ("24 Feb 3pm", "2026-02-24T15:00:00"),
        ("Feb 23 15:42:03", "2026-02-23T15:42:03"),
        ("3:42pm", "2026-02-24T15:42:00"),
        ("24 February 2025 15:42 UTC", "2025-02-24T15:42:00"),
    ],
)
def test_times_in_words(typed: str, iso: str) -> None:
    near = datetime(2026, 2, 24, 14, 7, 9, tzinfo=UTC).timestamp()
    assert read_time(typed, near) == datetime.fromisoformat(iso).replace(tzinfo=UTC).timestamp()


@pytest.mark.parametrize(("zone", "hour"), [("UTC", 15), ("Z", 15), ("+0530", 9.5), ("UTC+3", 18), ("UTC-3", 12)])
def test_a_zone_counts(zone: str, hour: float) -> None:
    assert read_time(f"24 Feb 3pm {zone}", NEAR) == DAY + hour * 3600


@pytest.mark.parametrize("typed", ["24 Feb 3pm XQT", "2026-03-05 15:00:00,120 I", "3pm +9999"])
def test_a_zone_that_nobody_knows_is_no_time(typed: str) -> None:
    """Rather than a guess in silence, or a warning of a library beside the report."""
    assert read_time(typed, NEAR) is None


def test_the_zones_of_this_machine_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"tzname": ("CET", "CEST"), "timezone": -3600, "altzone": -7200}.items():
        monkeypatch.setattr(clock, name, value)
    assert read_time("24 Feb 3pm CET", NEAR) == DAY + 14 * 3600
    assert read_time("24 Feb 3pm CEST", NEAR) == DAY + 13 * 3600


@pytest.mark.parametrize("typed", ["rank 57", "a" * 70 + "1", "shard", "1e999 Feb"])
def test_words_that_are_no_time(typed: str) -> None:
    assert read_time(typed, 1_771_941_600.0) is None
