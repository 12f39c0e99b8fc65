"""Hangs as PyTorch up to 2.2 logs them: no rank before a line, no word of ranks that the launcher stopped first."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.odd_words import shape
from logtui.diagnosis.report import Report

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
