"""Searching a file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logtui.parsers.clean import clean
from logtui.parsers.files.lines import LineReader
from logtui.parsers.source import LogFile
from logtui.tui.panes.raw import line_search
from logtui.tui.panes.raw.expressions import Found, Matches, compile_search
from logtui.tui.panes.raw.line_search import search_lines


def reader(path: Path, data: bytes) -> LineReader:
    path.write_bytes(data)
    return LineReader(LogFile(0, path, path.name, len(data), 0.0))


def found(read: LineReader, pattern: str, start: int = 1) -> list[int]:
    matches = Matches(compile_search(pattern))
    for step in search_lines(read, matches.regex, start):
        matches.add(step)
    read.close()
    assert matches.total == len(matches.lines)
    return matches.lines


@pytest.mark.parametrize(
    ("pattern", "lines"),
    [
        ("error", [1, 3, 6]),
        ("Error", [3]),
        ("^ok$", [2]),
        (r"a\s+b", [4]),
        ("no such thing", []),
        ("last", [6]),
        (r"red text", [5]),
        ("$", [1, 2, 3, 4, 5, 6]),
    ],
    ids=[
        "any case",
        "capital",
        "anchors",
        "not across lines",
        "nothing",
        "unfinished line",
        "without colours",
        "empty",
    ],
)
def test_lines_found(tmp_path: Path, pattern: str, lines: list[int]) -> None:
    data = b"error one\nok\nError two a\na b\n\x1b[31mred\x1b[0m text\nerror last"
    assert found(reader(tmp_path / "a.log", data), pattern) == lines


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(st.sampled_from([b"", b"x", b"ab x", b"\x1b[1mx\x1b[0m", b"\r50%\rx", b"\xff\xfe", b"y" * 40])),
    st.integers(1, 30),
)
def test_the_same_lines_as_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: list[bytes], start: int
) -> None:
    monkeypatch.setattr(line_search, "BLOCK", 16)
    regex = re.compile("x$")
    expected = [n for n, line in enumerate(lines, 1) if regex.search(clean(line))]
    read = reader(tmp_path / "a.log", b"".join(line + b"\n" for line in lines))
    assert found(read, "x$", min(start, len(lines) + 1)) == expected


def test_from_the_cursor_on_then_from_the_top(tmp_path: Path) -> None:
    read = reader(tmp_path / "a.log", b"hit\n" * 10)
    steps = [step.lines for step in search_lines(read, re.compile("hit"), 6) if step.lines]
    read.close()
    assert steps == [(6, 7, 8, 9, 10), (1, 2, 3, 4, 5)]


def test_a_cancelled_search_stops(tmp_path: Path) -> None:
    read = reader(tmp_path / "a.log", b"hit\n" * 10)
    assert list(search_lines(read, re.compile("hit"), 1, lambda: True)) == []
    read.close()


def test_matches_step_round_the_end() -> None:
    matches = Matches(re.compile("x"))
    matches.add(Found((5, 9), 1, 4))
    matches.add(Found((2,), 4, 4))
    assert matches.lines == [2, 5, 9]
    assert [matches.beyond(5, 1), matches.beyond(9, 1), matches.beyond(5, -1), matches.beyond(2, -1)] == [9, 2, 2, 9]
    assert Matches(re.compile("x")).beyond(1, 1) is None


def test_matches_say_where_they_are() -> None:
    matches = Matches(re.compile("oom"))
    matches.add(Found((5, 9), 1, 4))
    assert matches.words(9) == "/oom/ 2 of 2 · 25% searched"
    matches.finished = True
    assert matches.words(6) == "/oom/ 2"


@pytest.mark.parametrize(
    ("pattern", "text", "matches"), [(r"\Doom", "x OOM", True), ("OOM", "oom", False), ("oom", "OOM", True)]
)
def test_case_counts_once_a_capital_is_typed(pattern: str, text: str, matches: bool) -> None:
    assert bool(compile_search(pattern).search(text)) is matches
