"""Reports on a job that is still being read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import Coverage, JobFacts, Report, Revision, TimelineEvent, Verdict
from logtui.diagnosis.session import reading
from logtui.diagnosis.session.opening import Options, analyse
from logtui.diagnosis.session.reading import Schedule, with_line_numbers, with_revisions
from logtui.parsers.files.discover import discover
from logtui.parsers.files.lines import UNCOUNTED
from logtui.parsers.generator import JobSpec, generate
from logtui.parsers.generator.stage.spec import Fault
from logtui.parsers.scan import plan
from logtui.parsers.scan.plan import Progress, Stage
from logtui.parsers.scan.sweep import Sweep

GIB = 1 << 30


def progress(stage: Stage, share: float = 0.1, size: int = GIB) -> Progress:
    return Progress(0, 1, int(size * share), size, stage, 1.0)


def report(cls: str = "network", ranks: tuple[int, ...] = (), title: str = "x", **other: object) -> Report:
    return Report("0", JobFacts(), Coverage(), Verdict(cls, title, "low", ranks), **other)  # type: ignore[arg-type]


def test_reports_are_due_after_tails_and_heads_and_then_as_they_cost() -> None:
    now = 100.0
    schedule = Schedule(lambda: now)
    assert not schedule.is_due(progress(Stage.TAILS))
    assert schedule.is_due(progress(Stage.HEADS))
    now += 0.2
    schedule.done()
    assert schedule.is_due(progress(Stage.REST))
    now += 1.0
    schedule.done()
    now += 9.0
    assert not schedule.is_due(progress(Stage.REST))
    now += 1.1
    assert schedule.is_due(progress(Stage.REST, 0.5))


def test_reports_that_take_long_do_not_follow_each_other() -> None:
    now = 100.0
    schedule = Schedule(lambda: now)
    assert schedule.is_due(progress(Stage.HEADS))
    now += 1.0
    schedule.done()
    assert not schedule.is_due(progress(Stage.REST))
    now += 10.1
    assert schedule.is_due(progress(Stage.REST))


@pytest.mark.parametrize(
    "seen",
    [progress(Stage.HEADS, size=1 << 20), progress(Stage.REST, share=0.95)],
    ids=["small job", "nearly all is read"],
)
def test_no_report_is_due_where_the_last_one_is_near(seen: Progress) -> None:
    assert not Schedule().is_due(seen)


def test_a_conclusion_that_changes_says_so() -> None:
    proof = Evidence("a.log", 3, "proof")
    first = report("network", (3,), "rank 3 lost its link")
    same = with_revisions(report("network", (3,), "rank 3 lost its link, with more evidence"), first)
    assert same.revisions == ()
    last = report("gpu-hardware", (3,), "rank 3's GPU fell off the bus")
    last = with_revisions(replace(last, verdict=replace(last.verdict, first_evidence=proof)), same)
    assert last.revisions == (Revision(same.verdict.title, "rank 3's GPU fell off the bus", proof),)
    assert with_revisions(report("gpu-hardware", (3,)), last).revisions == last.revisions


def test_lines_are_numbered_wherever_they_stand(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(b"".join(b"line %d\n" % n for n in range(1, 100_001)))
    run = Sweep(discover([tmp_path]), jobs=1)
    case = next(run.case() for p in run.run() if p.stage > Stage.TAILS)
    (base,) = case.indexes[0].loose
    line = UNCOUNTED + base + 1
    event = TimelineEvent(None, "", "worker", 3, "x", "a.log", line)
    proof, other = Evidence("a.log", line, "x"), Evidence("a.log", 7, "x")
    found = with_line_numbers(replace(report(), timeline=(event,), verdict=Verdict("x", "", "", first_evidence=proof,
                                      supporting=(other,))), case)  # fmt: skip
    number = found.timeline[0].line
    assert case.lines(0, number, 1) == [f"line {number}"] == case.lines(0, line, 1)
    assert found.verdict.first_evidence is not None and found.verdict.first_evidence.line == number
    assert found.verdict.supporting[0] is other
    case.close()


def test_lines_that_take_too_long_to_count_are_shown_without_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.log").write_bytes(b"line\n")
    case = Sweep(discover([tmp_path])).case()
    monkeypatch.setattr(reading, "COUNTING_S", -1.0)
    event = TimelineEvent(None, "", "worker", 3, "x", "a.log", UNCOUNTED + 5)
    assert with_line_numbers(replace(report(), timeline=(event,)), case).timeline[0].line == 0


def test_a_large_job_is_reported_on_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LEAST_BYTES", 0)
    monkeypatch.setattr(reading, "COUNTING_S", 60.0)  # a busy machine counts lines as well
    monkeypatch.setattr(plan, "HEAD_BYTES", 1 << 14)
    monkeypatch.setattr(plan, "UNDIVIDED_BYTES", 1 << 14)
    for rank in range(4):
        error = b"[rank%d]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n" % rank
        (tmp_path / f"rank{rank}.log").write_bytes(b"nothing to see here\n" * 50_000 + error)
    found = [u.analysis for u in analyse([tmp_path], Options(jobs=1)) if u.analysis]
    assert [a.report.provisional for a in found] == [True] * (len(found) - 1) + [False]
    assert len(found) >= 2
    lines = {e.line for a in found for e in a.report.timeline if "out of memory" in e.what.lower()}
    assert lines <= {50_001}
    for a in found:
        a.case.close()
    assert [u for u in analyse([tmp_path], Options(jobs=1, early=False)) if u.analysis][:-1] == []


def test_what_the_ends_of_the_files_say_is_the_verdict_from_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "LEAST_BYTES", 0)
    spec = JobSpec(fault=Fault.DATA_STALL, world_size=16, size_bytes=8 << 20)
    truth = generate(spec, tmp_path)
    found = [u.analysis for u in analyse([tmp_path], Options(jobs=1, no_cache=True)) if u.analysis]
    assert found[0].report.provisional
    for analysis in found:
        verdict = analysis.report.verdict
        assert (verdict.cls, verdict.culprit_ranks) == ("data-loading-stall", truth.culprit_ranks)
        analysis.case.close()
    assert found[-1].report.revisions == ()
