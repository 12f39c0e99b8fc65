"""Filters: which lines pass, whose lines they are, and what a whole file comes to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from logtui.parsers.files.lines import LineReader
from logtui.parsers.source import LogFile
from logtui.tui.panes.raw import line_search
from logtui.tui.panes.raw.expressions import LineRules, OtherRanks, parse_rule
from logtui.tui.panes.raw.filters import FilterTally
from logtui.tui.panes.raw.judging import ChosenLines, judge_lines
from logtui.tui.panes.raw.painting import format_spans

TEXT = b"[rank0]: loss 1\nloss 2\n[rank1]: loss 3 debug\n[rank1]: \x1b[31mlo\x1b[0mss 4\nend"


def rules(*typed: str, rank: int | None = None, others: OtherRanks = OtherRanks.SHOWN) -> LineRules:
    return LineRules(tuple(map(parse_rule, typed)), rank, others)


def judged(tmp_path: Path, wanted: LineRules, start: int = 1) -> tuple[list[int], FilterTally]:
    path = tmp_path / "a.log"
    path.write_bytes(TEXT)
    reader = LineReader(LogFile(0, path, path.name, len(TEXT), 0.0))
    shown, tally = ChosenLines(), FilterTally(wanted)
    for step in judge_lines(reader, wanted, {}, start):
        shown.choose(step.first, step.shown)
        tally.add(step)
    reader.close()
    tally.finished = True
    return shown.lines(0, 99), tally


@pytest.mark.parametrize(
    ("wanted", "lines"),
    [
        pytest.param(rules("loss"), [1, 2, 3, 4], id="in, without colours"),
        pytest.param(rules("!debug"), [1, 2, 4, 5], id="out"),
        pytest.param(rules("loss", "!debug"), [1, 2, 4], id="in and out"),
        pytest.param(rules("1$", "end"), [1, 5], id="any of those in"),
        pytest.param(rules("nothing"), [], id="none"),
        pytest.param(rules(rank=1, others=OtherRanks.HIDDEN), [2, 3, 4, 5], id="one rank and what names none"),
        pytest.param(rules(rank=1, others=OtherRanks.DIMMED), [1, 2, 3, 4, 5], id="dimmed only"),
        pytest.param(rules("loss", rank=0, others=OtherRanks.HIDDEN), [1, 2], id="one rank's matches"),
    ],
)
@pytest.mark.parametrize("start", [1, 3, 5])
@pytest.mark.parametrize("block", [16, 1 << 18])
def test_a_file_comes_to_the_lines_that_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: LineRules, lines: list[int], start: int, block: int
) -> None:
    monkeypatch.setattr(line_search, "BLOCK", block)
    assert judged(tmp_path, wanted, start)[0] == lines


def test_the_tally_counts_each_rule(tmp_path: Path) -> None:
    _, tally = judged(tmp_path, rules("loss", "!debug", rank=1, others=OtherRanks.HIDDEN))
    assert tally.words(typing=False) == (
        "in /loss/ 4 · out /debug/ 1 · rank 1 only: 1 lines of other ranks hidden, 2 name none · shown 2 of 5"
    )


def test_a_cancelled_filter_stops(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(TEXT)
    reader = LineReader(LogFile(0, path, path.name, len(TEXT), 0.0))
    assert list(judge_lines(reader, rules("loss"), {}, 1, lambda: True)) == []
    reader.close()


def test_the_same_rule_again_takes_it_away() -> None:
    both = rules("a", "!b")
    assert both.toggled(parse_rule("a")) == rules("!b")
    with pytest.raises(re.error):
        parse_rule("!(")


def test_other_ranks_fade_then_hide_then_come_back() -> None:
    faded = LineRules().turned(57)
    assert (faded.rank, faded.others, faded.hide) == (57, OtherRanks.DIMMED, False)
    hidden = faded.turned(57)
    assert (hidden.rank, hidden.others, hidden.hide) == (57, OtherRanks.HIDDEN, True)
    assert hidden.turned(57).idle
    assert LineRules().turned(None).idle


def test_declared_formats_say_what_they_know_of_a_line() -> None:
    text = "[rank3]:[E305 15:42:03.1 ProcessGroupNCCL.cpp:629] [Rank 3] Watchdog caught collective operation timeout: "
    text += (
        "WorkNCCL(SeqNum=12, OpType=ALLREDUCE, NumelIn=4, NumelOut=4, Timeout(ms)=600000) ran for 600011 milliseconds"
    )
    matches, fields = format_spans(text)
    assert any("Watchdog" in text[start:end] for start, end, _ in matches)
    assert {"ALLREDUCE", "12"} <= {text[start:end] for start, end, _ in fields}
    assert format_spans("nothing anybody declared") == ((), ())
