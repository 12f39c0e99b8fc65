"""What all ranks but one raise of that one is an echo, in any library's words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

STEPS = [f"2026-01-02 03:{n:02d}:05 INFO step {n}/5700 loss 2.{n:02d}" for n in range(1, 40)]
HEAD = ["Traceback (most recent call last):", '  File "/opt/job/train.py", line 57, in main', "    step(batch)"]
ECHOES = (
    "torch.distributed.DistStoreError: wait timeout after 57000ms, keys: /default_pg/0//7",
    "mpi4py.MPI.Exception: MPI_ERR_PROC_FAILED: Process Failure",
    "tensorflow.python.framework.errors_impl.UnavailableError: Collective ops is aborted by: Socket closed",
    "jaxlib.xla_extension.XlaRuntimeError: UNAVAILABLE: Connection reset by peer: CollectivePermute",
    "TimeoutError: waited 57 s at the barrier",
    "RuntimeError: [Rank 0]: Ranks 2 failed to pass monitoredBarrier in 57000 ms",
)


def _job(echo: str, own: list[str]) -> dict[str, str]:
    said = {rank: [*STEPS, *HEAD, echo] for rank in (0, 1, 3)} | {2: [*STEPS[:-3], *own]}
    return {f"rank{rank}.log": "\n".join(lines) + "\n" for rank, lines in said.items()}


@pytest.mark.parametrize("echo", ECHOES)
def test_what_the_missed_rank_raised_is_the_cause(echo: str, report_of: ReportOf) -> None:
    own = [*HEAD, "PIL.UnidentifiedImageError: cannot identify image file 'run57.jpg'"]
    verdict = report_of(_job(echo, own)).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("data", (2,))


@pytest.mark.parametrize("echo", ECHOES)
def test_a_shell_s_word_about_it_is(echo: str, report_of: ReportOf) -> None:
    report = report_of(_job(echo, ["Killed"]))
    assert (report.verdict.cls, report.verdict.culprit_ranks) == ("host-oom", (2,))
    assert report.verdict.title.startswith("rank 2 was killed")
    assert [r.status for r in report.ranks] == ["crashed", "crashed", "killed", "crashed"]


@pytest.mark.parametrize("echo", ECHOES[:-1])
def test_a_silent_one_is_to_blame_of_nothing_known(echo: str, report_of: ReportOf) -> None:
    verdict = report_of(_job(echo, [])).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("unknown", (2,))


def test_where_all_raise_it_nobody_was_missed(report_of: ReportOf) -> None:
    verdict = report_of(_job(ECHOES[3], [*HEAD, ECHOES[3]])).verdict
    assert verdict.cls == "network"


def test_before_the_training_it_is_the_failure_itself(report_of: ReportOf) -> None:
    files = {name: "\n".join([*HEAD, ECHOES[0]]) + "\n" for name in ("rank0.log", "rank1.log", "rank3.log")}
    assert report_of(files | {"rank2.log": "starting\n"}).verdict.cls == "init-rendezvous"
