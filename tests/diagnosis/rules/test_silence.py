"""Who fell silent, who never finished the set-up, and how long nothing moved before the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def spoke(rank: int, minutes: int, doing: str = "step {n} loss 2.5") -> str:
    """One line a minute from ten o'clock on."""
    lines = (f"2026-03-05 {10 + n // 60}:{n % 60:02}:00 INFO rank {rank} {doing.format(n=n)}\n" for n in range(minutes))
    return "".join(lines)


def job(ranks: int, early: Mapping[int, int], minutes: int = 50) -> dict[str, str]:
    return {f"worker-{r}.log": spoke(r, early.get(r, minutes)) for r in range(ranks)}


def test_a_rank_that_stops_while_the_others_go_on_is_named(report_of: ReportOf) -> None:
    verdict = report_of(job(8, {2: 30})).verdict
    assert verdict.culprit_ranks == (2,)
    assert verdict.cls == "unknown"
    assert "20 minutes" in verdict.title
    assert verdict.first_evidence is not None
    assert (verdict.first_evidence.file, verdict.first_evidence.line) == ("worker-2.log", 30)


@pytest.mark.parametrize(
    ("doing", "cls"),
    [
        ("opening shard-000057.tar", "data-loading-stall"),
        ("still waiting for shard-000057.tar after 600 s", "data-loading-stall"),
        ("has read shard-000057.tar after 600 s", "unknown"),
    ],
    ids=["opens", "waits", "has read"],
)
def test_its_last_words_say_what_it_was_doing(doing: str, cls: str, report_of: ReportOf) -> None:
    files = job(8, {2: 30})
    files["worker-2.log"] += f"2026-03-05 10:30:10 INFO rank 2 {doing}\n"
    assert report_of(files).verdict.cls == cls


@pytest.mark.parametrize("early", [{}, {2: 48}, dict.fromkeys(range(1, 8), 5)], ids=["none", "soon", "one speaks"])
def test_nobody_is_named_without_an_outlier(report_of: ReportOf, early: dict[int, int]) -> None:
    verdict = report_of(job(8, early)).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("healthy", ())


def test_a_log_that_ends_before_the_newest_attempt_is_silent_in_none(report_of: ReportOf) -> None:
    opening = "[03/05 {at}] detectron2 INFO: Rank of current process: {rank}. World size: {size}\n"
    files = {}
    for rank in range(8):
        text = opening.format(at="10:00:00", rank=rank, size=8) + spoke(rank, 50)
        if rank < 7:  # started anew with fewer
            text += opening.format(at="14:00:00", rank=rank, size=7) + spoke(rank, 50).replace(" 10:", " 14:")
        files["log.txt" + f".rank{rank}" * (rank > 0)] = text
    verdict = report_of(files).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("healthy", ())


def test_silence_of_all_before_a_cancel_is_told(report_of: ReportOf) -> None:
    end = "slurmstepd: error: *** STEP 57.0 ON node007 CANCELLED AT 2026-03-05T12:00:00 ***\n"
    verdict = report_of(job(4, {}, 60) | {"slurm-57.out": end}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("infrastructure", ())
    assert "61 minutes" in verdict.title


def started(ranks: int, complete: set[int]) -> str:
    who = "node007:{p}:{t} [{r}] NCCL INFO comm 0x5{r:05x} rank {r} nranks {n} cudaDev {r} nvmlDev {r} busId {r}b000 commId 0x57 - Init {w}\n"
    lines = [who.format(p=100 + r, t=200 + r, r=r, n=ranks, w="START") for r in range(ranks)]
    return "".join(lines + [who.format(p=100 + r, t=200 + r, r=r, n=ranks, w="COMPLETE") for r in sorted(complete)])


LIMIT = "slurmstepd: error: *** STEP 57.0 ON node007 CANCELLED AT 2026-03-05T12:00:00 DUE TO TIME LIMIT ***\n"


def test_the_rank_that_did_not_finish_the_set_up_is_named(report_of: ReportOf) -> None:
    verdict = report_of({"job.out": started(8, set(range(8)) - {5}) + LIMIT}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("init-rendezvous", (5,))
    assert "7 of 8 ranks" in verdict.title


def test_a_set_up_that_nobody_finished_blames_nobody(report_of: ReportOf) -> None:
    verdict = report_of({"job.out": started(8, set()) + LIMIT}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("init-rendezvous", ())


def test_a_set_up_that_all_finished_is_no_finding(report_of: ReportOf) -> None:
    assert report_of({"job.out": started(8, set(range(8))) + LIMIT}).verdict.cls == "infrastructure"


STEPPED = "".join(
    f"2026-03-05 0{h}:{m:02d}:00,057 INFO step {60 * h + m} loss 1.{m:02d}\n" for h in (7, 8) for m in range(60)
)


@pytest.mark.parametrize(
    ("last", "silent"),
    [("", True), ("2026-03-05 11:58:44,727 [INFO] Evaluating on the validation set.\n", False)],
    ids=["nothing", "another-phase"],
)
@pytest.mark.parametrize("between", ["", "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.\n"])
def test_who_spoke_of_another_phase_before_a_limit_was_not_silent(
    last: str, silent: bool, between: str, report_of: ReportOf
) -> None:
    title = report_of({"job.err": STEPPED + last + between + LIMIT}).verdict.title
    assert "time limit" in title
    assert ("nothing had moved for 181 minutes" in title) == silent
