"""Saved reports checked against the logs they cite."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from logtui.diagnosis.report import json_report, markdown
from logtui.diagnosis.report.saved_report import citations
from logtui.diagnosis.session.opening import Analysis
from logtui.tui.cli import main

Analysed = Callable[[Mapping[str, str]], Analysis]


@pytest.fixture
def saved(analysed: Analysed, lines: Any, tmp_path: Path) -> Path:
    text = "[rank5]: opening shard /data/`odd|name`.tar\n"
    text += "".join(lines.victim(r) for r in range(8) if r != 5) + lines.notified(5)
    report = analysed({"job.log": text}).report
    (tmp_path / "report.md").write_text(markdown.render(report))
    (tmp_path / "report.json").write_text(json_report.dumps(report))
    return tmp_path


@pytest.mark.parametrize("name", ["report.md", "report.json"])
def test_an_untouched_log_bears_the_report_out(saved: Path, name: str) -> None:
    assert len(citations(saved / name)) > 5
    assert main(["verify", str(saved / name), str(saved / "logs")]) == 0


@pytest.mark.parametrize("name", ["report.md", "report.json"])
def test_a_changed_line_is_named(saved: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    log = saved / "logs" / "job.log"
    log.write_text("another first line\n" + log.read_text().split("\n", 1)[1])
    assert main(["verify", str(saved / name), str(saved / "logs")]) == 1
    assert "job.log:1: the line now reads: another first line" in capsys.readouterr().out


def test_a_vanished_line_is_named(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (saved / "logs" / "job.log").write_text("x\n")
    assert main(["verify", str(saved / "report.md"), str(saved / "logs")]) == 1
    assert "the file ends before that line" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "was", "now", "told"),
    [
        ("report.md", "7 ranks wait", "6 ranks wait", "Root cause chain, 1"),
        ("report.md", "# rank 5", "# rank 6", "title"),
        ("report.md", "**Culprit**: rank 5", "**Culprit**: rank 6", "Verdict, Culprit"),
        ("report.json", "7 ranks wait", "6 ranks wait", "chain step 1"),
        ("report.json", "rank 5 never", "rank 6 never", "title of the verdict"),
        ("report.json", '"status": "never_entered"', '"status": "healthy"', "rank 5"),
        ("report.json", '"total": 7', '"total": 8', "count of "),
    ],
)
def test_a_claim_that_the_logs_refute_is_named(
    name: str, was: str, now: str, told: str, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (saved / name).read_text()
    assert was in text
    (saved / name).write_text(text.replace(was, now, 1))
    assert main(["verify", str(saved / name), str(saved / "logs")]) == 1
    out = capsys.readouterr().out
    assert told in out
    assert "do not follow from the logs" in out


def test_a_path_called_like_a_command_is_opened(
    saved: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(saved)
    for words in (["verify"], ["./verify"], ["open", "verify"]):
        (saved / "logs").rename("verify")
        assert main([*words, "--json"]) == 1
        (saved / "verify").rename("logs")
        assert json.loads(capsys.readouterr().out)["coverage"]["files"] == 1
    assert main(["verify", "report.md", "logs"]) == 0
    assert "still stand" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["verify"], ["verify", "report.md"], ["verify", "--json", "a", "b"], ["open"], []])
def test_a_command_with_too_little_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "usage: logtui" in capsys.readouterr().err


def test_help_tells_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    for words, told in ((["--help"], "logtui verify REPORT PATH..."), (["verify", "--help"], "still says it")):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
        assert told in capsys.readouterr().out


def test_something_else_is_no_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.md").write_text("# notes\n")
    (tmp_path / "job.log").write_text("x\n")
    assert main(["verify", str(tmp_path / "notes.md"), str(tmp_path / "job.log")]) == 2
    assert "not a report" in capsys.readouterr().err
