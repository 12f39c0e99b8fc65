"""The report as JSON and markdown, and its proof against the files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from logtui.diagnosis.evidence import still_says, verify
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import Coverage, JobFacts, Report, TimelineEvent, Verdict
from logtui.diagnosis.report import json_report, markdown
from logtui.diagnosis.session.opening import Analysis

Analysed = Callable[[Mapping[str, str]], Analysis]


def test_json_round_trips_and_cites_existing_lines(analysed: Analysed, lines: Any) -> None:
    text = "".join(lines.victim(r) for r in range(8) if r != 5) + lines.notified(5)
    report = json.loads(json_report.dumps(analysed({"job.log": text}).report))
    first = report["verdict"]["first_evidence"]
    assert text.split("\n")[first["line"] - 1] == first["text"]
    assert report["verification"] == {"checked": report["verification"]["checked"], "failed": []}
    assert report["verification"]["checked"] > 0
    assert {r["rank"]: r["role"] for r in report["ranks"]}[5] == "notified"


def test_markdown_cannot_be_broken_by_a_log_line(analysed: Analysed, lines: Any) -> None:
    text = lines.victim(0).replace("[Rank 0]", "| `x` <b> [Rank 0]") + lines.victim(1)
    rendered = markdown.render(analysed({"job.log": text}).report)
    table = [row for row in rendered.split("\n") if row.startswith("|") and "job.log:" in row]
    assert table and all(row.count("|") == 6 for row in table)


def test_markdown_has_every_section_of_a_failed_job(analysed: Analysed, lines: Any) -> None:
    text = "".join(lines.victim(r) for r in range(8) if r != 5) + lines.notified(5)
    rendered = markdown.render(analysed({"job.log": text}).report)
    for title in ("Verdict", "Root cause chain", "Timeline", "Ranks", "Key files", "Recommendations", "Coverage"):
        assert f"## {title}" in rendered


def test_a_changed_line_is_reported_not_shown_as_fact(analysed: Analysed) -> None:
    case = analysed({"job.log": "first\nsecond\n"}).case
    good, bad = Evidence("job.log", 2, "second"), Evidence("job.log", 1, "another text")
    assert still_says(case, good) and not still_says(case, bad)
    assert not still_says(case, Evidence("gone.log", 1, "x"))
    result = verify(case, [good, bad, bad])
    assert (result.checked, result.failed) == (2, ("job.log:1",))


def test_an_undecided_report_is_a_report() -> None:
    report = Report(
        "0", JobFacts(), Coverage(), Verdict("unknown", "Undecided", "low", missing=("the logs of rank 3",))
    )
    assert "the logs of rank 3" in markdown.render(report)
    assert json_report.as_dict(report)["verdict"]["first_evidence"] is None


def test_error_types_and_counts_name_ranks_and_files(report_of: Callable[[Mapping[str, str]], Report]) -> None:
    raised = "[rank{0}]: Traceback (most recent call last):\n[rank{0}]: {1}: bad sample\n"
    logs = {
        "a.log": raised.format(3, "ValueError") + raised.format(4, "ValueError"),
        "b.log": raised.format(5, "KeyError"),
    }
    report = report_of(logs)
    assert [(e.name, e.total, e.ranks) for e in report.errors] == [("ValueError", 2, (3, 4)), ("KeyError", 1, (5,))]
    text = markdown.render(report)
    assert "| ValueError | 2 | 2: 3–4 | `a.log:2` |" in text
    assert "| py.exception | 3 | 2: `a.log` 2, `b.log` 1 | 3: rank 3 1, rank 4 1, rank 5 1 |" in text


def test_the_table_of_the_timeline_keeps_the_proof() -> None:
    events = tuple(
        TimelineEvent(float(n), "line before" if n == 100 else "exact", "worker", None, "x", "a.log", n, proof=n == 100)
        for n in range(1, 301)
    )
    verdict = Verdict("unknown", "Undecided", "low")
    text = markdown.render(Report("0", JobFacts(), Coverage(), verdict, timeline=events))
    assert "| ~1970-01-01 00:01:40 | worker |  | `x` | `a.log:100` |" in text
    assert "| … | | | 59 more events | |" in text
    assert "| … | | | 160 more events | |" in text
