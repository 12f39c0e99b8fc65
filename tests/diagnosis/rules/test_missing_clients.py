"""The store waits for clients: who is missing, where the files tell, and that it is not who says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

WAITED = (
    "0: Traceback (most recent call last):\n"
    '0:   File "/opt/job/train.py", line 21, in <module>\n'
    '0:     dist.init_process_group("nccl")\n'
    "0: torch.distributed.DistStoreError: Timed out after 1801 seconds waiting for clients. {joined}/8 clients joined.\n"
    "srun: error: node000: task 0: Exited with exit code 1\n"
)
ENDED = "srun: error: node000: tasks 1-3: Terminated\n"


def test_the_missing_are_those_that_nobody_knows(report_of: ReportOf) -> None:
    verdict = report_of({"job.log": WAITED.format(joined=4) + ENDED}).verdict
    assert (verdict.rule, verdict.culprit_ranks, verdict.confidence) == ("missing-clients", (4, 5, 6, 7), "medium")


def test_who_waits_is_not_to_blame(report_of: ReportOf) -> None:
    """Two ranks are missing, four are silent: nobody can tell which."""
    verdict = report_of({"job.log": WAITED.format(joined=6) + ENDED}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("init-rendezvous", ())
    assert verdict.confidence != "high"


def test_a_line_about_several_hosts_says_nothing_of_tasks_on_one(report_of: ReportOf) -> None:
    ended = "srun: error: node[000-003]: tasks 0-3: Exited with exit code 1\n"
    raised = "Traceback (most recent call last):\n  File \"/opt/job/data.py\", line 3, in load\nKeyError: 'speaker'\n"
    assert {r.rank for r in report_of({"job.log": raised + ended}).ranks} <= {0}


def test_a_rank_that_waited_in_the_barrier_of_all_had_come(report_of: ReportOf) -> None:
    """No prefix tells who writes: the barrier's own words do."""
    waited = (
        "Traceback (most recent call last):\n"
        '  File "/opt/job/train.py", line 21, in <module>\n'
        '    dist.init_process_group("nccl")\n'
        "RuntimeError: Timed out initializing process group in store based barrier on rank: 0, for key: "
        "store_based_barrier_key:{key} (world_size=2, worker_count=1, timeout=0:00:57)\n"
    )
    assert report_of({"job.log": waited.format(key=1)}).verdict.culprit_ranks == (1,)
    assert report_of({"job.log": waited.format(key=5)}).verdict.culprit_ranks == ()


FAILED = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/train.py", line 12, in <module>\n'
    '    config = load("run.yaml")\n'
    "omegaconf.errors.ConfigKeyError: Key 'widht' is not in struct\n"
)


def test_those_that_failed_before_are_the_missing(report_of: ReportOf) -> None:
    """Two processes that say no rank failed, two are missing."""
    waited = WAITED.format(joined=2).replace("/8", "/4") + "1: joins the store\n"
    verdict = report_of({"job.log": FAILED * 2 + waited}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("config", (2, 3))
    assert verdict.first_evidence is not None and verdict.first_evidence.line == 4


def test_those_that_are_missing_failed_on_a_node_of_their_own(report_of: ReportOf) -> None:
    """Who waits says so half an hour later, beside no time of its own."""
    waited = "2031-02-03 04:05:06 starts\n" + WAITED.replace("0: ", "").format(joined=4)
    failed = "2031-02-03 04:05:57 starts\n" + FAILED
    verdict = report_of({"node-a.log": waited, "node-b.log": failed}).verdict
    assert verdict.first_evidence is not None
    assert (verdict.cls, verdict.first_evidence.file, verdict.first_evidence.line) == ("config", "node-b.log", 5)


def _waits(rank: int, joined: int, tries: int) -> str:
    return "".join(
        f"[2031-02-03 04:{n // 6:02d}:{n % 6}0,403][torch.distributed.distributed_c10d][INFO] - Waiting in store based barrier "
        f"to initialize process group for rank: {rank}, key: store_based_barrier_key:1 (world_size=4, "
        f"worker_count={joined}, timeout=0:30:00)\n"
        for n in range(tries)
    )


def test_those_for_whom_others_wait_to_the_end_of_their_files(report_of: ReportOf) -> None:
    verdict = report_of({f"train_ddp_process_{r}.log": _waits(r, 2, 57) for r in (2, 3)}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("init-rendezvous", (0, 1))
    assert verdict.first_evidence is not None
    assert verdict.first_evidence.line == 1


def test_a_short_wait_or_one_that_ended_is_no_failure(report_of: ReportOf) -> None:
    went_on = "".join(f"the {what} is written\n" for what in ("grid", "mask", "wind field", "rain", "cloud") * 3)
    for text in (_waits(2, 2, 3), _waits(2, 2, 57) + went_on):
        assert report_of({"train_ddp_process_2.log": text}).verdict.culprit_ranks == ()
