"""Several attempts in the same files: split, diagnosed each, and the verdict about the last one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.report.json_report import as_dict
from logtui.diagnosis.report.markdown import render
from logtui.diagnosis.session.opening import analyse_whole
from logtui.parsers.generator import Fault, JobSpec, Layout, generate

ReportOf = Callable[[Mapping[str, str]], Report]

XID = "Nov 21 {hour:02d}:13:00 node007 kernel: NVRM: Xid (PCI:0000:91:00): 79, pid=4242, name=python3, GPU has fallen off the bus.\n"
PREEMPTED = (
    "slurmstepd: error: *** JOB 4821 ON node007 CANCELLED AT 2026-11-21T{hour:02d}:15:00 DUE TO PREEMPTION ***\n"
)
RAISED = (
    "[rank{rank}]: Traceback (most recent call last):\n"
    '[rank{rank}]:   File "/opt/job/train.py", line 7, in main\n'
    "[rank{rank}]:     model.forward(x)\n"
    "[rank{rank}]: AttributeError: 'NoneType' object has no attribute 'shape'\n"
)
DONE = "`Trainer.fit` stopped: `max_steps=24` reached.\n"


def start(hour: int, pid: int, ranks: int = 2) -> str:
    """What each rank prints as it starts."""
    return "".join(
        f"2026-11-21 {hour:02d}:00:00,000 INFO train: rank {r}/{ranks} local_rank {r} host node007 pid {pid + r}\n"
        for r in range(ranks)
    )


def steps(hour: int, first: int = 0, count: int = 12) -> str:
    return "".join(
        f"2026-11-21 {hour:02d}:{n + 1:02d}:00,000 INFO train: step {first + n} loss 2.31 step_time 0.500s\n"
        for n in range(count)
    )


@pytest.mark.parametrize("layout", Layout)
def test_every_layout_is_split(tmp_path: Path, layout: Layout) -> None:
    spec = JobSpec(
        fault=Fault.RESTART_THEN_FAIL, world_size=16, attempts=3, recurring=True, culprits=(5,), layout=layout
    )
    truth = generate(spec, tmp_path)
    report = analyse_whole([tmp_path]).report
    assert report.history is not None
    assert [(a.number, a.cls, a.culprit_ranks) for a in report.history.attempts] == [
        (n, "software", (5,)) for n in (1, 2, 3)
    ]
    assert report.verdict.culprit_ranks == truth.culprit_ranks
    assert {(r.kind, r.name): r.attempts for r in report.history.recurring}["rank", "5"] == (1, 2, 3)
    assert all(a.begins is not None for a in report.history.attempts[1:])
    assert report.job.attempts == 3


def test_another_rank_each_time_recurs_not(tmp_path: Path) -> None:
    generate(JobSpec(fault=Fault.RESTART_THEN_FAIL, world_size=16, culprits=(5,)), tmp_path)
    report = analyse_whole([tmp_path]).report
    assert report.history is not None
    assert [a.culprit_ranks for a in report.history.attempts] == [(15,), (5,)]
    assert report.history.recurring == ()


SPLIT: dict[str, tuple[str, list[str]]] = {
    "a single run": (start(1, 100) + steps(1) + RAISED.format(rank=1), []),
    "many banners before any step": (start(1, 100) + start(1, 100, 4) + steps(1) + DONE, []),
    "the same process says it twice": (start(1, 100) + steps(1) + start(2, 100) + steps(2, 12) + DONE, []),
    "a requeue": (
        start(1, 100) + steps(1) + PREEMPTED.format(hour=1) + start(2, 200) + steps(2, 12) + RAISED.format(rank=1),
        ["infrastructure", "software"],
    ),
    "a run that completed after one that failed": (
        start(1, 100) + steps(1) + RAISED.format(rank=0) + start(2, 200) + steps(2, 12) + DONE,
        ["software", "healthy"],
    ),
    "three runs appended": (
        "".join(start(h, 100 * h) + steps(h) + RAISED.format(rank=h % 2) for h in (1, 2, 3)),
        ["software", "software", "software"],
    ),
    "no banner, but steps after the scheduler ended it": (
        steps(1) + PREEMPTED.format(hour=1) + steps(2) + RAISED.format(rank=1),
        ["infrastructure", "software"],
    ),
    "a death without another start": (steps(1) + PREEMPTED.format(hour=1), []),
}


@pytest.mark.parametrize("name", SPLIT)
def test_where_attempts_begin(report_of: ReportOf, name: str) -> None:
    text, classes = SPLIT[name]
    report = report_of({"job.log": text})
    assert report.history is not None
    assert [a.cls for a in report.history.attempts] == classes
    assert report.verdict.cls == (classes[-1] if classes else report.verdict.cls)


def test_an_earlier_failure_is_not_the_verdict(report_of: ReportOf) -> None:
    report = report_of({"job.log": SPLIT["a requeue"][0]})
    assert (report.verdict.cls, report.verdict.culprit_ranks) == ("software", (1,))
    assert report.verdict.first_evidence is not None and report.verdict.first_evidence.line > 26


@pytest.mark.parametrize("lines", [0, 20, 120])
def test_what_ended_an_attempt_did_not_end_the_one_after_it(lines: int, report_of: ReportOf) -> None:
    settings = "".join(f"  model.layer_{n}.width: 512\n" for n in range(lines))
    report = report_of({"job.log": start(1, 100) + steps(1) + RAISED.format(rank=1) + start(2, 200) + settings})
    assert (report.verdict.cls, report.verdict.culprit_ranks) == ("healthy", ())
    assert report.history is not None and report.history.attempts[0].cls == "software"


def test_steps_without_a_number_are_of_their_own_attempt(report_of: ReportOf) -> None:
    losses = "".join(
        f"{{'loss': 2.{n}, 'grad_norm': 1.5, 'learning_rate': 1e-05, 'epoch': 0.{n}}}\n" for n in range(40)
    )
    report = report_of({"job.log": start(1, 100) + steps(1) + RAISED.format(rank=1) + start(2, 200) + losses})
    assert report.history is not None and report.history.attempts[0].cls == "software"


def test_a_host_that_fails_again_is_to_be_left_out(report_of: ReportOf) -> None:
    runs = "".join(start(h, 100 * h) + steps(h) + PREEMPTED.format(hour=h) for h in (1, 2))
    report = report_of({"job.log": runs, "dmesg-node007.txt": XID.format(hour=1) + XID.format(hour=2)})
    assert report.history is not None
    assert [(r.kind, r.name, r.attempts) for r in report.history.recurring] == [("host", "node007", (1, 2))]
    assert [r.what for r in report.recommendations if "submit without node007" in r.what]
    text = render(report)
    assert "**host node007 is to blame in attempts 1, 2**, `dmesg-node007.txt:1`, `dmesg-node007.txt:2`" in text
    assert as_dict(report)["recurring"][0]["attempts"] == [1, 2]
    assert [a["attempt"] for a in as_dict(report)["attempts"]] == [1, 2]


@pytest.mark.parametrize("hour", [1, 9], ids=["of the first attempt", "in another zone"])
def test_a_kernel_log_counts_for_the_last_attempt_unless_training_went_on(report_of: ReportOf, hour: int) -> None:
    runs = "".join(start(h, 100 * h) + steps(h) + PREEMPTED.format(hour=h) for h in (1, 2))
    report = report_of({"job.log": runs, "dmesg-node007.txt": XID.format(hour=hour)})
    assert report.verdict.cls == "infrastructure"


def test_a_program_that_fails_again_says_nothing_about_its_host(report_of: ReportOf) -> None:
    runs = "".join(start(h, 100 * h) + steps(h) + RAISED.format(rank=1) for h in (1, 2))
    report = report_of({"job.log": runs})
    assert not [r.what for r in report.recommendations if "submit without" in r.what]


@pytest.mark.parametrize("attempts", [0, 1])
def test_a_restarted_job_has_two_attempts_at_least(attempts: int) -> None:
    with pytest.raises(ValueError, match="at least 2 attempts"):
        JobSpec(fault=Fault.RESTART_THEN_FAIL, attempts=attempts)


OOM = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/train.py", line 9, in main\n'
    "    loss.backward()\n"
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.33 GiB of "
    "which 1.10 GiB is free. Including non-PyTorch memory, this process has 78.20 GiB memory in use.\n"
)
KEY = OOM.splitlines(keepends=True)[0] + "  File \"/opt/job/data.py\", line 3, in load\nKeyError: 'speaker'\n"


def test_a_run_appended_without_a_line_that_says_so(report_of: ReportOf) -> None:
    report = report_of({"run.log": steps(4) + OOM + steps(9) + KEY})
    assert report.history is not None
    assert [a.cls for a in report.history.attempts] == ["gpu-oom", report.verdict.cls]
    assert "KeyError" in report.verdict.title


def test_a_run_put_behind_a_later_one(report_of: ReportOf) -> None:
    assert report_of({"run.log": steps(9) + steps(4) + KEY}).job.attempts == 2


@pytest.mark.parametrize(
    "lines",
    [
        steps(4) + steps(4).replace(" 04:0", " 04:3").replace(" 04:1", " 04:4"),
        steps(4).replace("step ", "epoch 1 step ") + steps(9).replace("step ", "epoch 2 step "),
        steps(4) + steps(9, 12),
    ],
    ids=["a counter of each epoch", "epochs far apart", "a long pause"],
)
def test_a_counter_that_begins_again_is_no_new_run(report_of: ReportOf, lines: str) -> None:
    assert report_of({"run.log": lines}).job.attempts == 1


def test_a_second_launch_of_torchrun(report_of: ReportOf) -> None:
    banner = "W1121 0{hour}:00:00.000000 11807 torch/distributed/run.py:792] Setting OMP_NUM_THREADS environment variable for each\n"
    lines = "".join(banner.format(hour=hour) * 2 + steps(hour, first) for hour, first in ((4, 0), (5, 7)))
    assert report_of({"run.log": lines}).job.attempts == 2


OPENS = "".join(
    f"{what} of the model with {n} of 57 layers\n"
    for n, what in enumerate(("Loading", "Building", "Checking", "Placing"))
)
ENDED = (
    'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\n    run()\nTypeError: no run\n'
)
OTHER = ENDED.replace("TypeError: no run", "OSError: [Errno 28] No space left on device")


def test_the_first_lines_come_again_after_an_exception(report_of: ReportOf) -> None:
    report = report_of({"nohup.out": OPENS + ENDED + OPENS + OTHER})
    assert report.job.attempts == 2
    assert report.verdict.cls == "storage-io"
    assert report.verdict.first_evidence is not None and report.verdict.first_evidence.line == 16


@pytest.mark.parametrize(
    "text",
    [
        OPENS + ENDED + OTHER,
        OPENS + OPENS + ENDED + OPENS + OTHER,
        OPENS + ENDED + OPENS.splitlines()[0] + "\n" + OTHER,
    ],
    ids=["nothing comes again", "many processes say it", "one line comes again"],
)
def test_what_comes_again_may_be_another_process(text: str, report_of: ReportOf) -> None:
    assert report_of({"nohup.out": text}).job.attempts == 1


def opens_at(hour: int) -> str:
    """The same opening with a clock, in a start of its own."""
    return "".join(f"2026-01-02 {hour:02d}:03:04,567 - INFO - {line}\n" for line in OPENS.splitlines())


def test_a_start_after_one_that_ended_without_a_word(report_of: ReportOf) -> None:
    report = report_of({"nohup.out": opens_at(3) + opens_at(4) + ENDED + opens_at(5) + OTHER})
    assert report.verdict.cls == "storage-io"
    assert report.history is not None
    assert [a.cls for a in report.history.attempts] == ["unknown", "software", "storage-io"]


def test_processes_of_one_start_open_at_once(report_of: ReportOf) -> None:
    assert report_of({"nohup.out": opens_at(3) * 2 + ENDED + opens_at(3) + OTHER}).job.attempts == 1


def test_a_driver_that_prints_what_its_workers_raise_is_started_again(report_of: ReportOf) -> None:
    task = "ray.exceptions.RayTaskError(ValueError): ray::Trainer.run() (pid={pid}, ip=10.0.0.{pid})\nValueError: no such trial\n"
    runs = OPENS + ENDED.replace("TypeError: no run\n", task.format(pid=7)) + OPENS
    report = report_of({"ray.err": runs + OTHER + task.format(pid=8)})
    assert report.job.attempts == 2
    assert report.verdict.cls == "storage-io"


def lsf(ended: str) -> str:
    """LSF's report at the end of a job, shortened."""
    return f"\n{'-' * 60}\nSender: LSF System <lsf@node007>\n\n{ended}\n\nThe output (if any) is above this job summary.\n\n"


FAILED, WELL = lsf("Exited with exit code 1."), lsf("Successfully completed.")
SYNTAX = '  File "train.py", line 57\n    if a b:\n         ^\nSyntaxError: invalid syntax\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("step 57\n" + WELL + SYNTAX + FAILED, "software"),
        (SYNTAX + FAILED + "step 57\n" + WELL, "healthy"),
        ("step 57\n" + WELL, "healthy"),
        (SYNTAX + FAILED, "software"),
    ],
    ids=["well, then failed", "failed, then well", "well", "failed"],
)
def test_jobs_that_lsf_put_into_one_file(text: str, expected: str, report_of: ReportOf) -> None:
    assert report_of({"lsf.out": text}).verdict.cls == expected


def failed_launch(script: str = "train.py", host: str = "node007") -> str:
    """torchrun's last words on a program, shortened."""
    rule = "=" * 60
    return (
        "E1121 04:12:12.014000 11807 torch/distributed/elastic/multiprocessing/api.py:1002] failed (exitcode: 1) "
        "local_rank: 0 (pid: 812) of binary: /usr/bin/python\n"
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n"
        f"{rule}\n{script} FAILED\n  host      : {host}\n  exitcode  : 1 (pid: 812)\n{rule}\n"
    )


PLAIN_STEPS = "".join(f"step {n}/57 | loss {3 - n / 100:.4f}\n" for n in range(12))
WANDB = "wandb: Tracking run with wandb version 0.16.3\n"
USAGE = "usage: train.py [-h] [--lr LR]\ntrain.py: error: unrecognized arguments: --lr-wormup 7\n"
LIBRARY = "".join(f" [WARNING]  async_io: library {n}57 was not found, set its folder\n" for n in range(4))
PADDLE = "LAUNCH INFO 2026-01-02 03:04:05,678 -----------  Configuration  ----------------------\n"


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        (OPENS * 8 + ENDED * 8 + failed_launch() + OPENS * 8 + OTHER + failed_launch(), ["software", "storage-io"]),
        (ENDED * 2 + failed_launch() + PLAIN_STEPS + OTHER + failed_launch(), ["software", "storage-io"]),
        (ENDED + failed_launch() + OTHER + failed_launch("export.py"), []),
        (OPENS * 8 + ENDED * 2 + OPENS * 8 + OTHER + failed_launch(), []),
        (WANDB + ENDED + WANDB + OTHER, ["software", "storage-io"]),
        (WANDB * 2 + OTHER, []),
        (USAGE + OPENS + PLAIN_STEPS + "training finished\n", ["config", "healthy"]),
        (PADDLE + PLAIN_STEPS + ENDED + PADDLE + PLAIN_STEPS + "training finished\n", ["software", "healthy"]),
        ("+ python train.py\n" + USAGE + "+ python train.py\n" + OTHER, ["config", "storage-io"]),
        ("+ python train.py\n" + USAGE + "+ python merge.py\n" + OTHER, []),
        (OPENS + PLAIN_STEPS + "training finished\n" + OPENS + OTHER, ["healthy", "storage-io"]),
        (LIBRARY + OPENS * 8 + ENDED * 8 + failed_launch().replace("\n", "\n" + LIBRARY, 1), []),
    ],
    ids=[
        "torchrun's processes open alike",
        "torchrun fails the same program twice",
        "torchrun fails another program",
        "no word of torchrun between",
        "wandb starts again",
        "wandb starts again, and nothing had ended",
        "arguments refused, then a run",
        "Paddle launches again",
        "a traced shell starts it again",
        "a traced shell starts another",
        "one that ended well, then another",
        "the launcher imports what its processes had",
    ],
)
def test_starts_of_every_kind(text: str, classes: list[str], report_of: ReportOf) -> None:
    report = report_of({"train.log": text})
    assert [a.cls for a in report.history.attempts if report.history] == classes if report.history else not classes


def test_files_of_a_run_put_behind_each_other_are_one_attempt(report_of: ReportOf) -> None:
    nodes = [
        "".join(line.replace("rank 0", f"rank {n}").replace("rank 1", f"rank {n + 1}") for line in start(1, 100))
        + steps(1)
        + failed_launch(host=f"node00{n}")
        for n in (0, 2, 4)
    ]
    assert report_of({"all.log": "".join(nodes)}).job.attempts == 1


def test_steps_of_the_next_file_put_behind_are_no_recovery(report_of: ReportOf) -> None:
    nodes = [start(1, 100) + steps(1) + (RAISED.format(rank=1) if n == 1 else "") for n in range(3)]
    assert report_of({"all.log": "".join(nodes)}).verdict.culprit_ranks == (1,)


def test_an_old_failure_is_not_the_verdict_on_an_attempt_that_trained(report_of: ReportOf) -> None:
    lost = "[rank0]:[W1121 02:14:00.0 TCPStore.cpp:125] [c10d] recvValue failed on SocketImpl(fd=57): Connection reset by peer\n"
    report = report_of({"job.log": start(1, 100) + steps(1) + RAISED.format(rank=1) + start(2, 200) + steps(2) + lost})
    assert report.verdict.cls != "software"


@pytest.mark.parametrize(("minutes", "attempts"), [(1, 1), (10, 2)], ids=["until it is killed", "after a start"])
def test_a_job_told_to_stop_trains_on(minutes: int, attempts: int, report_of: ReportOf) -> None:
    """A scheduler's word comes half a minute before the kill; a run that is started again needs time to start."""
    later = "".join(
        f"2026-11-21 03:{20 + minutes + n:02d}:00,000 INFO train: step {20 + n} loss 2.31 step_time 0.500s\n"
        for n in range(4)
    )
    assert report_of({"train.log": steps(3, count=20) + PREEMPTED.format(hour=3) + later}).job.attempts == attempts


def test_an_opening_without_clocks_behind_runs_that_left_no_word(report_of: ReportOf) -> None:
    opening = (
        "nohup: ignoring input\nBuilding the dictionary of 57 words ...\nReading the model from /data/m57\n"
        "The model has been built.\n"
    )
    again = opening.split("\n", 1)[1]
    raised = 'Traceback (most recent call last):\n  File "run.py", line 57, in <module>\nRuntimeError: no room\n\n'
    text = opening + "Loss: 2.0\n" + raised + again + "Loss: 3.0\n" + again + "Loss: 3.5\n" + raised + again
    text += "Loading checkpoint shards:   0%|          | 0/2 [00:00<?, ?it/s]\n"
    assert report_of({"output.log": text}).verdict.cls != "software"


def test_a_start_behind_a_signal(report_of: ReportOf) -> None:
    told = (
        "*** SIGTERM received at time=1755406058 on cpu 2 ***\nPC: @     0x7f1ee1f30117  (unknown)  (unknown)\n"
        "[2026-01-02 05:04:05,678 E 57 57] logging.cc:460: *** SIGTERM received at time=1755406058 on cpu 2 ***\n"
    )
    said = "".join(f"INFO train: step {n} loss 2.31\n" for n in range(57))
    tracks = "wandb: Tracking run with wandb version 0.19.1\n"
    begun = "".join(f"2026-01-02 0{hour}:04:05,678 INFO: ready\n" + tracks + said + told for hour in (3, 5))
    job = report_of({"run.log": begun}).job
    assert (job.attempts, job.iso_started) == (2, "2026-01-02T05:04:05.678")


@pytest.mark.parametrize(
    ("out", "said", "cls"),
    [("layer 57 is set\n" * 7, "", "healthy"), ("", "", "healthy"), ("", "layer 57 is left\n", "storage-io")],
    ids=["beside another", "alone", "alone, and not as at first"],
)
def test_the_first_lines_come_again_and_nothing_else_that_is_known(
    out: str, said: str, cls: str, report_of: ReportOf
) -> None:
    first, rest = OPENS.split("\n", 1)
    report = report_of({"run.err": OPENS + ENDED + OPENS + OTHER + first + "\n" + said + rest, "run.out": out})
    assert (report.job.attempts, report.verdict.cls) == (2, cls)


def launched(script: str) -> str:
    """Two ranks of torchrun that cannot load what they start from, and the launcher's word."""
    raised = (
        f'Traceback (most recent call last):\n  File "/opt/job/{script}", line 57, in <module>\n    load()\n'
        "FileNotFoundError: [Errno 2] No such file or directory: 'run57/model.pt'\n"
    )
    return (
        "training...\nWARNING:__main__:\n*****************************************\n"
        "Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid your system being "
        "overloaded, please further tune the variable for optimal performance in your application as needed. \n"
        "*****************************************\n"
        + 2
        * raised
        + "ERROR:torch.distributed.elastic.multiprocessing.api:"
        "failed (exitcode: 1) local_rank: 0 (pid: 4242) of binary: /opt/env/bin/python\n"
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n" + 60 * "=" + "\n"
        f"{script} FAILED\n" + 60 * "-" + "\nRoot Cause (first observed failure):\n[0]:\n  host      : node007\n"
        "  rank      : 0 (local_rank: 0)\n  exitcode  : 1 (pid: 4242)\n" + 60 * "=" + "\n"
    )


def test_the_launcher_s_start_behind_a_program_of_its_own(report_of: ReportOf) -> None:
    """A script that runs a program with a launcher, then without one, again and again."""
    evaluated = (
        'Traceback (most recent call last):\n  File "/opt/job/train.py", line 75, in <module>\n    load()\n'
        "FileNotFoundError: [Errno 2] No such file or directory: 'run57/model.pt'\n"
    )
    alone = "evaluating run57...\nreads the settings of run57\nuses the loss of run57\n" + evaluated
    text = 4 * (alone + launched("train.py"))
    verdict = report_of({"nohup.out": text}).verdict
    assert verdict.first_evidence is not None
    assert verdict.first_evidence.line > text[: text.rindex("training...")].count("\n")
