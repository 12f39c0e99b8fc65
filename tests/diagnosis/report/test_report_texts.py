"""The report as JSON and markdown, and its proof against the files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from logtui.diagnosis.evidence import still_says, verify
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import ChainStep, Coverage, JobFacts, Recommendation, Report, TimelineEvent, Verdict
from logtui.diagnosis.report import json_report, markdown
from logtui.diagnosis.report.ticket import MOST_LINES, Origin
from logtui.diagnosis.session.opening import Analysis
from logtui.parsers.advice import SIDES

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
    assert "py.exception" not in text
    assert " | 3 | 2: `a.log` 2, `b.log` 1 | 3: rank 3 1, rank 4 1, rank 5 1 |" in text


def _event(second: float, what: str, *, rank: int | None = None, proof: bool = False) -> TimelineEvent:
    return TimelineEvent(second, "line before", "worker", rank, what, "a.log", int(second), proof=proof)


def _report(*events: TimelineEvent, **parts: Any) -> Report:
    return Report("0", JobFacts(), Coverage(), Verdict("unknown", "Undecided", "low"), timeline=events, **parts)


def test_the_table_of_the_timeline_keeps_the_proof() -> None:
    words = ["alpha", "beta", "gamma", "delta", "omega", "kappa", "sigma", "theta", "zeta", "iota"]
    kinds = [f"{a} {b} {c}" for a in words for b in words for c in words[:3]]
    text = markdown.render(_report(*(_event(n, kind, proof=n == 100) for n, kind in enumerate(kinds, 1))))
    assert f"| ~1970-01-01 00:01:40 | worker |  | `{kinds[99]}` | `a.log:100` |" in text
    assert "| … | | | 59 more events | |" in text
    assert "| … | | | 160 more events | |" in text


def test_lines_that_say_the_same_are_one_row_with_count_first_and_last() -> None:
    burst = [_event(n, f"rank {n} gave up", rank=n, proof=n == 3) for n in range(1, 6)]
    again = _event(900, "rank 9 gave up", rank=9)
    rows = [r for r in markdown.render(_report(*burst, again)).split("\n") if "gave up" in r]
    assert rows == [
        "| ~1970-01-01 00:00:01–00:00:05 | worker | 1–2, 4–5 | 4 × `rank 1 gave up` | `a.log:1` |",
        "| ~1970-01-01 00:00:03 | worker | 3 | `rank 3 gave up` | `a.log:3` |",
        "| ~1970-01-01 00:15:00 | worker | 9 | `rank 9 gave up` | `a.log:900` |",
    ]


def _many(count: int) -> list[Evidence]:
    return [Evidence("a.log", n, "x" * 1000, float(n)) for n in range(1, count + 1)]


def test_the_first_screen_is_all_that_a_ticket_needs() -> None:
    """However much there is to say: 25 lines, then everything else, folded."""
    lines = _many(9)
    advice = [Recommendation(side, "look", tuple(lines)) for side in (*sorted(SIDES), *sorted(SIDES))]
    verdict = Verdict(
        "storage-io", "t", "high", (1,), ("h",), lines[0], missing=("a", "b"), supporting=tuple(lines),
        refuting=tuple(lines),
    )  # fmt: skip
    chain = tuple(ChainStep(n, "so", 1.0, evidence=(lines[n],)) for n in range(1, 9))
    whole = Report(
        "0", JobFacts("7"), Coverage(), verdict, chain, recommendations=tuple(advice), provisional=True
    )  # fmt: skip
    first, _, rest = markdown.render(whole, (), Origin("logs/", "2026-02-24")).partition("\n<details>")
    assert len(first.strip().split("\n")) == MOST_LINES
    assert max(map(len, first.split("\n"))) < 250
    for word in ("`logs/`", "2026-02-24", "Provisional", "**Class**", "**Missing**", "**storage**", "**training**"):
        assert word in first
    assert rest.count("<details>") + 1 == rest.count("</details>")


def test_key_files_say_why() -> None:
    step = ChainStep(1, "the disk fell out", 1.0, evidence=(Evidence("k.log", 4, "x"),))
    report = _report(chain=(step,))
    assert "- `k.log`: line 4: step 1, the disk fell out" in markdown.render(report)
