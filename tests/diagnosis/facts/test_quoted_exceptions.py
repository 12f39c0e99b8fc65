"""Whose exception it is where somebody else prints it: a checkpoint, torchrun's report, a node's own numbering."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

RULE = "=" * 60 + "\n"
SAID = "TypeError: forward() got an unexpected keyword argument 'mask'"


def _saved(writer: int, failing: tuple[int, ...], error: str) -> str:
    head = f"[rank{writer}]: "
    quoted = "".join(
        f"{head}Traceback (most recent call last): (RANK {rank})\n"
        f'{head}  File "/opt/venv/torch/distributed/checkpoint/filesystem.py", line 57, in write_data\n'
        f"{head}    return write(plan)\n{head}{error}\n"
        for rank in failing
    )
    return (
        f'{head}Traceback (most recent call last):\n{head}  File "/opt/job/train.py", line 57, in save\n'
        f"{head}    dcp.save(state)\n{head}torch.distributed.checkpoint.api.CheckpointException: CheckpointException "
        f"ranks:dict_keys({list(failing)})\n{quoted}"
    )


def test_a_checkpoint_tells_which_rank_failed(report_of: ReportOf) -> None:
    text = "".join(_saved(r, (3,), "OSError: [Errno 122] Disk quota exceeded") for r in range(8))
    verdict = report_of({"job.log": text}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("storage-io", (3,))
    assert verdict.first_evidence is not None and verdict.first_evidence.line == 8


def test_a_checkpoint_that_is_cut_is_taken_at_its_word(report_of: ReportOf) -> None:
    verdict = report_of({"job.log": _saved(0, (3,), "").rsplit("\n", 3)[0]}).verdict
    assert verdict.cls == "software"


def _entry(number: int, rank: int) -> str:
    return (
        f"[{number}]:\n  time      : 2026-11-21_04:12:09\n  host      : node007\n  rank      : {rank} (local_rank: {rank})\n"
        f"  exitcode  : 1 (pid: {4200 + rank})\n  error_file: /tmp/{rank}/error.json\n"
        f'  traceback : Traceback (most recent call last):\n    File "/opt/job/train.py", line 57, in step\n      run()\n  {SAID}\n  \n'
    )


def test_a_failure_report_tells_whose_its_tracebacks_are(report_of: ReportOf) -> None:
    own = (
        "[rank7]: step 57\n[rank7]: Traceback (most recent call last):\n"
        '[rank7]:   File "/opt/job/train.py", line 57, in step\n[rank7]:     run()\n' + f"[rank7]: {SAID}\n"
    )
    block = (
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n" + RULE + "train.py FAILED\n"
        f"{'-' * 60}\nFailures:\n{_entry(1, 5)}{'-' * 60}\nRoot Cause (first observed failure):\n{_entry(0, 1)}{RULE}"
    )
    verdict = report_of({"job.log": block}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("software", ())  # all that are known to be failed alike
    verdict = report_of({"job.log": own + block}).verdict
    assert verdict.cls == "software"
    assert verdict.first_evidence is not None and verdict.first_evidence.line == 5


def test_a_task_is_cited_where_it_raised_and_a_worker_where_it_was_caught(report_of: ReportOf) -> None:
    head = 'Traceback (most recent call last):\n  File "/opt/job/main.py", line 57, in main\n    wait()\n'
    frame = '  File "/opt/job/train.py", line 7, in step\n    run()\n'
    task = f"{head}ray.exceptions.RayTaskError(TypeError): ray::step() (pid=4242, ip=10.0.0.7)\n{frame}{SAID}\n"
    worker = f"{head}TypeError: Caught TypeError in DataLoader worker process 0.\nOriginal {head}{frame}{SAID}\n"
    cited = [report_of({"job.log": text}).verdict.first_evidence for text in (task, worker)]
    assert [e.line for e in cited if e is not None] == [7, 4]


def test_another_server_s_retries_are_no_store_s(report_of: ReportOf) -> None:
    def asked(package: str) -> str:
        path = f"/opt/venv/lib/python3.12/site-packages/{package}/client.py"
        return (
            f'Traceback (most recent call last):\n  File "{path}", line 57, in get\n    send()\n'
            "requests.exceptions.ConnectionError: HTTPConnectionPool(host='10.0.0.7', port=5757): Max retries exceeded with "
            "url: /api/a57 (Caused by NewConnectionError('refused'))\n"
        )

    assert report_of({"job.log": asked("mlflow")}).verdict.cls == "network"
    assert report_of({"job.log": asked("boto3")}).verdict.cls == "storage-io"


RAISED = f'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in step\n    run()\n{SAID}\n'


@pytest.mark.parametrize("layout", ["tree", "labels"])
def test_an_agent_numbers_its_processes_in_a_row(layout: str, report_of: ReportOf, lines: Any) -> None:
    waits = lines.timeout(8)
    if layout == "tree":
        logs = {"a/attempt_0/0/stderr.log": waits, "a/attempt_0/2/stderr.log": RAISED}
    else:
        labelled = "".join(f"[default2]:{line}\n" for line in RAISED.splitlines())
        logs = {"node1.log": labelled + f"[default0]:{waits}"}
    verdict = report_of(logs).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("software", (10,))


def test_the_kernel_speaks_before_the_program(report_of: ReportOf) -> None:
    kernel = (
        "[Sat Nov 21 04:12:14 2026] LustreError: 167-0: a-OST0007-osc-ffff8a57: This client was evicted by a-OST0007; "
        "in progress operations using this service will fail.\n"
    )
    raised = 'Traceback (most recent call last):\n  File "/opt/job/read.py", line 57, in read\n    read()\n'
    text = f"[2026-11-21 04:12:09] step 57 loss 2.31\n{raised}OSError: [Errno 5] Input/output error\n"
    first = report_of({"node007.dmesg": kernel, "job.log": text}).verdict.first_evidence
    assert first is not None and first.place == "node007.dmesg:1"
    later = kernel.replace("04:12:14", "05:12:14")
    first = report_of({"node007.dmesg": later, "job.log": text}).verdict.first_evidence
    assert first is not None and first.place == "job.log:5"


def test_a_line_that_begins_with_its_rank_is_that_rank_s(report_of: ReportOf) -> None:
    steps = "".join(
        f"2026-03-05 15:{step:02d}:00,120 INFO shards: rank {rank} step {step} loss 2.31 step_time 1.0s\n"
        for step in range(4)
        for rank in range(3)
    )
    said = "2026-03-05 15:09:00,120 WARNING shards: rank 7 has not reported: step 3 loss 2.31 step_time 1.0s\n"
    report = report_of({"run.log": steps + said})
    assert [state.rank for state in report.ranks] == [0, 1, 2]
    assert [state.files for state in report.ranks] == [("run.log",)] * 3


@pytest.mark.parametrize(
    ("before", "ranks"),
    [
        ("", (3,)),
        ("[2026-11-21 04:10:00,123] [INFO] [launch.py:150:main] nnodes=2, num_local_procs=8, node_rank=0\n", ()),
    ],
    ids=["of one node", "of two nodes"],
)
def test_a_spawned_child_is_named_by_its_place(before: str, ranks: tuple[int, ...], report_of: ReportOf) -> None:
    frame = 'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\n    run()\n'
    wrapped = (
        frame
        + "torch.multiprocessing.spawn.ProcessRaisedException: \n\n-- Process 3 terminated with the following error:\n"
    )
    assert report_of({"job.log": before + wrapped + frame + SAID + "\n"}).verdict.culprit_ranks == ranks
