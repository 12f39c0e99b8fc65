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
