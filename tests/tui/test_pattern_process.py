"""Expressions in a process of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from logtui.parsers.files.lines import LineReader
from logtui.parsers.source import LogFile
from logtui.tui.panes.raw import pattern_process
from logtui.tui.panes.raw.expressions import LineRules, compile_search, parse_rule
from logtui.tui.panes.raw.judging import judge_lines
from logtui.tui.panes.raw.line_search import Overtime, inline, search_lines
from logtui.tui.panes.raw.pattern_process import apart

ENDLESS = r"(a+)+$"
"""On letters and another sign behind them it tries every way to divide the letters."""
LINES = b"".join(b"%d one \x1b[31mred\x1b[0m line\n" % n for n in range(50_000))


@pytest.fixture
def log(tmp_path: Path) -> Iterator[LineReader]:
    path = tmp_path / "a.log"
    path.write_bytes(LINES + b"a" * 64 + b"!\nlast\n")
    reader = LineReader(LogFile(0, path, path.name, path.stat().st_size, 0.0))
    yield reader
    reader.close()


def test_the_same_lines_are_found_as_in_this_process(log: LineReader) -> None:
    regex = compile_search("7 one red")
    here, there = (
        [n for found in search_lines(log, regex, 30_000, run=run) for n in found.lines] for run in (inline, apart)
    )
    assert here == there
    assert len(here) == 5000


def test_the_same_lines_are_judged_as_in_this_process(log: LineReader) -> None:
    rules = LineRules((parse_rule("one"), parse_rule("!7 one")))
    here, there = (sum(int(j.shown.sum()) for j in judge_lines(log, rules, {}, 1, run=run)) for run in (inline, apart))
    assert here == there == 45_000


def test_an_expression_without_end_is_stopped_and_says_where(log: LineReader) -> None:
    with pytest.raises(Overtime, match="takes too long") as stopped:
        list(search_lines(log, re.compile(ENDLESS), 49_990, run=apart))
    first = stopped.value.block.line
    assert first <= 50_001 < first + stopped.value.block.lines
    assert "was stopped there" in stopped.value.words(ENDLESS)
    assert [n for found in search_lines(log, compile_search("last"), 1, run=apart) for n in found.lines] == [50_002]


def test_what_is_no_longer_wanted_is_stopped_in_the_middle_of_a_block(log: LineReader) -> None:
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    assert list(search_lines(log, re.compile(ENDLESS), 50_001, cancelled, apart)) == []


def test_without_processes_it_is_done_here(log: LineReader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_process, "_SHELF", pattern_process._Shelf())
    monkeypatch.setattr(pattern_process, "_COMMAND", ("/no/such/interpreter",))
    assert [n for found in search_lines(log, compile_search("last"), 1, run=apart) for n in found.lines] == [50_002]
