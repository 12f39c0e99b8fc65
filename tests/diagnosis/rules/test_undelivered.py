"""Data that never arrived: senders that went on, and receivers that all wait on the other side."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def waits(rank: int, guid: int, seq: int, op: str = "BROADCAST", size: int = 840, second: int = 8) -> str:
    """What a rank's watchdog says of the operation in which it waits."""
    head = f"[rank{rank}]:[E1121 04:12:{second:02d}.112358132 ProcessGroupNCCL.cpp"
    return (
        f"{head}:683] [Rank {rank // 4}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum={seq}, OpType={op}, "
        f"NumelIn={size}, NumelOut={size}, Timeout(ms)=600000) ran for 600031 milliseconds before timing out.\n"
        f"{head}:2241] [PG ID 1 PG GUID {guid} Rank {rank // 4}]  failure detected by watchdog at work sequence id: {seq} "
        f"PG status: last enqueued work: {seq}, last completed work: {seq - 1}\n"
    )


def pair(first: int, other: int, guid: int, op: str = "BROADCAST") -> str:
    """A group whose first rank had sent, while the other waits."""
    return waits(other, guid, 2, op) + waits(first, guid, 3, op, size=5225280)


CANCELLED = "slurmstepd: error: *** STEP 4821.0 ON node007 CANCELLED AT 2026-11-21T04:12:20 ***\n"


def test_receivers_of_several_groups_that_wait_point_at_what_lies_between(report_of: ReportOf) -> None:
    text = "".join(pair(r, r + 4, 7 + r) for r in range(4))
    verdict = report_of({"job.log": text + CANCELLED}).verdict
    assert (verdict.rule, verdict.cls, verdict.confidence) == ("undelivered", "network", "low")
    assert verdict.first_evidence is not None and verdict.first_evidence.rank == 4
    assert verdict.culprit_ranks == ()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(pair(0, 4, 7), id="one group"),
        pytest.param(pair(0, 4, 7) + pair(5, 1, 8), id="on both sides"),
        pytest.param(
            "".join(pair(r, r + 4, 7 + r, "ALLREDUCE") for r in range(4)), id="nobody is done before the others"
        ),
        pytest.param("".join(waits(r, 7 + r % 4, 2) for r in range(8)), id="all wait alike"),
    ],
)
def test_or_it_says_nothing(text: str, report_of: ReportOf) -> None:
    assert report_of({"job.log": text + CANCELLED}).verdict.rule != "undelivered"


def test_a_rank_that_failed_is_why_others_wait(report_of: ReportOf) -> None:
    raised = (
        "[rank6]: Traceback (most recent call last):\n"
        '[rank6]:   File "/opt/job/train.py", line 7, in <module>\n[rank6]:     main()\n'
        "[rank6]: KeyError: 'width'\n"
    )
    text = raised + "".join(pair(r, r + 4, 7 + r) for r in range(4))
    assert report_of({"job.log": text}).verdict.rule != "undelivered"


def test_one_rank_that_called_something_else_is_named(report_of: ReportOf) -> None:
    text = waits(0, 7, 773, "ALLREDUCE", 20) + "".join(waits(r, 7, 772, "ALLREDUCE", 271488) for r in (4, 8, 12))
    verdict = report_of({"job.log": text + CANCELLED}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("collective-mismatch", (0,))


def test_of_two_that_called_different_things_neither_is_named(report_of: ReportOf) -> None:
    text = waits(0, 7, 773, "ALLREDUCE", 20) + waits(4, 7, 772, "ALLREDUCE", 271488)
    assert report_of({"job.log": text + CANCELLED}).verdict.culprit_ranks == ()
