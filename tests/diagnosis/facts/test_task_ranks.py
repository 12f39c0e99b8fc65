"""Tasks of a job in which only SLURM speaks, and those of one in which a launcher starts several ranks in each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
KILLED = """ 48: slurmstepd: error: Detected 1 oom-kill event(s) in StepId=4821.0. Some of your processes may have been killed by the cgroup out-of-memory handler.
srun: error: node007: task 57: Out Of Memory
srun: launch/slurm: _step_signal: Terminating StepId=4821.0
  0: slurmstepd: error: *** STEP 4821.0 ON node001 CANCELLED AT 2026-01-02T03:04:05 ***
"""
AGENT = "[2026-01-02 03:04:05,678] torch.distributed.elastic.multiprocessing.api: [ERROR] failed (exitcode: -9) local_rank: 1 (pid: 4242) of binary: python\n"


def test_where_only_the_scheduler_speaks_a_task_is_a_rank(report_of: ReportOf) -> None:
    verdict = report_of({"job.err": KILLED}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("host-oom", (57,))


def test_a_task_with_several_ranks_is_none(report_of: ReportOf) -> None:
    assert 57 not in report_of({"job.err": KILLED + AGENT}).verdict.culprit_ranks
