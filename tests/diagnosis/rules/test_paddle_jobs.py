"""Jobs of Paddle and of llm.c: appended attempts, files named by rank, errors without a traceback."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

RAISED = (
    'Traceback (most recent call last):\n  File "tools/train.py", line 57, in <module>\n    main()\n'
    "AttributeError: 'NoneType' object has no attribute 'shape'\n"
)


def start(rank: int, pid: int, minute: int = 4) -> str:
    """What a process of Paddle says as it starts."""
    at = f"0102 03:{minute:02d}:05.678901 {pid:>5}"
    return (
        f"I{at} nccl_context.cc:57] init nccl context nranks: 2 local rank: {rank} gpu id: {rank} ring id: 0\n"
        f"W{at} device_context.cc:57] Please NOTE: device: {rank}, GPU Compute Capability: 8.0\n"
    )


def steps(count: int = 12) -> str:
    return "".join(f"[train] step: {n}, loss: {5.7 - n / 50:.4f}\n" for n in range(count))


def test_a_start_of_paddle_is_a_new_attempt(report_of: ReportOf) -> None:
    report = report_of({"workerlog.0": start(0, 4242) + RAISED + start(0, 4343, 30) + steps()})
    assert report.job.attempts == 2
    assert report.verdict.cls == "healthy"


def test_another_process_of_the_same_rank_is_a_new_run(report_of: ReportOf) -> None:
    """Whatever the one before ended of: nothing is known of that."""
    words = "".join(f"the picture {word} is drawn\n" for word in "abcdefghij") * 10
    job = report_of({"workerlog.0": start(0, 4242) + words + start(0, 4343, 30) + steps()}).job
    assert (job.attempts, job.started) == (2, None if job.started is None else job.started)
    assert report_of({"workerlog.0": start(0, 4242) + words + start(0, 4242, 30) + steps()}).job.attempts == 1


def test_ranks_that_a_group_lists(report_of: ReportOf) -> None:
    said = "2031-01-02 03:04:05,678-INFO: [topology.py:57:__init__] HybridParallelInfo: rank_id: 0, mp_degree: 1, dp_degree: 4, mp_group: [0],  dp_group: [0, 1, 2, 3], check\n"
    report = report_of({"workerlog.0": start(0, 4242) + said + steps()})
    assert report.coverage.ranks_seen == 4


def test_an_end_of_the_newest_attempt_is_the_end(report_of: ReportOf) -> None:
    report = report_of({"workerlog.0": start(0, 4242) + steps() + start(0, 4343, 30) + RAISED})
    assert report.verdict.cls == "software"


def test_logs_numbered_by_rank(report_of: ReportOf) -> None:
    report = report_of({"log/workerlog.0": "loading\n" * 4, "log/workerlog.1": "loading\n" * 4 + RAISED})
    assert report.verdict.culprit_ranks == (1,)


def test_more_ranks_than_gpus(report_of: ReportOf) -> None:
    said = "E0102 03:04:05.678901  4242 pybind.cc:57] Invalid CUDAPlace({0}), must inside [0, 2), because GPU number on your machine is 2\n"
    verdict = report_of({f"workerlog.{n}": said.format(n) for n in (2, 3)}).verdict
    assert verdict.cls == "config"


@pytest.mark.parametrize(("text", "expected"), [("out of memory", "gpu-oom"), ("misaligned address", "cuda-software")])
def test_llm_c_says_what_failed_in_the_next_line(report_of: ReportOf, text: str, expected: str) -> None:
    before = "allocating 237 MiB for parameter gradients\nallocating 5712 MiB for activations\n"
    verdict = report_of({"train.log": f"{before}[CUDA ERROR] at file train_gpt57.cu:57:\n{text}\n"}).verdict
    assert verdict.cls == expected
    assert verdict.first_evidence is not None and verdict.first_evidence.line in (3, 4)


ENDED = "FatalError: `Termination signal` is detected by the operating system.\n"


def test_what_its_launcher_ended_is_not_the_cause(report_of: ReportOf) -> None:
    verdict = report_of({"workerlog.0": start(0, 4242) + ENDED, "workerlog.1": start(1, 4243) + RAISED + ENDED}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("software", (1,))


def test_a_rank_that_took_no_part_in_the_newest_attempt(report_of: ReportOf) -> None:
    """Of two ranks that failed twice, one started a third time and trained."""
    failed = [
        start(0, 4242) + RAISED + start(0, 4343, 20) + RAISED,
        start(1, 4243) + RAISED + start(1, 4344, 20) + RAISED,
    ]
    report = report_of({"workerlog.0": failed[0] + start(0, 4545, 40) + steps(), "workerlog.1": failed[1]})
    assert report.job.attempts == 3
    assert report.verdict.cls == "healthy"


def test_detectron_starts_again(report_of: ReportOf) -> None:
    told = "[01/02 03:{0:02d}:05] detectron2 INFO: Rank of current process: {1}. World size: {2}\n"
    failed = "".join(told.format(minute, 1, 2) + RAISED for minute in (4, 14))
    trained = "".join(
        f"[01/02 03:25:{n:02d} d2.utils.events]:  eta: 0:00:57  iter: {n}  time: 0.5  \n" for n in range(12)
    )
    report = report_of(
        {"log.txt": failed.replace(": 1.", ": 0.") + told.format(24, 0, 2) + trained, "log.txt.rank1": failed}
    )
    assert report.verdict.cls == "healthy"


def test_the_last_step_of_verl(report_of: ReportOf) -> None:
    text = "(TaskRunner pid=4242) step:1 - actor/loss:0.057\n(TaskRunner pid=4242) 'Final validation metrics: None'\n"
    assert report_of({"train.log": text}).verdict.cls == "healthy"


READS = (
    'Traceback (most recent call last):\n  File "/opt/job/reader.py", line 57, in from_file\n'
    "    size = os.path.getsize(path)\nFileNotFoundError: [Errno 2] No such file or directory: './data/part-57'\n\n"
)
QUEUE = (
    'Traceback (most recent call last):\n  File "train.py", line 57, in <module>\n'
    '  File "/opt/build/python/paddle/fluid/executor.py", line 57, in _run_from_dataset\n'
    "    self._default_executor.release_trainer(trainer)\nSystemError: \n\n"
    "----------------------\nError Message Summary:\n----------------------\n"
    "FatalError: Blocking queue is killed because the data reader raises an exception.\n"
    "  [Hint: Expected killed_ != true, but received killed_:1 == true:1.] (at /opt/build/blocking_queue.h:57)\n"
    "I0102 03:05:05.678901  4242 blocking_queue.h:57] close queue\n"
)


def test_what_the_reader_raised_behind_the_queue(report_of: ReportOf) -> None:
    first, later = (start(n, 4242 + n, minute=4 + n) + steps() + READS for n in range(2))
    came = "I0102 03:04:05.789012  4242 op_call_stack.cc:57] \n\n"
    jobs = {"workerlog.0": first + came + QUEUE, "workerlog.1": later}
    verdict = report_of(jobs).verdict
    assert verdict.cls == "data" and verdict.first_evidence is not None
    assert verdict.first_evidence.text.startswith("FileNotFoundError")
