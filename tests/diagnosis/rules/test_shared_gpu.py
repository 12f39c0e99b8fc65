"""Out of memory because several ranks use one GPU, and out of memory all alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

WHO = "2026-11-21 04:00:00,000 INFO train: rank {r}/8 local_rank {r} host node007 pid {pid}\n"
RAISED = (
    "[rank{r}]: Traceback (most recent call last):\n"
    '[rank{r}]:   File "/opt/job/train.py", line 9, in main\n'
    "[rank{r}]:     model.to(device)\n"
    "[rank{r}]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU {device} has a total capacity of "
    "79.33 GiB of which 1.10 GiB is free. {others}Including non-PyTorch memory, this process has {used} GiB memory in use.\n"
)


def job(failed: Mapping[int, str]) -> dict[str, str]:
    """Eight ranks of a node; what some of them say in the end."""
    return {"run.log": "".join(WHO.format(r=r, pid=4240 + r) for r in range(8)) + "".join(failed.values())}


def test_ranks_that_crowd_on_the_first_gpu(report_of: ReportOf) -> None:
    failed = {r: RAISED.format(r=r, device=0, others="", used="9.70") for r in (0, 2, 5)}
    verdict = report_of(job(failed)).verdict
    assert (verdict.rule, verdict.cls, verdict.culprit_ranks) == ("shared-gpu", "config", (2, 5))
    assert verdict.culprit_hosts == ("node007",)


def test_the_other_processes_are_ranks_of_the_job(report_of: ReportOf) -> None:
    others = "Process 4240 has 30.10 GiB memory in use. "
    verdict = report_of(job({3: RAISED.format(r=3, device=0, others=others, used="48.10")})).verdict
    assert (verdict.rule, verdict.culprit_ranks) == ("shared-gpu", (3,))


def test_each_rank_sees_only_its_own_gpu(report_of: ReportOf) -> None:
    failed = {r: RAISED.format(r=r, device=0, others="", used="78.20") for r in (2, 5)}
    assert report_of(job(failed)).verdict.cls == "gpu-oom"


def test_a_strange_process_on_one_gpu(report_of: ReportOf) -> None:
    others = "Process 99 has 60.10 GiB memory in use. "
    assert report_of(job({5: RAISED.format(r=5, device=5, others=others, used="18.10")})).verdict.cls == "gpu-oom"


def test_ranks_that_name_the_same_processes_share_a_gpu(report_of: ReportOf) -> None:
    others = "Process 99 has 11.10 GiB memory in use. Process 98 has 11.10 GiB memory in use. "
    failed = [RAISED.format(r=r, device=0, others=others, used="11.10") for r in (4, 5, 6)]
    verdict = report_of({"run.log": "".join(failed)}).verdict
    assert (verdict.rule, verdict.cls) == ("shared-gpu", "config")


def test_ranks_with_other_neighbours_each_have_their_own_gpu(report_of: ReportOf) -> None:
    others = "Process {a} has 11.10 GiB memory in use. Process {b} has 11.10 GiB memory in use. "
    failed = [RAISED.format(r=r, device=0, others=others.format(a=90 + r, b=80 + r), used="11.10") for r in (4, 5, 6)]
    assert report_of({"run.log": "".join(failed)}).verdict.cls == "gpu-oom"
