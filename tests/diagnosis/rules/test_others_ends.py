"""What one rank, or one command of a script, came to is not what the job came to."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

STEPS = "".join(f"[Epoch {n}] Time: 0.57s | Loss: {5.7 / n:.4f}\n" for n in range(1, 40))
RAISED = (
    "[rank0]: Traceback (most recent call last):\n"
    '[rank0]:   File "/opt/job/train.py", line 57, in show_samples\n'
    "[rank0]:     print(outputs)\n"
    "[rank0]: NameError: name 'outputs' is not defined\n"
)
DESTROYED = "node007:44{r}:46{r} [{r}] NCCL INFO comm 0x55d0aa1{r} rank {r} nranks 4 cudaDev {r} busId 1{r}000 - Destroy COMPLETE\n"
LMOD = 'Lmod has detected the following error: The following module(s) are unknown:\n"cuda/57.1"\n'
INTERRUPT = (
    "[rank{r}]: Traceback (most recent call last):\n"
    '[rank{r}]:   File "/opt/job/train.py", line 57, in main\n'
    "[rank{r}]:     load()\n"
    "[rank{r}]: KeyboardInterrupt\n"
)


@pytest.mark.parametrize(
    ("left", "expected"), [((1, 2, 3), "software"), ((0, 1, 2, 3), "healthy")], ids=["others-left", "all-left"]
)
def test_a_rank_that_raised_is_not_saved_by_others_that_left(
    left: tuple[int, ...], expected: str, report_of: ReportOf
) -> None:
    text = STEPS + RAISED + "".join(DESTROYED.format(r=r) for r in left)
    verdict = report_of({"job.log": text}).verdict
    assert verdict.cls == expected
    assert verdict.culprit_ranks == ((0,) if expected == "software" else ())


@pytest.mark.parametrize(
    ("out", "expected"), [(STEPS, "healthy"), ("nothing yet\n", "config")], ids=["trained", "did-not"]
)
def test_a_module_that_is_not_there_ends_nothing_that_trained(out: str, expected: str, report_of: ReportOf) -> None:
    assert report_of({"job.out": out, "job.err": LMOD}).verdict.cls == expected


def test_an_interrupt_of_all_ranks_is_cited_where_the_main_process_tells_of_it(report_of: ReportOf) -> None:
    """Their files come in another order, and none has a clock."""
    files = {f"run-{9 - r}/output.log": INTERRUPT.format(r=r) for r in range(4)}
    verdict = report_of(files).verdict
    assert verdict.cls == "infrastructure"
    assert verdict.first_evidence is not None
    assert verdict.first_evidence.file == "run-9/output.log"


CONDA = "CommandNotFoundError: Your shell has not been properly configured to use 'conda activate'.\n"
NAN = (
    "Traceback (most recent call last):\n"
    '  File "train.py", line 57, in <module>\n'
    "    score(test)\n"
    "ValueError: Input contains NaN, infinity or a value too large for dtype('float64').\n"
)
NOT_THERE = (
    'Traceback (most recent call last):\n  File "train.py", line 1, in <module>\n    import torch\n'
    "ModuleNotFoundError: No module named 'torch'\n"
)


@pytest.mark.parametrize(
    ("later", "told"), [(NAN, "ValueError"), (NOT_THERE, "conda")], ids=["went on", "what it would have brought"]
)
def test_conda_ends_nothing_that_failed_of_something_else(later: str, told: str, report_of: ReportOf) -> None:
    verdict = report_of({"job.err": CONDA + "\n" * 5 + later}).verdict
    assert verdict.first_evidence is not None
    assert told in verdict.first_evidence.text


LOADER = (
    "Traceback (most recent call last):\n"
    '  File "train.py", line 57, in <module>\n'
    "    step(next(batches))\n"
    "RuntimeError: DataLoader worker (pid 4821) is killed by signal: {signal}. \n"
)


@pytest.mark.parametrize("signal", ["Terminated", "Hangup"])
def test_what_came_from_outside_is_no_ranks_doing(signal: str, report_of: ReportOf) -> None:
    ranks = "".join(
        f"[rank{r}]: {line}\n" for r in (1, 2) for line in LOADER.format(signal=signal).rstrip("\n").split("\n")
    )
    verdict = report_of({"job.log": STEPS + ranks}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("infrastructure", ())
