"""Whose an exception without a rank is, on one node."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

LAUNCH = (
    "[2031-02-03 04:00:01,098] [INFO] [launch.py:145:main] WORLD INFO DICT: {'localhost': [0, 1]}\n"
    "[2031-02-03 04:00:01,098] [INFO] [launch.py:151:main] nnodes=1, num_local_procs=2, node_rank=0\n"
    "[2031-02-03 04:00:01,098] [INFO] [launch.py:163:main] dist_world_size=2\n"
)
STEPS = "".join(f"step {n} loss 2.{n}\n" for n in range(9))
RAISED = (
    'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\n    run()\n'
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 7.90 GiB.\n"
)
WAITED = (
    "[E ProcessGroupNCCL.cpp:475] [Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=57, "
    "OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=1800000) ran for 1800900 milliseconds before timing out.\n"
)
RULE = "-" * 60 + "\n"
ENTRY = (
    "[{at}]:\n  time      : 2031-02-03_04:05:06\n  host      : node007\n  rank      : {rank} (local_rank: {rank})\n"
    "  exitcode  : 1 (pid: 3165{rank})\n  error_file: <N/A>\n"
    "  traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html\n"
)


def told(other: int) -> str:
    """How torchrun tells that rank 0 and another one failed."""
    return (
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n"
        + "=" * 60
        + f"\ntrain.py FAILED\n{RULE}Failures:\n{ENTRY.format(at=1, rank=other)}{RULE}"
        + f"Root Cause (first observed failure):\n{ENTRY.format(at=0, rank=0)}"
        + "=" * 60
        + "\n"
    )


def test_the_rank_that_does_not_wait_in_what_the_other_waits_in(report_of: ReportOf) -> None:
    assert report_of({"run.out": LAUNCH + STEPS + RAISED + WAITED}).verdict.culprit_ranks == (0,)


def test_two_that_ended_of_it_are_not_all_of_four(report_of: ReportOf) -> None:
    four = LAUNCH.replace("size=2", "size=4")
    assert report_of({"run.err": four + RAISED * 2 + told(2)}).verdict.culprit_ranks == (0, 2)


def test_two_that_ended_of_it_are_all_of_two(report_of: ReportOf) -> None:
    assert report_of({"run.err": LAUNCH + RAISED * 2 + told(1)}).verdict.culprit_ranks == ()


def test_a_line_that_another_rank_cuts(report_of: ReportOf) -> None:
    """A pipe is written in blocks: one rank's line ends where another's traceback begins."""
    own = [f"[rank{n}]: {line}\n" for n in (0, 1) for line in RAISED.replace("7.90", "57.0").splitlines()]
    text = "".join(own[:1]) + own[1].rstrip("\n") + "".join(own[4:]) + "".join(own[2:4])
    verdict = report_of({"run.out": "world_size: 2\n" + STEPS + text}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("gpu-oom", ())


def test_ranks_that_fail_alike_at_two_places(report_of: ReportOf) -> None:
    other = RAISED.replace("train.py", "layer.py").replace("line 57", "line 5").replace("7.90", "57.0")
    text = "".join(
        f"[rank{rank}]: {line}\n" for rank in range(4) for line in (RAISED if rank % 2 else other).splitlines()
    )
    verdict = report_of({"run.err": LAUNCH.replace("size=2", "size=4") + text}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("gpu-oom", ())


EMIT = (
    '  File "/usr/lib/python3.12/logging/__init__.py", line 1160, in emit\n    msg = self.format(record)\n'
    "TypeError: not all arguments converted during string formatting\n"
)


def test_a_message_that_logging_could_not_write_ends_nothing(report_of: ReportOf) -> None:
    """Two processes print it at once: one's header stands between the other's."""
    twice = f"Traceback (most recent call last):\nTraceback (most recent call last):\n{EMIT}{EMIT}"
    log = STEPS + twice + "Call stack:\n" + STEPS.replace("step ", "step 1")
    stopped = "torch.distributed.elastic.multiprocessing.api.SignalException: Process 57 got signal: 15\n"
    report = report_of(
        {"job.log": log + twice + 'Call stack:\n  File "train.py", line 7, in <module>\n' * 50 + stopped}
    )
    assert (report.verdict.cls, report.verdict.rule) == ("infrastructure", "stopped-from-outside")


def test_a_loaders_thread_fails_before_the_program_is_told_to_stop(report_of: ReportOf) -> None:
    thread = (
        "Exception in thread Thread-2:\nTraceback (most recent call last):\n"
        '  File "/opt/job/data.py", line 57, in read\n    image = read(path).astype("float32")\n'
        "AttributeError: 'NoneType' object has no attribute 'astype'\n"
    )
    stopped = (
        "--------------------------------------\nC++ Traceback (most recent call last):\n0   paddle::wait()\n"
        "FatalError: `Termination signal` is detected by the operating system.\n"
    )
    evidence = report_of({"workerlog.0": thread + stopped}).verdict.first_evidence
    assert evidence is not None and evidence.line == 5


def test_the_command_that_was_killed_names_its_local_rank(report_of: ReportOf) -> None:
    killed = (
        'Traceback (most recent call last):\n  File "/usr/lib/python3.8/site-packages/torch/distributed/launch.py", line 260, in main\n'
        "subprocess.CalledProcessError: Command '['python', '-u', 'train.py', '--local_rank=1', '--lr', '0.1']' "
        "died with <Signals.SIGKILL: 9>.\n"
    )
    omp = "Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid your system being overloaded\n"
    assert report_of({"nohup.out": omp + STEPS + killed}).verdict.culprit_ranks == (1,)
