"""Failures that no rule declares: lines compared across ranks, against time, and with a healthy run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from logtui.diagnosis.facts.census import BUDGET, take
from logtui.diagnosis.model.report import Report
from logtui.diagnosis.report.json_report import as_dict
from logtui.diagnosis.report.markdown import render
from logtui.diagnosis.session.opening import Analysis, Options, analyse_whole

ReportOf = Callable[[Mapping[str, str]], Report]
Analysed = Callable[[Mapping[str, str]], Analysis]

FAILED = (
    "I1121 04:21:02.117000 11807 torch/distributed/elastic/agent/server/api.py:525] Local worker group finished "
    "(WorkerState.FAILED).\n"
)
COIL = "2026-11-21 04:15:00,000 warp coil 3 is out of phase: cannot go on\n"


def line(minute: int, text: str) -> str:
    return f"2026-11-21 04:{minute:02d}:00,000 {text}\n"


def job(
    odd: Mapping[int, str] | None = None, ranks: int = 6, until: Mapping[int, int] | None = None, end: str = FAILED
) -> dict[str, str]:
    """Each rank reads a batch a minute for twenty minutes, or `until` one; `odd` is what some say besides."""
    last = until or {}
    spoken = {
        f"rank{r}.log": "".join(line(m, f"read batch {m} of rank {r}") for m in range(last.get(r, 20)))
        + (odd or {}).get(r, "")
        for r in range(ranks)
    }
    return {**spoken, "launcher.log": end} if end else spoken


def test_what_one_rank_alone_says_stands_out(report_of: ReportOf) -> None:
    found = report_of(job({4: COIL})).odd_lines
    assert found is not None
    first = found.odd[0]
    assert (first.ranks, first.said_by, first.peers, first.severe) == ((4,), 1, 6, True)
    assert first.evidence.file.endswith("rank4.log") and first.evidence.line == 21
    assert first.evidence.time is not None


def test_it_carries_an_undecided_verdict_and_no_more(report_of: ReportOf) -> None:
    verdict = report_of(job({4: COIL})).verdict
    assert (verdict.cls, verdict.confidence, verdict.culprit_ranks, verdict.rule) == (
        "unknown",
        "low",
        (4,),
        "odd-line",
    )
    assert verdict.first_evidence is not None and "out of phase" in verdict.first_evidence.text


@pytest.mark.parametrize(
    "odd",
    [{}, {2: COIL, 4: COIL.replace("coil", "core")}, dict.fromkeys(range(6), COIL), {4: "2026 all systems are go\n"}],
    ids=["nothing", "two ranks", "all ranks", "no trouble"],
)
def test_no_rank_is_named_where_the_lines_do_not(report_of: ReportOf, odd: Mapping[int, str]) -> None:
    assert report_of(job(odd)).verdict.culprit_ranks == ()


def test_a_job_that_shows_no_failure_has_no_culprit(report_of: ReportOf) -> None:
    verdict = report_of(job({4: COIL}, end="")).verdict
    assert (verdict.culprit_ranks, verdict.rule) == ((), "no-failure")


def test_who_fell_silent_first(report_of: ReportOf) -> None:
    report = report_of(job(until={3: 12}))
    assert report.odd_lines is not None
    first = report.odd_lines.last_words[0]
    assert (first.rank, first.silent_s) == (3, 480.0)
    assert first.evidence.text.endswith("read batch 11 of rank 3")
    assert (report.verdict.culprit_ranks, report.verdict.confidence) == ((3,), "low")


def test_what_a_rank_stopped_saying(report_of: ReportOf) -> None:
    files = job()
    files["rank2.log"] = "".join(line(m, "read batch 1" if m < 9 else "still here") for m in range(20))
    found = report_of(files).odd_lines
    assert found is not None
    stopped = {u.rank: u for u in found.unsaid}
    assert stopped[2].others == 5


def test_a_rank_whose_first_line_has_no_time_yet(report_of: ReportOf) -> None:
    spoken = "".join(line(m, "tick") + "batch is read\n" for m in range(20))
    files = {f"rank{r}.log": "batch is read\n" * (r == 1) + spoken for r in range(6)}
    files["rank2.log"] = "".join(line(m, "tick") + "batch is read\n" * (m < 9) for m in range(20))
    found = report_of({**files, "launcher.log": FAILED}).odd_lines
    assert found is not None
    assert {u.rank for u in found.unsaid} == {2}


def test_what_a_rank_never_said(analysed: Analysed) -> None:
    files = {name: "all communicators are up\n" * (name != "rank5.log") + text for name, text in job(end="").items()}
    compare = analysed(files).compare
    assert compare is not None
    found = compare()
    assert [(u.rank, u.early_s) for u in found.unsaid if "communicators" in u.template] == [(5, None)]


def test_lines_of_rank_0_that_come_all_along_do_not_stand_out(report_of: ReportOf) -> None:
    files = job()
    files["rank0.log"] = "".join(line(m, f"read batch {m} of rank 0") + line(m, "mean loss is 2.3") for m in range(20))
    found = report_of(files).odd_lines
    assert found is not None
    assert not [o for o in found.odd if "mean loss" in o.evidence.text]


def test_without_ranks_what_is_new_near_the_end_stands_out(analysed: Analysed) -> None:
    calm = "".join(line(m, f"read batch {m}") for m in range(40))
    compare = analysed({"job.log": calm + COIL}).compare
    assert compare is not None
    found = compare()
    assert [o.evidence.line for o in found.odd] == [41]
    assert found.odd[0].why.startswith("new near the end")


def test_a_job_is_compared_with_a_healthy_one(tmp_path: Path) -> None:
    for name, odd in (("good", {}), ("bad", {4: COIL, 1: COIL.replace("coil 3", "core 3")})):
        for file, text in job(odd).items():
            path = tmp_path / name / file
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    report = analyse_whole([tmp_path / "bad"], Options(baseline=(tmp_path / "good",), no_cache=True)).report
    assert report.odd_lines is not None
    assert report.odd_lines.baseline == str(tmp_path / "good")
    assert [o.ranks for o in report.odd_lines.new] == [(1,), (4,)]
    assert "not in `" in render(report)
    written = as_dict(report)["odd_lines"]
    assert [n["ranks"] for n in written["new"]] == [[1], [4]]


def test_what_is_said_in_every_run_is_not_new(tmp_path: Path) -> None:
    for name in ("good", "bad"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "rank0.log").write_text(COIL + job()["rank0.log"])
    report = analyse_whole([tmp_path / "bad"], Options(baseline=(tmp_path / "good",), no_cache=True)).report
    assert report.odd_lines is not None and report.odd_lines.new == ()
    assert "nothing that" in render(report)


def test_the_share_that_was_looked_at_is_said(analysed: Analysed) -> None:
    filler = "".join(line(m % 60, f"filler {m} of this job") for m in range(40_000))
    analysis = analysed({f"rank{r}.log": filler for r in range(3)})
    taken = take(analysis.case, None, budget=3 << 17)
    assert taken.bytes_there == 3 * len(filler)
    assert taken.bytes_read <= (3 << 17) + 64
    assert taken.census.lines < 3 * 40_000 / 4
    whole = analysis.report.odd_lines
    assert whole is not None and whole.bytes_read <= BUDGET
    assert "all of their text" in whole.looked_at


def test_hostile_bytes_do_no_harm(report_of: ReportOf) -> None:
    files = job({4: "2026-11-21 04:15:00,000 \x1b]0;owned\x07 `cannot` | go on\n"})
    report = report_of(files)
    text = render(report)
    assert "\x1b" not in text and "'cannot' ¦ go on" in text


def test_lines_said_before_the_first_time_stamp(report_of: ReportOf) -> None:
    """What every rank says at once has no time of its own until a stamp stands above it."""
    early = {name: "warming up\n" * 2 + text + "warming up\n" for name, text in job(until={3: 5}).items()}
    assert report_of(early).verdict.cls
