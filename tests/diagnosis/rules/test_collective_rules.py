"""Rules about stuck collectives: each fires on its log and stays silent on its neighbours'."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from logtui.diagnosis.facts.collectives import Timeout
from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def rules_of(report: Report) -> str:
    return report.verdict.rule


def test_never_entered_names_the_rank_that_only_was_told(report_of: ReportOf, lines: Any) -> None:
    text = "".join(lines.victim(r) for r in range(8) if r != 5) + lines.notified(5)
    verdict = report_of({"job.log": text}).verdict
    assert verdict.rule == "never-entered"
    assert verdict.culprit_ranks == (5,)
    assert "ALLREDUCE #1234 of default_pg" in verdict.title


def test_last_words_about_data_make_it_a_data_loading_stall(report_of: ReportOf, lines: Any) -> None:
    text = "[rank5]: opening shard /data/shard-00012.tar\n"
    text += "".join(lines.victim(r) for r in range(8) if r != 5) + lines.notified(5)
    verdict = report_of({"job.log": text}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("data-loading-stall", (5,))
    assert verdict.first_evidence is not None and verdict.first_evidence.line == 1


@pytest.mark.parametrize(
    ("others", "expected"),
    [("step 57 loss 2.31", "data"), ("epoch 7 finished", "software"), ("", "software")],
    ids=["still-train", "finished-too", "say-nothing"],
)
def test_a_rank_whose_epoch_ended_first_had_less_data(
    others: str, expected: str, report_of: ReportOf, lines: Any
) -> None:
    text = "".join(f"[rank{r}]: {others}\n" for r in range(8) if r != 5 and others)
    text += "[rank5]: epoch 7 finished\n[rank5]: validation begins\n"
    text += "".join(lines.victim(r) for r in range(8) if r != 5) + lines.notified(5)
    verdict = report_of({"job.log": text}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == (expected, (5,))


def test_a_rank_that_ended_its_training_left_the_others_waiting(report_of: ReportOf, lines: Any) -> None:
    """Its word is no completion of the job: nobody else came to an end."""
    text = "".join(f"[rank{r}]: step 57 loss 2.31\n" for r in range(8) if r != 5) + "[rank5]: Training finished\n"
    text += "".join(lines.victim(r) for r in range(8) if r != 5) + lines.notified(5)
    verdict = report_of({"job.log": text}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("data", (5,))
    assert verdict.first_evidence is not None and "Training finished" in verdict.first_evidence.text


def test_ranks_that_all_ended_their_training_completed(report_of: ReportOf, lines: Any) -> None:
    text = "".join(f"[rank{r}]: Training finished\n" for r in range(8))
    text += "".join(lines.victim(r) for r in range(8) if r != 5) + lines.notified(5)
    assert report_of({"job.log": text}).verdict.rule == "completed"


def test_a_rank_that_only_wrote_words_of_its_own_is_waited_for(report_of: ReportOf, lines: Any) -> None:
    """No format knows its line, and no line says how many ranks there are."""
    text = "[rank0]: saving checkpoint to /mnt/ckpt/step_57\n" + "".join(lines.victim(r) for r in range(1, 4))
    verdict = report_of({"job.log": text}).verdict
    assert (verdict.rule, verdict.culprit_ranks) == ("never-entered", (0,))


def test_a_rank_that_died_did_not_stall(report_of: ReportOf, lines: Any) -> None:
    text = (
        "[rank5]: Traceback (most recent call last):\n"
        '[rank5]:   File "/opt/job/train.py", line 7, in main\n'
        "[rank5]:     model.forward(x)\n"
        "[rank5]: AttributeError: 'NoneType' object has no attribute 'shape'\n"
    )
    text += "".join(lines.victim(r) for r in range(8) if r != 5)
    report = report_of({"job.log": text})
    assert report.verdict.rule == "first-exception"
    assert report.verdict.culprit_ranks == (5,)
    assert any("did not stall, it died" in r.why_not for r in report.verdict.runners_up)


def test_rank_behind_with_work_pending(report_of: ReportOf, lines: Any) -> None:
    text = "".join(lines.victim(r, seq=1234, enqueued=1234) for r in range(8) if r != 3)
    text += lines.victim(3, seq=1230, enqueued=1240)
    verdict = report_of({"job.log": text}).verdict
    assert (verdict.rule, verdict.cls, verdict.culprit_ranks) == ("rank-behind", "gpu-hardware", (3,))


def test_scattered_waits_single_out_nobody(report_of: ReportOf, lines: Any) -> None:
    text = "".join(lines.victim(r, seq=seq, op="BROADCAST") for r, seq in enumerate((5, 7, 7, 40, 48, 56)))
    verdict = report_of({"job.log": text}).verdict
    assert (verdict.rule, verdict.culprit_ranks) == ("none-finished", ())


def test_timeouts_that_all_differ_are_not_compared_each_with_each(
    report_of: ReportOf, lines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one line of each of 16,384 ranks may be."""
    compared = 0

    def counted(mine: Timeout, other: object) -> bool:
        nonlocal compared
        compared += 1
        return mine is other

    monkeypatch.setattr(Timeout, "__eq__", counted)
    many = 60
    report = report_of({"job.log": "".join(lines.timeout(rank, numel=4096 + rank) for rank in range(many))})
    assert report.verdict.cls == "collective-mismatch"
    assert len(report.ranks) == many
    assert compared <= many


def test_different_sizes_at_one_number_are_a_mismatch(report_of: ReportOf, lines: Any) -> None:
    text = "".join(lines.victim(r) for r in range(7)) + lines.timeout(7, numel=8) + lines.status(7, 1234, 1234, 1233)
    verdict = report_of({"job.log": text}).verdict
    assert (verdict.rule, verdict.cls, verdict.culprit_ranks) == ("different-operations", "collective-mismatch", (7,))


@pytest.mark.parametrize(("first", "expected"), [(True, "first-exception"), (False, "different-operations")])
def test_ranks_that_another_left_call_what_they_like(
    first: bool, expected: str, report_of: ReportOf, lines: Any
) -> None:
    raised = 'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\n    restore(state)\n'
    raised += "RuntimeError: Invalid generator state\n"
    waiting = [lines.victim(1, op="BROADCAST"), *(lines.victim(r) for r in (2, 3))]
    text = "".join([raised, *waiting] if first else [*waiting, raised])
    assert rules_of(report_of({"job.log": text})) == expected


def test_a_latecomer_is_told_by_the_start_of_its_wait(report_of: ReportOf, lines: Any) -> None:
    text = (
        "".join(lines.victim(r) for r in range(7))
        + lines.timeout(7, clock="04:13:39")
        + lines.status(7, 1234, 1234, 1233)
    )
    verdict = report_of({"job.log": text}).verdict
    assert (verdict.rule, verdict.culprit_ranks) == ("latecomer", (7,))


def test_all_entered_and_none_finished_is_nobodys_fault(report_of: ReportOf, lines: Any) -> None:
    halves = {f"node{n}.log": "".join(lines.victim(r) for r in range(4 * n, 4 * n + 4)) for n in range(2)}
    verdict = report_of(halves).verdict
    assert (verdict.rule, verdict.cls, verdict.culprit_ranks) == ("none-finished", "network", ())
    assert verdict.confidence == "low"


def test_within_one_node_there_is_no_network(report_of: ReportOf, lines: Any) -> None:
    verdict = report_of({"job.log": "".join(lines.victim(r) for r in range(8))}).verdict
    assert (verdict.rule, verdict.cls, verdict.culprit_ranks) == ("none-finished", "gpu-hardware", ())
    assert verdict.confidence == "low"


def test_of_three_ranks_of_an_unknown_job_nobody_knows_whether_they_are_all(report_of: ReportOf, lines: Any) -> None:
    assert report_of({"job.log": "".join(lines.victim(r) for r in range(3))}).verdict.cls == "unknown"


def test_timeouts_without_a_group_belong_to_the_only_one_that_is_named(report_of: ReportOf, lines: Any) -> None:
    text = (
        lines.timeout(1)
        + lines.timeout(2)
        + lines.timeout(3, op="BROADCAST", numel=57)
        + lines.status(3, 1234, 1234, 1233)
    )
    verdict = report_of({"job.log": text}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("collective-mismatch", (3,))


def test_one_rank_alone_settles_nothing(report_of: ReportOf, lines: Any) -> None:
    verdict = report_of({"rank0.log": lines.victim(0)}).verdict
    assert verdict.cls == "unknown"
    assert verdict.missing


def test_groups_are_followed_to_the_ranks_that_wait_nowhere(report_of: ReportOf, lines: Any) -> None:
    text = ""
    for rank in range(0, 8, 2):
        group = f"PG ID 5 PG GUID {93 + rank // 2}(TENSOR_MODEL_PARALLEL_GROUP)"
        text += (
            lines.timeout(rank + 1, seq=80) + lines.status(rank + 1, 80, 84, 79, group) + lines.notified(rank, rank + 1)
        )
    verdict = report_of({"job.log": text}).verdict
    assert verdict.culprit_ranks == (0, 2, 4, 6)


def test_the_way_around_a_hang_is_not_its_cause(report_of: ReportOf, lines: Any) -> None:
    hang = "".join(lines.victim(r, seq=2, enqueued=2) for r in range(8))
    setting = "node007:4411:4602 [1] NCCL INFO NCCL_P2P_LEVEL set by environment to {}\n"
    found = {to: report_of({"job.log": setting.format(to) + hang}).verdict.rule for to in ("LOC", "SYS")}
    assert found == {"LOC": "none-finished", "SYS": "transport-setting"}
