"""Who stopped a job: somebody from outside, or nobody that the files name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

BAR = " 57%|#####7    | 570/1000 [07:30<05:39,  1.27it/s]\n"
SCALED = "Running step 1:   2%|2         | 1.00/57.0 [21:51<22:56:54, 1.31ks/it]"
KILLS = "".join(
    f"[2026-11-21 04:12:0{n},123] [INFO] [launch.py:319:sigkill_handler] Killing subprocess 42{n}\n" for n in range(4)
)
SIGTERM = "[2026-11-21 04:12:09,123] [INFO] [launch.py:328:sigkill_handler] Main process received SIGTERM, exiting\n"
EXIT = "[2026-11-21 04:12:09,123] [ERROR] [launch.py:322:sigkill_handler] ['python', 'train.py'] exits with return code = {}\n"
HANGUP = (
    "W1121 04:12:09.400130 4242 torch/distributed/elastic/agent/server/api.py:688] Received Signals.SIGHUP death signal, "
    "shutting down workers\n"
)
SPAWNED = "torch.multiprocessing.spawn.ProcessExitedException: process 3 terminated with signal {}\n"
CVNETS = (
    "2026-11-21 04:12:08 - LOGS    - Keyboard interruption. Exiting from early training\n"
    "2026-11-21 04:12:09 - LOGS    - Training took 00:57:10.57\n"
)
IMPORT = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/train.py", line 1, in <module>\n'
    "    import torch\n"
    "KeyboardInterrupt\n"
)
FIT = "Epoch 5:  57%|#####7    | 57/100 [00:57<00:43,  1.00it/s, v_num=7, train_loss=0.57]\n"
TWO_NODES = "[2026-11-21 04:10:00,123] [INFO] [launch.py:150:main] nnodes=2, num_local_procs=8, node_rank=0\n"


@pytest.mark.parametrize(
    ("text", "expected", "ranks"),
    [
        (BAR + KILLS + SIGTERM, "infrastructure", ()),
        (SCALED + "*** SIGTERM received at time=1772704807 on cpu 57 ***\n", "infrastructure", ()),
        ("loads\n*** SIGTERM received at time=1772704807 on cpu 57 ***\n", "infrastructure", ()),
        (TWO_NODES + BAR + KILLS + SIGTERM, "unknown", ()),
        (KILLS + SIGTERM, "unknown", ()),
        (BAR + KILLS + EXIT.format(-15), "infrastructure", ()),
        (BAR + KILLS + EXIT.format(-9), "host-oom", ()),
        (HANGUP, "infrastructure", ()),
        (HANGUP.replace("HUP", "TERM"), "infrastructure", ()),
        ("step 1 of 57 failed: no data\nRuntimeError: no data\n" + HANGUP.replace("HUP", "TERM"), "software", ()),
        (BAR + SPAWNED.format("SIGTERM"), "infrastructure", ()),
        (BAR + SPAWNED.format("SIGKILL"), "host-oom", (3,)),
        (CVNETS, "infrastructure", ()),
        (IMPORT, "infrastructure", ()),
        ("loading\n^CTraceback (most recent call last):\n", "infrastructure", ()),
        ("loading\nTerminated\n", "infrastructure", ()),
        (
            "loading\nrun57.sh: line 7: 424257 Terminated              CUDA_VISIBLE_DEVICES=0 python train.py --n 57\n",
            "infrastructure",
            (),
        ),
        ("loading\nrun57.sh: line 7: 424257 Terminated              nvidia-smi dmon > gpu57.txt\n", "unknown", ()),
        (
            "loading\n2026-01-02 03:04:05 - runner57 - INFO - Signal 2 received, shutting down...\n",
            "infrastructure",
            (),
        ),
        ("loading\nKeyboardInterrupt\n", "infrastructure", ()),
        (FIT + "[rank: 0] Received SIGTERM: 15\n", "infrastructure", ()),
        (FIT + "warn: Detected KeyboardInterrupt, attempting graceful shutdown ...\n", "infrastructure", ()),
    ],
    ids=[
        "launcher-terminated",
        "told-by-its-own-handler-behind-a-bar",
        "told-by-its-own-handler-and-no-launcher",
        "one-of-two-nodes",
        "not-at-work",
        "worker-terminated",
        "worker-killed",
        "terminal-closed",
        "launcher-terminated-at-set-up",
        "something-failed-before",
        "spawned-terminated",
        "spawned-killed",
        "interrupted-then-summed-up",
        "interrupted-at-import",
        "terminal-echo",
        "shell",
        "shell-of-a-script",
        "shell-of-a-script-about-a-monitor",
        "its-own-handler-of-ctrl-c",
        "by-its-name-alone",
        "lightning-terminated",
        "lightning-interrupted",
    ],
)
def test_verdict(text: str, expected: str, ranks: tuple[int, ...], report_of: ReportOf) -> None:
    verdict = report_of({"job.log": text}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == (expected, ranks), verdict.title
    assert verdict.confidence != "high"


def test_a_log_truncated_under_its_writer_is_read(report_of: ReportOf) -> None:
    report = report_of({"nohup.out": "nohup: ignoring input\n" + "\0" * 9000 + "\n" + BAR + HANGUP})
    assert report.verdict.cls == "infrastructure"


def test_a_launcher_whose_workers_write_elsewhere_was_at_work(report_of: ReportOf) -> None:
    told = (
        "W1121 04:12:09.400130 4242 torch/distributed/elastic/agent/server/api.py:753] Received 15 death signal, "
        "shutting down workers\n"
    )
    steps = "".join(f"2026-11-21 04:10:{n:02d},000 INFO train: step {n}/57 loss {3 - n / 100:.4f}\n" for n in range(12))
    stopped, idle = (
        {"agent.log": told, "0_stderr.log": text} for text in (steps, "2026-11-21 04:10:00,000 INFO hello\n")
    )
    at_work = "somebody stopped the job while it trained"
    assert report_of(stopped).verdict.title == at_work
    assert report_of(idle).verdict.title == "somebody stopped the job"
    late = {**stopped, "0_stderr.log": steps.replace(" 04:10:", " 04:13:")}
    assert report_of(late).verdict.rule != "stopped-from-outside"


def test_a_failure_handler_tells_of_the_signal(report_of: ReportOf) -> None:
    steps = "".join(f"step {n}/57 | loss {3 - n / 100:.4f}\n" for n in range(12))
    told = "*** SIGTERM received at time=1772704807 on cpu 57 ***\nPC: @ 0x7f57 (unknown) (unknown)\n"
    verdict = report_of({"train.log": steps + told}).verdict
    assert (verdict.cls, verdict.rule) == ("infrastructure", "stopped-from-outside")
    assert verdict.first_evidence is not None and verdict.first_evidence.line == 13


def test_ranks_interrupted_while_another_file_counts_steps(report_of: ReportOf) -> None:
    steps = "".join(f"iteration {n}/1000 | loss 2.{n}\n" for n in range(1, 40))
    ranks = "".join(f"[rank{n}]: {line}\n" for n in (1, 2, 3) for line in IMPORT.splitlines())
    args = "WORLD_SIZE=16\nsetting up on 4 nodes\n"
    verdict = report_of({"train.stderr": args + ranks + IMPORT, "train.stdout": args + steps}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("infrastructure", ())


DEAD_THREAD = (
    "Exception in thread Thread-1:\nTraceback (most recent call last):\n"
    '  File "/usr/lib/python3.11/threading.py", line 1038, in _bootstrap_inner\n    self.run()\n'
    '  File "/opt/job/worker.py", line 57, in on_message\n    print("chief: " + number)\n'
    'TypeError: can only concatenate str (not "int") to str\n'
)
STOPPED = "=== {} is aborted by keyboard interrupt\n"


def test_who_waits_for_a_dead_thread_is_stopped_by_hand(report_of: Callable[[Mapping[str, str]], Report]) -> None:
    files = {"chief.out": "connected\n" + STOPPED.format("Chief")}
    files |= {f"worker_{n}.out": "connected\n" + DEAD_THREAD + STOPPED.format("Worker") for n in range(2)}
    assert report_of(files).verdict.cls == "software"


def test_a_long_traceback_that_ends_the_file(report_of: ReportOf) -> None:
    frames = "".join(
        f'  File "/opt/venv/lib/python3.12/site-packages/vllm/x{n}.py", line {n}, in load\n    go()\n'
        for n in range(1, 90)
    )
    text = "loads the model\nTraceback (most recent call last):\n" + frames + "KeyboardInterrupt: terminated\n"
    verdict = report_of({"server.log": text}).verdict
    assert (verdict.cls, verdict.first_evidence and verdict.first_evidence.line) == ("infrastructure", text.count("\n"))
