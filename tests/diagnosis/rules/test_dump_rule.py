"""Flight-recorder dumps as a witness beside the logs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from recorded_job import RecordedJob

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.session.opening import analyse_whole
from logtui.parsers.generator import JobSpec, generate, write_dumps
from logtui.parsers.generator.stage.spec import Fault

SPEC = JobSpec(world_size=8, fault=Fault.DATA_STALL, pytorch="2.7", recorder=True, seed=3)


@pytest.fixture
def report(tmp_path: Path) -> Report:
    """A job of which only the dumps are left."""
    write_dumps(SPEC, tmp_path / "dumps")
    return analyse_whole([tmp_path / "dumps"]).report


def test_dumps_alone_name_the_rank(report: Report, tmp_path: Path) -> None:
    truth = generate(SPEC, tmp_path / "logs")
    assert report.verdict.rule == "flight-recorder"
    assert report.verdict.culprit_ranks == truth.culprit_ranks
    assert report.verdict.confidence != "high"
    assert report.flight_recorder is not None and report.flight_recorder["dumps"] == 8


def test_dumps_fill_the_states_of_ranks_without_a_log(report: Report) -> None:
    assert len(report.ranks) == 8
    assert all(r.groups for r in report.ranks)


def test_logs_and_dumps_agree_on_one_report(tmp_path: Path) -> None:
    truth = generate(SPEC, tmp_path / "job")
    write_dumps(SPEC, tmp_path / "job" / "dumps")
    report = analyse_whole([tmp_path / "job"]).report
    assert (report.verdict.culprit_ranks, report.verdict.cls) == (truth.culprit_ranks, truth.cls)
    assert report.verdict.confidence == "high"
    assert report.witnesses is not None
    assert {said.witness: said.ranks for said in report.witnesses.testimonies} == dict.fromkeys(
        ("log", "dumps"), truth.culprit_ranks
    )
    assert report.witnesses.disagreements == ()


def test_no_high_confidence_against_the_dumps(tmp_path: Path) -> None:
    """The dumps are those of a job in which another rank stalled."""
    generate(SPEC, tmp_path / "job")
    write_dumps(replace(SPEC, culprits=(6,)), tmp_path / "job" / "dumps")
    report = analyse_whole([tmp_path / "job"]).report
    assert report.verdict.confidence != "high"
    assert report.witnesses is not None
    assert any("log against dumps: rank 4, or rank 6" in d.what for d in report.witnesses.disagreements)
    assert report.verification.failed == ()


def test_a_rank_that_died_is_not_called_a_straggler(tmp_path: Path) -> None:
    spec = replace(SPEC, fault=Fault.EXCEPTION_ONE_RANK)
    truth = generate(spec, tmp_path / "job")
    write_dumps(spec, tmp_path / "job" / "dumps")
    verdict = analyse_whole([tmp_path / "job"]).report.verdict
    assert (verdict.rule, verdict.culprit_ranks) == ("first-exception", truth.culprit_ranks)


def grid(job: RecordedJob, folder: Path) -> dict[str, list[int]]:
    """Ranks by status of a job of which only the dumps are left."""
    folder.mkdir()
    for rank in range(job.world):
        (folder / f"nccl_trace_rank_{rank}.json").write_text(json.dumps(job.dump(rank)))
    found: dict[str, list[int]] = {}
    for state in analyse_whole([folder]).report.ranks:
        found.setdefault(state.status, []).append(state.rank)
    return found


def test_dumps_place_the_ranks_in_the_grid(tmp_path: Path) -> None:
    job = RecordedJob(6, {"1": (4, 5)}).launch("all_reduce").launch("all_reduce", (0, 1, 3), state="scheduled")
    job.transfer("recv 0<-1", 4, "1", "scheduled")
    assert grid(job, tmp_path / "fr") == {"waiting": [0, 1, 3, 4], "never_entered": [2, 5]}


def test_a_rank_that_waits_elsewhere_waits(tmp_path: Path) -> None:
    job = RecordedJob(3, {"1": (1, 2)}).launch("all_reduce").launch("all_reduce", (0,), state="scheduled")
    assert grid(job.launch("barrier", (1,), "1", "scheduled"), tmp_path / "fr") == {
        "waiting": [0, 1],
        "never_entered": [2],
    }


def test_nothing_stuck_leaves_the_grid_calm(tmp_path: Path) -> None:
    job = RecordedJob(3).launch("all_reduce").launch("all_reduce", (0, 1)).launch("all_reduce", (2,), state="started")
    assert grid(job, tmp_path / "fr") == {"healthy": [0, 1, 2]}


def dumps_of(job: RecordedJob, folder: Path, ranks: tuple[int, ...]) -> Path:
    """The dumps of some ranks, as JSON."""
    (folder / "fr").mkdir(parents=True)
    for rank in ranks:
        (folder / "fr" / f"nccl_trace_rank_{rank}.json").write_text(json.dumps(job.dump(rank)))
    return folder


def test_dumps_of_a_job_at_rest_are_no_failure(tmp_path: Path) -> None:
    job = RecordedJob(3).launch("all_reduce").launch("all_reduce")
    report = analyse_whole([dumps_of(job, tmp_path / "job", (0, 1, 2))]).report
    assert (report.verdict.rule, report.verdict.cls, report.verdict.confidence) == ("dumps-at-rest", "healthy", "low")
    assert not any("flight-recorder dumps," in m for m in report.verdict.missing)


def test_dumps_alone_fill_the_timeline(tmp_path: Path) -> None:
    job = RecordedJob(3).launch("all_reduce").launch("all_reduce", (0, 2), state="started")
    report = analyse_whole([dumps_of(job, tmp_path / "job", (0, 1, 2))]).report
    assert {e.rank for e in report.timeline} == {0, 1, 2}
    assert all(e.time is not None and "last launched all_reduce" in e.what for e in report.timeline)
    assert report.flight_recorder is not None
    assert [stuck["timeout_ms"] for stuck in report.flight_recorder["stuck"]] == [600_000]  # type: ignore[attr-defined]


LOADING = "2026-11-21 04:10:00,000 INFO train: step 7 loss 2.31\n[rank2]: 2026-11-21 04:10:01,000 INFO data: {words}\n"


def test_a_rank_without_a_dump_and_its_last_words(tmp_path: Path) -> None:
    job = RecordedJob(4).launch("all_reduce").launch("all_reduce")
    folder = dumps_of(job, tmp_path / "job", (0, 1, 3))
    (folder / "rank2.log").write_text(LOADING.format(words="opening shard s3://corpus/a57.tar"))
    report = analyse_whole([folder]).report
    blamed = [report.verdict.title, *(other.title for other in report.verdict.runners_up)]
    assert any("rank 2 left no flight-recorder dump" in title for title in blamed)


def test_a_rank_without_a_dump_that_says_nothing_of_it_is_not_blamed(tmp_path: Path) -> None:
    job = RecordedJob(4).launch("all_reduce").launch("all_reduce")
    folder = dumps_of(job, tmp_path / "job", (0, 1, 3))
    (folder / "rank2.log").write_text(LOADING.format(words="hello"))
    verdict = analyse_whole([folder]).report.verdict
    assert verdict.rule != "dumps-at-rest" and verdict.culprit_ranks == ()
