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


PLANNED = "step {n}/570 | loss 3.2{n} (-0.57z)| norm 0.22 | lr 5.70e-04 | 57.57 ms | 31.5% bf16 MFU | 57123 tok/s\n"


@pytest.mark.parametrize(
    ("said", "expected"),
    [("Error: Token out of vocabulary at train_gpt57.cu:571\n", "medium"), ("", "high")],
    ids=["complained", "did not"],
)
def test_an_error_amid_buffered_steps_makes_their_last_one_unsure(
    said: str, expected: str, report_of: ReportOf
) -> None:
    """The steps below it may have been made before it: another stream's buffer was written out at the end."""
    text = "".join(PLANNED.format(n=n) + (said if n == 550 else "") for n in range(400, 571))
    verdict = report_of({"job.log": text}).verdict
    assert (verdict.cls, verdict.confidence) == ("healthy", expected)


MASTER = "".join(f"step {n}/570 - loss: 2.{n}\n" for n in range(10, 60)) + (
    "[rank0]:[E102 03:04:06.771204117 ProcessGroupNCCL.cpp:542] [Rank 0] Collective WorkNCCL(SeqNum=57, OpType=ALLREDUCE, "
    "NumelIn=57, NumelOut=57, Timeout(ms)=600000) raised the following async exception: NCCL error: remote process exited "
    "or there was a network error, NCCL version 2.21.5\n"
    "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.\n"
    "Last error:\nsocketProgress: Connection closed by remote peer gn13<41272>\n"
    "terminate called after throwing an instance of 'c10::DistBackendError'\n"
    "E0102 03:04:15.812000 1 site-packages/torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: -6) "
    "local_rank: 0 (pid: 27) of binary: /usr/bin/python3\n"
)
STOPPED = (
    "W0102 03:04:{second}.226000 1 torch/distributed/elastic/agent/server/api.py:704] Received Signals.SIGTERM death signal, "
    "shutting down workers\n"
    "W0102 03:04:{second}.228000 1 torch/distributed/elastic/multiprocessing/api.py:897] Sending process 27 closing signal SIGTERM\n"
)


@pytest.mark.parametrize(
    ("second", "cls"), [("05", "infrastructure"), ("55", "unknown")], ids=["before all else", "when all was over"]
)
def test_a_node_that_was_stopped(second: str, cls: str, report_of: ReportOf) -> None:
    verdict = report_of({"node0.log": MASTER, "node1.log": STOPPED.format(second=second)}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == (cls, ())


ACCOUNT = (
    "\nTask and CPU usage stats:\nJobID           JobName  AllocCPUS   NTasks     AveCPU    Elapsed ExitCode \n"
    "------------ ---------- ---------- -------- ---------- ---------- -------- \n"
    "4821         allocation          1                       00:00:57    {code}:0 \n"
    "4821.batch        batch          1        1   00:00:00   00:00:57    {code}:0 \n"
    "\nJob 4821 completed at Fri Jan 2 03:05:02 CET 2026\n"
)


@pytest.mark.parametrize(
    ("code", "cls", "line"), [(0, "healthy", None), (127, "config", 2), (126, "config", 8), (57, "software", 8)]
)
def test_a_batch_script_as_its_accounting_tells(code: int, cls: str, line: int | None, report_of: ReportOf) -> None:
    missing = (
        "/var/spool/slurmd/job04821/slurm_script: line 7: fit57: command not found\n" if code == 127 else "fit57\n"
    )
    verdict = report_of({"slurm-4821.out": "the script begins\n" + missing + ACCOUNT.format(code=code)}).verdict
    first = verdict.first_evidence
    assert (verdict.cls, first and first.line) == (cls, line)
