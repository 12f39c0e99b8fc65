"""What a program says in plain words before it calls MPI_Abort, into whichever of its files."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
RULE = "-" * 74 + "\n"
ABORT = RULE + "MPI_ABORT was invoked on rank 0 in communicator MPI_COMM_WORLD\nwith errorcode 0.\n" + RULE
REFUSAL = "There must be 57 processes\n"
BEGUN = "Job 4821 on node007, 4 tasks\nLoading openmpi/5.7\n"


def test_the_words_above_the_launchers(report_of: ReportOf) -> None:
    verdict = report_of({"job.out": BEGUN + REFUSAL + ABORT}).verdict
    assert verdict.first_evidence is not None
    assert (verdict.cls, verdict.first_evidence.line) == ("config", 3)


def test_the_words_with_which_its_other_file_ends(report_of: ReportOf) -> None:
    verdict = report_of({"job.err": ABORT, "job.out": BEGUN + REFUSAL}).verdict
    assert verdict.first_evidence is not None
    assert (verdict.first_evidence.file, verdict.first_evidence.line) == ("job.out", 3)


def test_where_nothing_was_said_the_abort_itself_is_cited(report_of: ReportOf) -> None:
    verdict = report_of({"job.out": BEGUN + ABORT}).verdict
    assert verdict.first_evidence is not None
    assert verdict.first_evidence.text.startswith("MPI_ABORT was invoked")


def test_the_words_of_one_that_only_failed(report_of: ReportOf) -> None:
    """They tell no kind of failure, but that it is one."""
    said = "model 2, right? No\nFailure at: position 57, model 2, right? No\n"
    ended = "srun: error: node007: task 0: Exited with exit code 1\nsrun: error: node007: tasks 1-3: Terminated\n"
    verdict = report_of({"job.out": said + ended}).verdict
    assert verdict.first_evidence is not None
    assert (verdict.cls, verdict.first_evidence.line, verdict.culprit_ranks) == ("software", 2, (0,))


def test_tasks_that_the_launcher_kills_for_an_abort(report_of: ReportOf) -> None:
    said = "ERROR on proc 3: Bad bond (src/bond57.cpp:57)\n" + ABORT.replace("rank 0", "rank 3")
    killed = "srun: error: node007: tasks 4-7: Killed\nsrun: error: node005: tasks 0-3: Killed\n"
    verdict = report_of({"job.out": BEGUN + said + killed}).verdict
    assert verdict.first_evidence is not None
    assert (verdict.cls, verdict.first_evidence.line, verdict.culprit_ranks) == ("software", 3, (3,))
