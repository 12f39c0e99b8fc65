"""What stands before what a line says, and how little of it is needed to know who wrote it."""

from __future__ import annotations

import pytest

from logtui.tui.shared.prefixes import read_prefix, without_prefix

LINES = [
    ("[rank57]:[E305 15:42:03.112358132 ProcessGroupNCCL.cpp:694] [Rank 57] ", "r57 15:42:03"),
    ("[default3]:[rank11]:[E305 15:42:03.112358132 ProcessGroupNCCL.cpp:694] [PG ID 0 Rank 11] ", "r11 15:42:03"),
    ("10.0.0.4: [rank4]:[W328 00:11:13.681240032 ProcessGroupNCCL.cpp:1524] ", "r4 00:11:13"),
    ("10.0.0.4: [2026-03-28 00:11:19,846] ", "10.0.0.4 00:11:19"),
    ("[default3]:", "[3]"),
    ("node007:4821:4830 [1] ", "[1]"),
    ("E0305 15:42:03.112358 139 torch/distributed/elastic/api.py:826] ", "15:42:03"),
    ("2026-03-05 15:42:03,112 ", "15:42:03"),
    ("2026-03-05 15:42:03 [rank57]: ", "r57 15:42:03"),
    ("[default3]:2026-03-05 15:42:03,112 WARNING [rank11] ", "r11 15:42:03 WARNING"),
    ("[2026-03-05 15:42:03] [rank 5] ", "r5 15:42:03"),
    ("2026-03-05 15:42:03,112 ERROR: [rank57]: ", "r57 15:42:03 ERROR"),
    ("", ""),
]


@pytest.mark.parametrize(("prefix", "label"), LINES, ids=[label or "none" for _, label in LINES])
def test_a_prefix_is_told_from_what_the_line_says(prefix: str, label: str) -> None:
    said = "NCCL WARN nobody answers" if label == "[1]" else "nobody answers"
    found = read_prefix(prefix + said)
    assert (found.chars, found.label) == (len(prefix), label)
    assert without_prefix(prefix + said) == said
