"""Lines, their times, and what stands beside their stamps."""

from __future__ import annotations

import pytest

from logtui.diagnosis.facts import start_lines
from logtui.diagnosis.facts.start_lines import Lines

MINUTE = 60.0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("2031-02-03 07:04:05,678 - INFO - the fields are read", "- INFO - the fields are read"),
        ("--- Epoch 7: 2031-02-03 07:04:05 ---", "--- Epoch 7:"),
        ("Begin of the job Mon Feb  3 07:04:05 CET 2031", "Begin of the job"),
        ("Mon Feb  3 07:04:05 CET 2031: begins", "CET 2031: begins"),
        ("loading\r2031-02-03 07:04:05 the fields are read\r", "the fields are read"),
        ("no time at all", "no time at all"),
    ],
    ids=[
        "behind its stamp",
        "above its stamp",
        "above a year",
        "behind a year",
        "behind a carriage return",
        "without a stamp",
    ],
)
def test_what_a_line_says(line: str, said: str) -> None:
    assert Lines(line.encode()).said == [said.encode()]


@pytest.mark.parametrize(
    "stamp",
    ["2031-02-03 07:{:02d}:05", "[2031-02-03T07:{:02d}:05.250Z]", "02/03/2031 07:{:02d}:05 PM"],
    ids=["ISO", "a zone", "halves"],
)
def test_how_far_lines_lie_apart(stamp: str) -> None:
    lines = Lines("".join(f"{stamp.format(minute)} said\n" for minute in (4, 5, 9)).encode())
    assert (lines.stamped, lines.pauses) == ([0, 1, 2], [0.0, MINUTE, 4 * MINUTE])


def test_two_kinds_of_clocks_are_not_compared() -> None:
    lines = Lines(b"2031-02-03 07:04:05 a\n2031-02-03T05:04:06Z b\n2031-02-03 07:04:08 c\n")
    assert lines.pauses == [0.0, 0.0, 3.0]


def test_lines_are_known_again_whatever_their_numbers() -> None:
    lines = Lines(b"2031-02-03 07:04:05 Epoch 7\n2031-02-03 07:04:09 epoch 12\n=====\n")
    assert lines.keys[0] == lines.keys[1] and lines.keys[2] == b""


def test_dates_that_all_differ_are_read_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"".join(b"x%d 2031-02-03 07:04:05 said\n" % n for n in range(3))
    assert Lines(text).stamped == [0, 1, 2]
    monkeypatch.setattr(start_lines, "MOST_ASKED", 2)
    assert Lines(text).stamped == [0, 1]
