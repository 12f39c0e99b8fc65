"""Hangs as PyTorch up to 2.2 logs them: no rank before a line, no word of ranks that the launcher stopped first."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.predicates.odd_last_words import shape

ReportOf = Callable[[Mapping[str, str]], Report]

TIMEOUT = (
    "[E ProcessGroupNCCL.cpp:475] [Rank {r}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1234, OpType=ALLREDUCE, "
    "NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600086 milliseconds before timing out.\n"
)
WHO = "2026-02-24 14:16:1{r},000 INFO train: rank {r}/8 local_rank {local} host node00{node} pid 424{r}\n"
READ = "2026-02-24 14:20:0{r},000 INFO shards: rank {r} read 2048 samples from shard-0{r}.tar in 1.5 s\n"
OPENS = "2026-02-24 14:20:0{r},500 INFO shards: rank {r} opening shard s3://corpus/shard-1{r}.tar\n"
STOPPED = "[2026-02-24 14:31:00,166] torch.distributed.elastic.multiprocessing.api: [WARNING] Sending process 424{r} closing signal SIGTERM\n"
RAISED = (
    "Traceback (most recent call last):\n"
    '  File "/workspace/train.py", line 133, in main\n'
    "    batch = next(batches)\n"
    "KeyError: 'speaker'\n"
)


def node(index: int, waiting: tuple[int, ...], more: str = "") -> str:
    """One node's console: four ranks, of which some time out and the others are stopped."""
    ranks = range(4 * index, 4 * index + 4)
    text = "".join(WHO.format(r=r, local=r % 4, node=index) for r in ranks) + "".join(READ.format(r=r) for r in ranks)
    text += more + "".join(TIMEOUT.format(r=r) for r in waiting)
    return text + "".join(STOPPED.format(r=r) for r in ranks if r not in waiting)


def test_the_one_that_did_not_finish_what_all_others_did(report_of: ReportOf) -> None:
    verdict = report_of({"a.log": node(0, (0, 2)), "b.log": node(1, (4, 7), OPENS.format(r=5))}).verdict
    assert verdict.culprit_ranks == (5,)
    assert verdict.cls == "data-loading-stall"


def test_all_ended_alike_and_nobody_is_named(report_of: ReportOf) -> None:
    assert report_of({"a.log": node(0, (0, 2)), "b.log": node(1, (4, 7))}).verdict.culprit_ranks == ()


def test_what_is_finished_holds_nobody_up(report_of: ReportOf) -> None:
    verdict = report_of({"a.log": node(0, (0, 1, 2, 3)), "b.log": node(1, (4, 6, 7))}).verdict
    assert verdict.culprit_ranks == (5,)
    assert verdict.cls != "data-loading-stall" and verdict.confidence == "low"


def test_an_exception_is_whose_it_can_only_be(report_of: ReportOf) -> None:
    verdict = report_of({"a.log": node(0, (0, 1, 2, 3)), "b.log": node(1, (4, 6, 7), RAISED)}).verdict
    assert (verdict.rule, verdict.culprit_ranks) == ("first-exception", (5,))


def test_an_exception_of_one_of_several(report_of: ReportOf) -> None:
    verdict = report_of({"a.log": node(0, (0, 1, 2, 3)), "b.log": node(1, (4, 7), RAISED)}).verdict
    assert (verdict.rule, verdict.culprit_ranks) == ("first-exception", ())


def test_a_node_that_fell_silent(report_of: ReportOf) -> None:
    said = "[rank{r}]:[W1121 03:12:09.112358132 socket.cpp:207] [c10d] The hostname of the client socket cannot be retrieved. err=-3\n"
    modern = "[rank{r}]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:683] " + TIMEOUT.split("] ", 1)[1]
    status = (
        "[rank{r}]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:2241] [PG ID 0 PG GUID 0(default_pg) Rank {r}]  failure "
        "detected by watchdog at work sequence id: 1234 PG status: last enqueued work: 1234, last completed work: 1233\n"
    )
    first = "".join(said.format(r=r) + modern.format(r=r) + status.format(r=r) for r in range(4))
    second = "".join(said.format(r=r) for r in range(4, 8))
    verdict = report_of({"a.log": first, "b.log": second}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("infrastructure", (4, 5, 6, 7))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (READ.format(r=1), READ.format(r=7)),
        ("loss 2.31 at 0x7f00 in /data/a/b.tar", "loss 9.9 at 0x7fff in /data/c/d.tar"),
    ],
)
def test_lines_that_differ_in_values_have_one_shape(one: str, other: str) -> None:
    assert shape(one) == shape(other)


def test_lines_that_differ_in_words_do_not() -> None:
    assert shape(READ.format(r=1)) != shape(OPENS.format(r=1))


def stopped_after(seconds: int, index: int, waiting: tuple[int, ...]) -> str:
    """A node of four ranks whose launcher stopped it so many seconds after 14:31:00."""
    return node(index, waiting).replace("14:31:00,166", f"14:31:{seconds:02d},166")


def test_a_rank_that_had_time_to_speak_never_entered(report_of: ReportOf) -> None:
    quick = {f"{i}.log": stopped_after(i - 1, i, (4 * i, 4 * i + 3)) for i in (1, 2)}
    whole = {f"{i}.log": stopped_after(3, i, tuple(range(4 * i, 4 * i + 4))) for i in (3, 4)}
    late = {"0.log": stopped_after(5, 0, (0, 1, 3))}
    verdict = report_of({**quick, **whole, **late}).verdict
    assert (verdict.rule, verdict.culprit_ranks, verdict.confidence) == ("never-entered", (2,), "low")


def test_a_rank_that_was_stopped_with_the_first_node_may_have_entered(report_of: ReportOf) -> None:
    whole = {f"{i}.log": node(i, tuple(range(4 * i, 4 * i + 4))) + STOPPED.format(r=9) for i in range(1, 5)}
    verdict = report_of({**whole, "0.log": node(0, (0, 1, 3))}).verdict
    assert verdict.culprit_ranks == ()
    assert "rank 2, stopped before its watchdog could speak" in verdict.missing[0]


def test_a_node_whose_ranks_all_failed_did_not_fall_silent(report_of: ReportOf) -> None:
    """Their tracebacks carry no rank; that they are the node's is known from their number."""
    failed = "".join(WHO.format(r=r, local=r % 4, node=0) for r in range(4)) + RAISED * 4
    verdict = report_of({"a.log": failed, "b.log": node(1, (4, 5, 6, 7)), "c.log": node(2, (8, 9, 10, 11))}).verdict
    assert (verdict.rule, verdict.culprit_ranks) == ("first-exception", (0, 1, 2, 3))


def test_all_ranks_of_a_merged_file_count(report_of: ReportOf) -> None:
    """Only srun's label says who printed a line, so that they look like the lines of one writer."""
    joined = "{r}: node0:{p}:{p} [0] NCCL INFO comm 0x1 rank {r} nranks 400 cudaDev 0 busId 1000 - Init COMPLETE\n"
    text = "".join(joined.format(r=r, p=1000 + r) for r in range(400))
    text += "".join(f"{r}: {TIMEOUT.format(r=r)}" for r in range(400) if r != 217)
    assert report_of({"all.log": text}).verdict.culprit_ranks == (217,)


def test_processes_that_a_launcher_elsewhere_stopped_are_known_by_number(report_of: ReportOf) -> None:
    """The launchers write to a file of their own: only the process ids tell whom they stopped."""
    stops = "".join(STOPPED.format(r=r) for r in (5, 6, 7))
    behind = TIMEOUT.format(r=4).replace("SeqNum=1234", "SeqNum=1231")
    second = "".join(WHO.format(r=r, local=r % 4, node=1) for r in range(4, 8)) + behind
    verdict = report_of({"a.log": node(0, (0, 1, 2, 3)), "b.log": second, "launcher.log": stops}).verdict
    assert (verdict.rule, verdict.culprit_ranks) == ("rank-behind", (4,))


def test_labels_of_nodes_are_no_ranks(report_of: ReportOf) -> None:
    """Each task of `srun --label` is a node here: 8 ranks wait in each."""
    report = report_of({"job.log": "".join(f"{r // 8}: " + TIMEOUT.format(r=r) for r in range(32))})
    assert [r.rank for r in report.ranks if r.status == "waiting"] == list(range(32))


def test_ranks_that_could_not_speak_are_drawn_as_unknown(report_of: ReportOf) -> None:
    report = report_of({"a.log": node(0, (0, 2)), "b.log": node(1, (4, 7), OPENS.format(r=5))})
    assert {r.rank: r.status for r in report.ranks if r.status != "waiting"} == {
        1: "silent", 3: "silent", 5: "never_entered", 6: "silent",
    }  # fmt: skip
