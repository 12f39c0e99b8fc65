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


RAISED = "Traceback (most recent call last):\n  File \"/opt/job/data.py\", line 3, in load\nKeyError: 'speaker'\n"
FAREWELL = (
    "srun: error: node001: task 1: {status}\nsrun: Terminating StepId=4821.0\n"
    "srun: error: node000: task 0: Terminated\nsrun: error: node002: task 2: Terminated\n"
)


def test_tasks_one_on_each_node_are_ranks_where_nobody_names_one(report_of: ReportOf) -> None:
    report = report_of({"job.log": RAISED + FAREWELL.format(status="Exited with exit code 1")})
    assert (report.verdict.culprit_ranks, report.coverage.ranks_seen) == ((1,), 3)


def test_they_are_none_in_a_job_of_another_size(report_of: ReportOf) -> None:
    job = (
        "All distributed processes registered. Starting with 8 processes\n"
        + RAISED
        + FAREWELL.format(status="Exited with exit code 1")
    )
    assert report_of({"job.log": job}).verdict.culprit_ranks == ()


def test_who_is_killed_behind_one_that_aborted_is_not_to_blame(report_of: ReportOf) -> None:
    job = FAREWELL.format(status="Aborted (core dumped)").replace("Terminated", "Killed")
    assert set(report_of({"job.log": job}).verdict.culprit_ranks) <= {1}


def test_all_that_one_line_tells_of_ended_first(report_of: ReportOf) -> None:
    told = "srun: error: node001: tasks 1,3: Exited with exit code 1\nsrun: error: node001: tasks 0,2: Terminated\n"
    assert report_of({"job.log": told}).verdict.culprit_ranks == (1, 3)


def test_nobody_is_to_blame_where_all_ended_alike(report_of: ReportOf) -> None:
    assert (
        report_of({"job.log": "srun: error: node001: tasks 0-3: Exited with exit code 7\n"}).verdict.culprit_ranks == ()
    )


def test_every_task_that_srun_names_is_counted(report_of: ReportOf) -> None:
    told = "".join(
        f"srun: error: node{n:03}: tasks {2 * n}-{2 * n + 1}: Exited with exit code 1\n" for n in range(1, 400)
    )
    report = report_of({"job.err": "srun: error: node000: tasks 0-1: Exited with exit code 1\n" + told})
    assert report.coverage.ranks_seen == 800


def test_a_single_task_that_srun_names_is_a_process(report_of: ReportOf) -> None:
    said = RAISED + "srun: error: node007: task 0: Exited with exit code 1\n"
    assert report_of({"run.err": said}).coverage.ranks_seen == 1
    assert report_of({"run.err": RAISED}).coverage.ranks_seen == 0
