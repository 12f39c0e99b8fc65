"""Logs, dumps and RAS snapshots beside each other: agreement is silent, a contradiction is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import pytest
from ras_reports import BEHIND, a_snapshot
from recorded_job import START_NS, RecordedJob

from logtui.diagnosis.model.analyses import Witnesses
from logtui.diagnosis.model.report import Report
from logtui.diagnosis.report.markdown import render

ReportOf = Callable[[Mapping[str, str]], Report]
PENDING = "scheduled"
WORLD = 4
DAY = datetime.fromtimestamp(START_NS / 1e9, UTC)
TIMEOUT = (
    "[rank{r}]:[E{day} 04:12:09.112358132 ProcessGroupNCCL.cpp:683] [Rank {r}] Watchdog caught collective operation timeout: "
    "WorkNCCL(SeqNum={s}, OpType={op}, NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600031 milliseconds before "
    "timing out.\n"
    "[rank{r}]:[E{day} 04:12:09.112358132 ProcessGroupNCCL.cpp:2241] [PG ID 0 PG GUID 0(default_pg) Rank {r}]  failure detected "
    "by watchdog at work sequence id: {s} PG status: last enqueued work: {s}, last completed work: {c}\n"
)
WORLD_LINE = (
    "[rank{r}]:[I{day} 04:00:00.000000000 ProcessGroupNCCL.cpp:999] [PG ID 0 PG GUID 0(default_pg) Rank {r}] ready\n"
)


def victims(*ranks: int, seq: int = 2, op: str = "ALLREDUCE") -> str:
    return "".join(TIMEOUT.format(r=r, s=seq, c=seq - 1, op=op, day=DAY.strftime("%m%d")) for r in ranks)


def all_said_something(*ranks: int) -> str:
    return "".join(WORLD_LINE.format(r=r, day=DAY.strftime("%m%d")) for r in ranks)


def dumps_of(job: RecordedJob) -> dict[str, str]:
    return {f"fr/nccl_trace_rank_{rank}.json": json.dumps(job.dump(rank)) for rank in range(job.world)}


def hung(without: int = 3) -> RecordedJob:
    """All but one rank wait in the second all-reduce."""
    job = RecordedJob(WORLD).launch("all_reduce")
    return job.launch("all_reduce", [r for r in range(WORLD) if r != without], state=PENDING)


def heard(report: Report) -> Witnesses:
    assert report.witnesses is not None
    return report.witnesses


def blamed(report: Report) -> dict[str, tuple[int, ...]]:
    return {said.witness: said.ranks for said in heard(report).testimonies}


def contradictions(report: Report) -> list[str]:
    return [against.what for against in heard(report).disagreements]


def test_logs_alone_are_not_compared(report_of: ReportOf) -> None:
    assert report_of({"job.log": victims(0, 1, 2)}).witnesses is None


def test_agreement_is_silent(report_of: ReportOf) -> None:
    log = all_said_something(0, 1, 2, 3) + victims(0, 1, 2)
    report = report_of({"job.log": log, **dumps_of(hung()), "ras.txt": a_snapshot({0: 2, 1: 2, 2: 2, 3: 1})})
    assert blamed(report) == {"log": (3,), "dumps": (3,), "ras": (3,)}
    assert contradictions(report) == []


def test_witnesses_that_point_at_different_ranks(report_of: ReportOf) -> None:
    log = all_said_something(0, 1, 2, 3) + victims(0, 1, 2)
    report = report_of({"job.log": log, **dumps_of(hung(without=1)), "ras.json": a_snapshot({0: 1, 1: 2, 2: 2, 3: 2})})
    assert blamed(report) == {"log": (3,), "dumps": (1,), "ras": (0,)}
    found = contradictions(report)
    assert "log against dumps: rank 3, or rank 1" in found
    assert "dumps against ras: rank 1, or rank 0" in found
    assert "the log of rank 1 timed out in #2 of 0:default_pg; the dump does not hold it: it was written before, or is of another attempt" in found  # fmt: skip
    assert "RAS has rank 0 behind the others; the log has it waiting with them" in found
    assert any("≠" not in line and "They disagree" in line for line in render(report).split("\n"))
    assert report.verification.failed == ()


def test_a_dump_of_another_attempt(report_of: ReportOf) -> None:
    """The dump finished what the log timed out in."""
    job = RecordedJob(WORLD)
    for _ in range(3):
        job.launch("all_reduce")
    job.launch("all_reduce", (0, 1, 2), state=PENDING)
    (found,) = contradictions(report_of({"job.log": victims(0, 1, 2), **dumps_of(job)}))
    assert found.startswith("the log of ranks 0–2 timed out in #2 of 0:default_pg; the dump has it finished")


@pytest.mark.parametrize(
    ("logged", "recorded", "found"),
    [("ALLREDUCE", "all_gather", 1), ("ALLREDUCE", "all_reduce", 0), ("_ALLGATHER_BASE", "_all_gather_base", 0),
     ("ALLREDUCE", "all_reduce_barrier", 0), ("COALESCED", "all_gather", 0), ("BROADCAST", "_broadcast_oop", 0)],
)  # fmt: skip
def test_another_operation_in_log_and_dump(report_of: ReportOf, logged: str, recorded: str, found: int) -> None:
    job = RecordedJob(WORLD).launch("all_reduce").launch(recorded, (0, 1, 2), state=PENDING)
    report = report_of({"job.log": victims(0, 1, 2, op=logged), **dumps_of(job)})
    assert len([what for what in contradictions(report) if f"has {recorded}, not {logged}" in what]) == found


def test_a_snapshot_before_the_hang_says_nothing(report_of: ReportOf) -> None:
    early = a_snapshot({0: 1, 1: 2, 2: 2, 3: 2}, timestamp=f"{DAY:%Y-%m-%d} 03:00:00")
    report = report_of({"job.log": all_said_something(0, 1, 2, 3) + victims(0, 1, 2), "ras.json": early})
    assert blamed(report)["ras"] == ()
    assert contradictions(report) == []
    assert "before the hang" in heard(report).testimonies[-1].what


def test_the_last_of_several_reports_counts(report_of: ReportOf) -> None:
    """A monitor that asks every minute writes them one after the other."""
    first, last = BEHIND, BEHIND.replace("Rank 5", "Rank 7")
    log = all_said_something(*range(16)) + victims(*(r for r in range(16) if r not in (7, 9)))
    report = report_of({"job.log": log, "ras.txt": first + "\n" + last})
    assert blamed(report)["ras"] == (7, 9)


def test_counts_single_out_a_rank_without_any_log(report_of: ReportOf) -> None:
    verdict = report_of({"ras.txt": BEHIND}).verdict
    assert (verdict.rule, verdict.culprit_ranks) == ("ras-counts", (5, 9))
    assert verdict.confidence != "high"


def test_a_minority_that_is_ahead_is_nobodys_fault(report_of: ReportOf) -> None:
    ahead = a_snapshot({r: 641 if r in (12, 13) else 640 for r in range(32)})
    report = report_of({"ras.json": ahead})
    assert report.verdict.rule != "ras-counts"
    assert report.verdict.culprit_ranks == ()
