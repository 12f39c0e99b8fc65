"""Every rule on a log that makes it fire and on a neighbour that must leave it silent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.report import Report
from logtui.diagnosis.verdict.engine import Decision, all_rules, decide, gather
from logtui.diagnosis.verdict.recommendations import recommendations

FactsOf = Callable[[Mapping[str, str]], Facts]
ReportOf = Callable[[Mapping[str, str]], Report]

STEPS = "".join(
    f"2026-11-21 04:{10 + n // 60:02d}:{n % 60:02d},000 INFO train: step {n} loss 2.31 step_time 0.500s\n"
    for n in range(40)
)
SLOW = "".join(
    f"2026-11-21 05:{n // 60:02d}:{n % 60:02d},000 INFO train: step {40 + n} loss 2.31 step_time 2.500s\n"
    for n in range(20)
)
TIMEOUT = (
    "[rank{r}]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:683] [Rank {r}] Watchdog caught collective operation timeout: "
    "WorkNCCL(SeqNum={s}, OpType=ALLREDUCE, NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600031 milliseconds before "
    "timing out.\n"
    "[rank{r}]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:2241] [PG ID 0 PG GUID 0(default_pg) Rank {r}]  failure detected "
    "by watchdog at work sequence id: {s} PG status: last enqueued work: {s}, last completed work: {c}\n"
)
RAISED = (
    "[rank3]: Traceback (most recent call last):\n"
    '[rank3]:   File "/opt/job/train.py", line 7, in main\n'
    "[rank3]:     model.forward(x)\n"
    "[rank3]: AttributeError: 'NoneType' object has no attribute 'shape'\n"
)
KILLED = (
    "[default2]:[rank2]: hello\n"
    "E1121 04:12:12.014000 11807 torch/distributed/elastic/multiprocessing/api.py:1002] failed (exitcode: -9) local_rank: 2 "
    "(pid: 4242) of binary: /usr/bin/python3\n"
)
ABORTED = KILLED.replace("exitcode: -9", "exitcode: -6")
CTRL_C = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/train.py", line 7, in main\n'
    "    loss.backward()\n"
    "KeyboardInterrupt\n"
)
OWN_WORDS = "".join(f"<{9 - n} cycles to go, lr: 2e-4> G_loss: {5.7 / n:.3f}\n" for n in range(1, 9))
SAYS_LITTLE = "".join(
    f"{what} is written\n" for what in ("the grid", "the mask", "the wind field", "the rain", "the cloud")
)
TIME_LIMIT = "slurmstepd: error: *** JOB 4821 ON node007 CANCELLED AT 2026-11-21T04:11:00 DUE TO TIME LIMIT ***\n"
XID = "Nov 21 04:12:00 node007 kernel: NVRM: Xid (PCI:0000:91:00): 79, pid=4242, name=python3, GPU has fallen off the bus.\n"
DONE = "`Trainer.fit` stopped: `max_steps=40` reached.\n"
SETTING = "node007:4411:4602 [1] NCCL INFO NCCL_NET_GDR_LEVEL set by environment to PHB\n"
DESYNC = "\t - To our best knowledge, ranks [5] are the lagging ranks that caused this timeout. They never joined any collectives\n"
WEDGED = (
    "[rank3]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:1895] [PG ID 0 PG GUID 0(default_pg) Rank 3] ProcessGroupNCCL's "
    "watchdog got stuck for 480 seconds without making progress in monitoring enqueued collectives.\n"
)
RETRIES = "".join(
    f"2026-11-21 04:12:0{n},000 WARNING root: Retrying aistore.sdk.request_client.RequestClient.request.<locals>.request_op in "
    f"{n} seconds as it raised ConnectionError: HTTPConnectionPool(host='10.0.0.9', port=51080): Max retries exceeded\n"
    for n in range(1, 6)
)
LOST = (
    "node001:4411:4602 [0] misc/socket.cc:50 NCCL WARN socketProgress: Connection closed by remote peer node009<46776>\n"
    "[rank0]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:542] [Rank 0] Collective WorkNCCL(SeqNum=9, OpType=ALLREDUCE, "
    "NumelIn=8, NumelOut=8, Timeout(ms)=600000) raised the following async exception: NCCL error: remote process exited or "
    "there was a network error, NCCL version 2.21.5\n"
)
THREAD = (
    "[rank0]:[E1121 04:12:09.170090097 ProcessGroupNCCL.cpp:801] Stack trace of the failed collective:\n"
    "#0 all_reduce from /opt/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py:2501\n"
    "#1 beat from /opt/job/alive.py:12\n"
    "#2 run from /usr/lib/python3.11/threading.py:982\n"
)
IDLE = (
    "[rank1]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:1895] [PG ID 0 PG GUID 0(default_pg) Rank 1] Received a dump "
    "signal due to a collective timeout from  rank 0 and we will try our best to dump the debug info. Last enqueued NCCL "
    "work: 8, last completed NCCL work: 8.This is\n"
)
GROUPED = (
    "[rank{r}]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:683] [Rank 0] Watchdog caught collective operation timeout: "
    "WorkNCCL(SeqNum=9, OpType=ALLREDUCE, NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600031 milliseconds before "
    "timing out.\n"
    "[rank{r}]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:2241] [PG ID 1 PG GUID {g} Rank 0]  failure detected "
    "by watchdog at work sequence id: 9 PG status: last enqueued work: 9, last completed work: 8\n"
)
CYCLE = "".join(
    GROUPED.format(r=r, g=g)
    for r, g in enumerate(("7(TENSOR_GROUP)", "8(DATA_GROUP)", "9(DATA_GROUP)", "10(TENSOR_GROUP)"))
)
CHECKED = "Round 0: The node elapsed time are {0: 20.3, 1: 20.9, 2: 19.8, 3: 96.4}\n"
GAVE_UP = "2026-11-21 04:12:30,000 ERROR root: All retries exhausted; request failed\n"


def built(rank: int, params: int, other: int, others: int) -> str:
    return (
        'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\n'
        f"RuntimeError: DDP expects same model across all ranks, but Rank {rank} has {params} params, "
        f"while rank {other} has inconsistent {others} params.\n"
    )


def called(rank: int, op: str) -> str:
    p = f"[rank{rank}]: "
    return (
        f"{p}Traceback (most recent call last):\n"
        f'{p}  File "/opt/job/train.py", line 9, in main\n'
        f"{p}    dist.{op}(t)\n"
        f'{p}  File "/opt/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py", line 2501, in {op}\n'
        f"{p}    work.wait()\n"
        f"{p}RuntimeError: [/build/gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.0.0.7]:1234\n"
    )


def victims(*ranks: int, seq: int = 9) -> str:
    return "".join(TIMEOUT.format(r=r, s=seq, c=seq - 1) for r in ranks)


@dataclass(frozen=True)
class Pair:
    """A rule, what makes it claim something that stands, and what must not."""

    rule: str
    fires: Mapping[str, str]
    silent: Mapping[str, str]


PAIRS = (
    Pair("first-exception", {"job.log": RAISED}, {"job.log": "Exception ignored in: <function f>\n" + RAISED}),
    Pair("declared-cause", {"dmesg.txt": XID}, {"job.log": STEPS}),
    Pair("process-exit", {"job.log": KILLED}, {"job.log": KILLED.replace("-9", "-15")}),
    Pair("process-exit", {"job.log": ABORTED}, {"job.log": victims(2) + ABORTED}),
    Pair("process-exit", {"job.log": ABORTED}, {"job.log": ABORTED + ABORTED.replace("2", "3")}),
    Pair("scheduler-end", {"job.log": STEPS + TIME_LIMIT}, {"job.log": TIME_LIMIT + STEPS}),
    Pair("completed", {"job.log": STEPS + DONE}, {"job.log": STEPS + DONE + KILLED}),
    Pair("no-failure", {"job.log": STEPS}, {"job.log": STEPS + victims(0, 1)}),
    Pair("slow-steps", {"job.log": STEPS + SLOW}, {"job.log": STEPS}),
    Pair("none-finished", {"job.log": victims(0, 1, 2, 3)}, {"job.log": victims(0, 1, 2) + RAISED}),
    Pair("rank-behind", {"job.log": victims(0, 1, 2) + victims(3, seq=5)}, {"job.log": victims(0, 1, 2, 3)}),
    Pair("transport-setting", {"job.log": SETTING + victims(0, 1)}, {"job.log": SETTING + STEPS + victims(0, 1)}),
    Pair("desync-report", {"job.log": victims(0, 1, 2) + DESYNC}, {"job.log": victims(0, 1, 2)}),
    Pair("wedged-process", {"job.log": WEDGED + "".join(f"[rank{r}]: x\n" for r in range(3))}, {"job.log": victims(3)}),
    Pair(
        "different-calls",
        {"job.log": called(0, "all_reduce") + called(1, "all_reduce") + called(2, "all_gather")},
        {"job.log": called(0, "all_reduce") + called(1, "all_reduce") + called(2, "all_reduce")},
    ),
    Pair(
        "different-models",
        {"job.log": built(0, 57, 1, 75) + built(1, 75, 0, 57) + built(2, 75, 0, 57)},
        {"job.log": built(0, 57, 1, 75) + built(1, 75, 0, 57)},
    ),
    Pair("peer-lost", {"rank0.log": LOST, "rank1.log": STEPS}, {"rank0.log": LOST, "rank1.log": STEPS + RAISED}),
    Pair("background-thread", {"job.log": victims(0) + THREAD + IDLE}, {"job.log": victims(0, 1) + THREAD}),
    Pair(
        "lone-caller",
        {
            "job.log": victims(0)
            + "".join(IDLE.replace("ank1", f"ank{r}").replace("Rank 1", f"Rank {r}") for r in range(1, 6))
        },
        {"job.log": victims(0) + IDLE},
    ),
    Pair("wait-cycle", {"job.log": CYCLE}, {"job.log": CYCLE + victims(0, 1)}),
    Pair("node-check", {"master.log": CHECKED}, {"master.log": CHECKED.replace("96.4", "26.4")}),
    Pair("stopped-from-outside", {"job.log": STEPS + CTRL_C}, {"job.log": STEPS + RAISED + "\n" * 60 + CTRL_C}),
    Pair("shell-word", {"nohup.out": "loading\nKilled\n"}, {"nohup.out": "loading\nKilled by choice\n"}),
    Pair("at-work", {"job.log": OWN_WORDS}, {"job.log": OWN_WORDS + "request 57 failed\n"}),
    Pair("nobody-complains", {"job.log": SAYS_LITTLE}, {"job.log": SAYS_LITTLE + "ERROR: request 57 failed\n"}),
    Pair("storage-client", {"rank3.log": RETRIES + GAVE_UP}, {"rank3.log": RETRIES}),
)
ELSEWHERE = {
    "failed-step": "test_failed_step.py",
    "gone-figures": "test_gone_figures.py",
    "own-abort": "test_own_abort.py",
    "last-line": "test_last_line.py",
    "never-entered": "test_collective_rules.py",
    "still-prepares": "test_still_prepares.py",
    "latecomer": "test_collective_rules.py",
    "different-operations": "test_collective_rules.py",
    "flight-recorder": "test_dump_rule.py",
    "dumps-at-rest": "test_dump_rule.py",
    "ras-counts": "test_witnesses.py",
    "storage-side": "test_storage_demo.py",
    "odd-line": "test_odd_lines.py",
    "missing-clients": "test_missing_clients.py",
    "loss-spike": "test_losses.py",
    "resumed-untrained": "test_losses.py",
    "shared-gpu": "test_shared_gpu.py",
    "started-anew": "test_started_anew.py",
    "slow-bar": "test_slow_bar.py",
    "checked-collectives": "test_checked_collectives.py",
    "never-came": "test_never_came.py",
    "undelivered": "test_undelivered.py",
    "fell-silent": "test_silence.py",
    "init-incomplete": "test_silence.py",
    "late-start": "test_late_start.py",
}
"""Rules whose logs need more than a few lines, and where their tests are."""

OUTDONE = {
    "desync-report": "of a few ranks' lines: all that wait say the same of each other",
    "wedged-process": "of a few ranks' lines: one monitor alone may stand for all",
}
"""Rules that win jobs of the generator and the like, and not the few lines here."""


def standing(facts: Facts, rule: str) -> list[str]:
    """Titles of the rule's claims that nothing refutes."""
    return [s.claim.title for s in gather(facts, all_rules()) if s.rule.id == rule and not s.claim.refuted]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: p.rule)
def test_a_rule_fires(facts_of: FactsOf, pair: Pair) -> None:
    assert standing(facts_of(pair.fires), pair.rule)


@pytest.mark.parametrize("pair", [p for p in PAIRS if p.rule not in OUTDONE], ids=lambda p: p.rule)
def test_a_rule_wins_its_job(report_of: ReportOf, pair: Pair) -> None:
    assert report_of(pair.fires).verdict.rule == pair.rule


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: p.rule)
def test_a_rule_stays_silent(facts_of: FactsOf, pair: Pair) -> None:
    assert not standing(facts_of(pair.silent), pair.rule)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: p.rule)
def test_its_claims_cite_lines_and_advise(facts_of: FactsOf, pair: Pair) -> None:
    facts = facts_of(pair.fires)
    found = [s for s in gather(facts, all_rules()) if s.rule.id == pair.rule]
    assert all(s.claim.supporting for s in found)
    blaming = [s for s in found if s.claim.cls.value != "healthy" and not s.claim.refuted]
    assert all(recommendations(facts, Decision(s, ())) for s in blaming)


def test_every_rule_has_its_logs() -> None:
    tests = {path.name for path in Path(__file__).parents[1].rglob("test_*.py")}
    assert set(ELSEWHERE.values()) <= tests
    assert {r.id for r in all_rules()} == {p.rule for p in PAIRS} | ELSEWHERE.keys()


def test_a_cause_before_the_time_limit_outranks_it(facts_of: FactsOf) -> None:
    decision = decide(facts_of({"job.log": STEPS + RAISED + TIME_LIMIT}))
    assert decision.winner is not None and decision.winner.rule.id == "first-exception"


def test_retries_that_recovered_are_no_failure(facts_of: FactsOf) -> None:
    decision = decide(facts_of({"job.log": STEPS[: len(STEPS) // 2] + RETRIES + STEPS + DONE}))
    assert decision.winner is not None and decision.winner.claim.cls.value == "healthy"
