"""File names and log text cannot end a code span, a cell or a page of a markdown report."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_job import write_tiny_job

from logtui.diagnosis.report.code_spans import code, code_free
from logtui.diagnosis.report.markdown import render
from logtui.diagnosis.report.saved_report import citations
from logtui.diagnosis.session.opening import Options, analyse_whole

ERROR = b"[rank5]: Traceback (most recent call last):\nKeyError: 'x'\n"
NAMES = (
    "a`<img src=x onerror=alert(1)>`b rank0.log",
    "c``[click](http:evil)``d rank1.log",
    "x`|`y rank2.log",
    "new\nline.log",
    "\x1b[31mred\x1b]0;owned\x07.log",
    "\u202egol.txt.log",
    "[bold red]rank3[blink].log",
)


@pytest.mark.parametrize(
    ("text", "in_table", "expected"),
    [
        ("a.log:3", False, "`a.log:3`"),
        ("a`b.log", False, "`` a`b.log ``"),
        ("a```b``.log", False, "```` a```b``.log ````"),
        ("a|b.log", False, "`a|b.log`"),
        ("a|b.log", True, "`a\\|b.log`"),
        ("`", False, "`` ` ``"),
    ],
)
def test_names(text: str, in_table: bool, expected: str) -> None:
    assert code(text, in_table) == expected


def test_words_of_ours_with_names_in_them() -> None:
    assert code_free("a|b <b> [x](y) ![z](w) `c` t[AbC]") == "a\\|b &lt;b> [x]\\(y) !\\[z]\\(w) \\`c\\` t[AbC]"


def _outside_of_code(line: str) -> str:
    """What a reader of markdown takes for text: code spans left out, each closed by as many backticks as open it."""
    out, at = "", 0
    while (opened := line.find("`", at)) >= 0:
        if line[opened - 1 : opened] == "\\":
            out, at = out + line[at : opened + 1], opened + 1
            continue
        count = len(line[opened:]) - len(line[opened:].lstrip("`"))
        closed = opened + count
        while (closed := line.find("`" * count, closed)) >= 0 and line[closed + count : closed + count + 1] == "`":
            closed += len(line[closed:]) - len(line[closed:].lstrip("`"))
        assert closed >= 0, line
        out, at = out + line[at:opened], closed + count
    return out + line[at:]


def test_a_report_on_files_of_hostile_names(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    texts = [path.read_bytes() for path in sorted(write_tiny_job(tmp_path / "job").iterdir())]
    logs.mkdir()
    for number, name in enumerate(NAMES):
        (logs / name).write_bytes(texts[number] if number < len(texts) else ERROR)
    report = analyse_whole([logs], Options(no_cache=True, jobs=1)).report
    text = render(report)
    assert all(c.isprintable() or c == "\n" for c in text)
    for line in text.split("```mermaid")[0].splitlines() + text.split("```\n", 2)[-1].splitlines():
        assert "<img" not in _outside_of_code(line)
        assert "](" not in _outside_of_code(line)
        cells = line.replace("\\|", "").count("|")
        assert not line.startswith("| 2025") or cells == 6, line
    saved = tmp_path / "report.md"
    saved.write_text(text)
    assert {"a`<img src=x onerror=alert(1)>`b rank0.log", "x`|`y rank2.log"} & {e.file for e in citations(saved)}
