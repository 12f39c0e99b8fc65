"""PyTorch's own checks: the odd rank is named where a majority agrees, and nobody where none does."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

PRINT = "CollectiveFingerPrint(SequenceNumber={}, OpType={}, TensorShape=[{}], TensorDtypes=Float)"
ALIKE, ODD = PRINT.format(57, "ALLREDUCE", 4096), PRINT.format(57, "BROADCAST", 8)


def raised(rank: int, words: str) -> str:
    frame = f'[rank{rank}]:   File "/opt/job/train.py", line 7, in main\n[rank{rank}]:     dist.all_reduce(x)\n'
    return f"[rank{rank}]: Traceback (most recent call last):\n{frame}[rank{rank}]: RuntimeError: {words}\n"


def differ(rank: int, own: str, other: int, theirs: str) -> str:
    words = f"Detected mismatch between collectives on ranks. Rank {rank} is running collective: {own}"
    return raised(rank, f"{words}, but Rank {other} is running collective: {theirs}.")


def test_the_rank_that_runs_another_collective(report_of: ReportOf) -> None:
    text = "".join(differ(r, ALIKE, 3, ODD) for r in range(3)) + differ(3, ODD, 0, ALIKE)
    verdict = report_of({"job.log": text}).verdict
    assert (verdict.rule, verdict.culprit_ranks, verdict.confidence) == ("checked-collectives", (3,), "high")
    assert verdict.title == "rank 3 called BROADCAST #57 while the others called ALLREDUCE #57"
    assert verdict.first_evidence is not None
    assert verdict.first_evidence.rank == 3


def test_the_rank_that_only_the_others_speak_of(report_of: ReportOf) -> None:
    text = "".join(differ(r, ALIKE, 3, ODD) for r in range(3))
    assert report_of({"job.log": text}).verdict.culprit_ranks == (3,)


def test_two_that_differ_blame_nobody(report_of: ReportOf) -> None:
    text = differ(0, ALIKE, 1, ODD) + differ(1, ODD, 0, ALIKE)
    verdict = report_of({"job.log": text}).verdict
    assert verdict.rule != "checked-collectives"
    assert verdict.culprit_ranks == ()


@pytest.mark.parametrize("said", ["Rank 2", "Ranks 2"])
def test_who_does_not_reach_the_barrier(report_of: ReportOf, said: str) -> None:
    text = raised(0, f"[Rank 0]: {said} failed to pass monitoredBarrier in 30000 ms")
    victim = (
        "Rank {} successfully reached monitoredBarrier, but received errors while waiting for send/recv from rank 0"
    )
    text += "".join(raised(r, victim.format(r)) for r in (1, 3))
    verdict = report_of({"job.log": text}).verdict
    assert (verdict.rule, verdict.culprit_ranks) == ("checked-collectives", (2,))
