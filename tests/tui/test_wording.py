"""Numbers as people read them."""

from __future__ import annotations

import pytest

from logtui.tui.shared.wording import count_text, duration_text, ranks_text, shortened, size_text, time_text


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (41_500_000, "41.5 MB"),
        (123_456_789, "123 MB"),
        (3 * 10**15, "3000 TB"),
    ],
)
def test_sizes(size: int, text: str) -> None:
    assert size_text(size) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.4, "0 s"),
        (59, "59 s"),
        (90, "1 min 30 s"),
        (1800, "30 min"),
        (3900, "1 h 05 min"),
        (7200, "2 h"),
        (180_000, "2 d 2 h"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def test_times_keep_their_width_when_unknown() -> None:
    assert time_text(1_772_725_323.0) == "15:42:03"
    assert time_text(1_772_725_323.0, day=True) == "03-05 15:42:03"
    for strange in (None, float("nan"), float("inf"), -5.0, 1e300):
        assert time_text(strange) == " " * 8


def test_counts() -> None:
    assert count_text(1, "line") == "1 line"
    assert count_text(12_345, "line") == "12,345 lines"


@pytest.mark.parametrize(
    ("ranks", "text"),
    [((), ""), ((5,), "5"), ((0, 1, 2, 9), "0–2, 9"), (tuple(range(0, 40, 2)), "0, 2, 4, 6, 8, 10, +14 more")],
)
def test_ranks_as_ranges(ranks: tuple[int, ...], text: str) -> None:
    assert ranks_text(ranks) == text


@pytest.mark.parametrize(
    ("name", "width", "text"),
    [("node007", 9, "node007"), ("error-4821-10.out", 12, "err…1-10.out"), ("ip-10-0-0-17", 6, "…-0-17")],
)
def test_names_lose_their_middle(name: str, width: int, text: str) -> None:
    assert shortened(name, width) == text
    assert len(shortened(name, width)) <= width
