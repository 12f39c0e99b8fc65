"""Starts that no line announces, told by how the processes before them ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def raised(headline: str, script: str = "/opt/job/train.py", function: str = "<module>") -> str:
    """A traceback that went through the level of a function."""
    return (
        "Traceback (most recent call last):\n"
        f'  File "{script}", line 57, in {function}\n    main()\n'
        '  File "/opt/job/model.py", line 7, in forward\n    return layer(x)\n'
        f"{headline}\n"
    )


SET_UP = "building the model of 57 layers\n4821 samples in the manifest\nno schedule given, constant rate\n"
OPENING = "building the model of 57 layers\nno schedule given, constant rate\n"
OTHER = "reading 57 shards\nvocabulary of 4821 words\nmixed precision is on\n"
SHAPE = raised("RuntimeError: mat1 and mat2 shapes cannot be multiplied (57x4821 and 7x12)")
FULL = raised("OSError: [Errno 28] No space left on device")
CTRL_C = raised("KeyboardInterrupt")
RANKED = "2026-11-21 04:00:00,000 INFO train: rank 0/8 local_rank 0 host node007 pid 57\n"
USAGE = "usage: train.py [-h] --epochs EPOCHS\ntrain.py: error: the following arguments are required: --epochs\n"
STEPS = "".join(f"2026-11-21 04:{n + 10}:00,000 INFO train: step {n} loss 2.31 step_time 0.500s\n" for n in range(12))
BAR = "\r".join(f" {n}%|##  | {n}/100 [00:{n}<00:57,  1.00it/s]" for n in range(10, 58)) + "\n"
DEEPSPEED = "[2026-11-21 04:00:00,000] [INFO] [real_accelerator.py:57:get_accelerator] Setting ds_accelerator to cuda (auto detect)\n"
SHELL = "run.sh: line 7: 48{} {}  python train.py --lr 7\n"
COMPOSED = (
    "Error executing job with overrides: ['lr=7']\n"
    + raised("ValueError: no such optimizer", function="main")
    + "\nSet the environment variable HYDRA_FULL_ERROR=1 for a complete stack trace.\n"
)


OF_A_POOL = "".join(f"Process Process-{n}:\n" + raised("NameError: name 'env57' is not defined") for n in range(1, 9))


def test_a_program_behind_a_ctrl_c_that_ended_a_pool_is_another_run(report_of: ReportOf) -> None:
    text = SET_UP + OF_A_POOL + CTRL_C + SET_UP + STEPS[: STEPS.index("\n") + 1] + BAR + "Saved model to disk\n"
    report = report_of({"nohup.out": text})
    assert report.verdict.cls == "healthy"
    assert report_of({"nohup.out": SET_UP + OF_A_POOL + CTRL_C}).verdict.cls == "software"


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        (SET_UP + SHAPE + SET_UP + FULL, ["software", "storage-io"]),
        (OPENING + SHAPE + OPENING + FULL, ["software", "storage-io"]),
        (USAGE + USAGE.replace("--epochs\n", "--data\n"), ["config", "config"]),
        (USAGE + CTRL_C, ["config", "infrastructure"]),
        (SET_UP + CTRL_C + SET_UP + raised("OSError: [Errno 28] No space left on device", "/opt/job/evaluate.py"),
         ["infrastructure", "storage-io"]),
        (SET_UP + FULL + STEPS, ["storage-io", "healthy"]),
        (SET_UP + FULL + STEPS[: STEPS.index("\n") + 1] + BAR, ["storage-io", "healthy"]),
        (STEPS + USAGE + USAGE, ["config", "config"]),
        (SET_UP + COMPOSED + SET_UP + COMPOSED.replace("ValueError: no such optimizer", "OSError: [Errno 28] No space left on device"),
         ["software", "storage-io"]),
        (SET_UP + raised("TypeError: missing 1 required positional argument: 'x'", "evaluate.py") + SET_UP
         + raised("OSError: [Errno 28] No space left on device", "evaluate.py"), ["software", "storage-io"]),
        (DEEPSPEED + SET_UP + SHAPE + DEEPSPEED + SET_UP + FULL, ["software", "storage-io"]),
        (SET_UP + SHELL.format(57, "Killed") + SET_UP + SHELL.format(75, "Segmentation fault (core dumped)"),
         ["infrastructure", "software"]),
    ],
    ids=["uncaught twice", "a short opening between", "refused twice", "refused, then Ctrl-C", "another script after Ctrl-C", "trains after it", "a bar fills after it",
         "refused after a run", "Hydra's own words", "a script named as a library is", "DeepSpeed is imported",
         "a shell saw two ends"],
)  # fmt: skip
def test_the_newest_process_is_the_end_of_the_job(text: str, classes: list[str], report_of: ReportOf) -> None:
    report = report_of({"nohup.out": text})
    assert report.history is not None
    assert [a.cls for a in report.history.attempts] == classes
    assert report.verdict.cls == classes[-1]


@pytest.mark.parametrize(
    "text",
    [
        SET_UP + SHAPE + FULL,
        SET_UP + raised("ValueError: a", function="load") + OTHER + FULL,
        SET_UP + SHAPE + OTHER + raised("OSError: [Errno 28] No space left on device", "/opt/job/evaluate.py"),
        RANKED + SET_UP + SHAPE + OTHER + FULL,
        SET_UP + "Exception in thread Thread-7:\n" + SHAPE + OTHER + FULL,
        SET_UP + SHELL.format(57, "Killed") + SHELL.format(75, "Killed"),
        SET_UP + SHAPE + "".join(f"requeues job 4821, try {n}\n" for n in range(5)) + SHAPE,
    ],
    ids=[
        "at once",
        "caught on its way",
        "the next script of a pipeline",
        "many ranks",
        "a thread's",
        "killed at once",
        "all say the same",
    ],
)
def test_what_may_be_one_start_is_one(text: str, report_of: ReportOf) -> None:
    assert report_of({"nohup.out": text}).job.attempts == 1


def test_slow_steps_are_not_what_ended_a_job_that_failed(report_of: ReportOf) -> None:
    slow = "".join(
        f"2026-11-21 05:{n:02d}:00,000 INFO train: step {n + 12} loss 2.31 step_time 2.500s\n" for n in range(20)
    )
    assert report_of({"nohup.out": STEPS + slow}).verdict.cls == "slow-training"
    assert report_of({"nohup.out": STEPS + slow + SHAPE}).verdict.cls == "software"


def test_who_was_told_to_end_had_waited_for_the_thread(report_of: ReportOf) -> None:
    thread = "Exception in thread Thread-7:\n" + raised("OSError: [Errno 28] No space left on device", function="run")
    told = "FatalError: `Termination signal` is detected by the operating system.\n"
    assert report_of({"workerlog.0": SET_UP + thread + "\n" + told}).verdict.cls == "storage-io"


@pytest.mark.parametrize("said", ["Killed", "Killed by choice"])
def test_the_shell_goes_on_in_the_line_of_a_bar(said: str, report_of: ReportOf) -> None:
    verdict = report_of({"nohup.out": SET_UP + f" 400/5000 [=>......] - ETA: 2:32:37 - loss: 2.31{said}\n"}).verdict
    assert (verdict.rule == "shell-word") == (said == "Killed")


@pytest.mark.parametrize("label", ["3: ", "[1,3]<stderr>:", "[default3]:"])
def test_a_shells_word_stands_behind_the_label_of_its_task(label: str, report_of: ReportOf) -> None:
    assert report_of({"nohup.out": f"{label}loading\n{label}Killed\n"}).verdict.rule == "shell-word"


def test_python_without_its_script_ran_nothing(report_of: ReportOf) -> None:
    missing = "python3: can't open file 'trian.py': [Errno 2] No such file or directory\n"
    report = report_of({"nohup.out": missing + SET_UP + OTHER + FULL})
    assert (report.verdict.cls, report.job.attempts) == ("storage-io", 2)


def test_a_command_line_that_is_refused_after_a_run_that_ended_well(report_of: ReportOf) -> None:
    report = report_of({"nohup.out": STEPS + "Training completed\n" + USAGE})
    assert report.history is not None
    assert [a.cls for a in report.history.attempts] == ["healthy", "config"]


def test_a_refusal_behind_which_the_program_works_as_before(report_of: ReportOf) -> None:
    images = "".join(f"image {n:04d}: psnr 25.{n} ssim 0.{n}\n" for n in range(10, 57))
    works = f"loading the checkpoint base57.pt\n{images}mean psnr 25.20 ssim 0.81\n"
    assert report_of({"evaluation.log": works + USAGE + works}).verdict.cls == "unknown"
    assert report_of({"evaluation.log": works + USAGE}).verdict.cls == "config"
    assert report_of({"evaluation.log": works + USAGE + works + USAGE}).verdict.cls == "config"


def test_a_refusal_that_another_program_goes_on_after(report_of: ReportOf) -> None:
    assert report_of({"nohup.out": USAGE + OTHER}).verdict.cls == "config"
    assert report_of({"nohup.out": USAGE + OTHER * 200}).verdict.cls != "config"


MODEL = "".join(f"  (layer{n}): Linear({n}, 57)\n" for n in range(120))
LAYERS = "".join(MODEL.splitlines(keepends=True)[:40])


@pytest.mark.parametrize(
    ("before", "behind", "failed"),
    [
        (SET_UP, SET_UP + MODEL, False),
        (SET_UP, "\n" + SET_UP.replace("57", "48") + MODEL, False),
        ("", OTHER + MODEL, False),
        (SET_UP, OTHER + MODEL, True),
        (SET_UP, SET_UP, True),
        (LAYERS, MODEL * 2, False),
        (LAYERS, LAYERS, True),
        (LAYERS, SET_UP + OTHER + MODEL, True),
    ],
    ids=[
        "begins as the file does",
        "with other numbers",
        "the file begins with the end",
        "something else",
        "little",
        "goes on as before",
        "goes on for little",
        "goes on with something else",
    ],
)
def test_a_process_that_leaves_no_record_ran_after_the_one_that_failed(
    before: str, behind: str, failed: bool, report_of: ReportOf
) -> None:
    assert (report_of({"nohup.out": before + SHAPE + behind}).verdict.cls == "software") == failed


def test_a_bar_that_stands_still_does_not_fill_whatever_its_clock_says(report_of: ReportOf) -> None:
    waits = "\r".join(f" 7%|##  | 7/100 [{n}:00<00:57,  1.00it/s]" for n in range(1, 8)) + "\n"
    first = STEPS[: STEPS.index("\n") + 1]
    assert report_of({"nohup.out": SET_UP + FULL + first + waits}).job.attempts == 1


@pytest.mark.parametrize(("lines", "cls"), [(200, "healthy"), (5, "config")])
def test_a_script_goes_on_after_a_command_that_is_not_there(lines: int, cls: str, report_of: ReportOf) -> None:
    warned = "".join(f"{n}: UserWarning: rank {n} takes the default\n" for n in range(lines))
    steps = "".join(f"step {n} loss 2.{n}\n" for n in range(1, 58)) if lines > 100 else ""
    report = report_of({"57.err": "job.sh: line 5: python: command not found\n" + warned, "57.out": "begin\n" + steps})
    assert report.verdict.cls == cls


CHILD = (
    "Process Process-{n}:\nTraceback (most recent call last):\n"
    '  File "/usr/lib/python3.11/multiprocessing/process.py", line 314, in _bootstrap\n    self.run()\n'
    '  File "/opt/job/train.py", line 228, in main\n    build()\n'
    "ValueError: Default process group has not been initialized, please make sure to call init_process_group.\n"
)
SETTINGS = "".join(f"'{name}': {n}57,\n" for n, name in enumerate(("rate", "depth", "width", "heads", "batch", "seed")))


def test_children_of_one_program_are_one_run(report_of: ReportOf) -> None:
    taken = "[W socket.cpp:426] [c10d] The server socket has failed to bind to [::]:29500 (errno: 98 - Address already in use).\n"
    text = taken + "".join(SETTINGS + CHILD.format(n=n) for n in (5, 4, 1))
    report = report_of({"job.log": text})
    assert (report.verdict.cls, report.job.attempts) == ("init-rendezvous", 1)


REPORTED = "Using device: cuda\nGPU Memory: 57.7 GB\nlearnt: 57\nheld out: 75\npeak_vram_mb: 2577.5\nparams_M: 0.8\n"


def test_a_program_of_which_no_line_is_known_behind_a_ctrl_c_is_another_run(report_of: ReportOf) -> None:
    assert report_of({"run.log": SET_UP + SHAPE + CTRL_C + REPORTED}).verdict.cls == "healthy"
    left = "wandb: Waiting for W&B process to finish\nException ignored in: <57>\nTerminated\nwandb: done\nwandb: bye\n"
    assert report_of({"run.log": SET_UP + SHAPE + CTRL_C + left}).verdict.cls != "healthy"


@pytest.mark.parametrize(("later", "attempts"), [("06", 1), ("57", 2)], ids=["at once", "later"])
def test_processes_that_fail_within_a_second_are_of_one_start(later: str, attempts: int, report_of: ReportOf) -> None:
    first = f"2031-02-03 04:05:06 one says this\n{SET_UP}"
    second = f"2031-02-03 04:05:{later} another says that\n{OTHER}2031-02-03 04:05:{later} and this\n"
    assert report_of({"job.log": first + SHAPE + second + FULL}).job.attempts == attempts


def test_noise_behind_an_end_is_no_other_process(report_of: ReportOf) -> None:
    noise = "".join(f"profiling:/opt/src/Modules/a{n}.gcda:Cannot open\n" for n in range(157))
    assert report_of({"job.err": SHAPE + noise}).verdict.cls == "software"


@pytest.mark.parametrize(
    ("said", "cls"),
    [
        ("OSError: [Errno 122] Disk quota exceeded", "storage-io"),
        ("OSError: [Errno 121] Remote I/O error", "data"),
    ],
    ids=["could not write", "another failure"],
)
def test_a_stage_that_could_not_write_what_the_next_one_reads(said: str, cls: str, report_of: ReportOf) -> None:
    stage = "==> [Tue Mar 11 09:{m}:12 CET 2025] stage {n}/2 of the script begins\n"
    raised = 'Traceback (most recent call last):\n  File "{name}.py", line 57, in <module>\n    main()\n{said}\n'
    work = "".join(f"a parameter of layer {'abcdefghij'[n % 10]}{'klmno'[n // 10]} is set\n" for n in range(50))
    first = stage.format(m="05", n=1) + "tokenises the corpus\n" + raised.format(name="tokenise", said=said)
    missing = "FileNotFoundError: [Errno 2] No such file or directory: 'data/tok/train.bin'"
    text = first + stage.format(m="20", n=2) + work + raised.format(name="train", said=missing)
    assert report_of({"run.log": text}).verdict.cls == cls


def test_a_few_long_lines_that_begin_as_the_file_does_are_another_run(report_of: ReportOf) -> None:
    lists = (
        "In all {n} pictures of list_{n}.txt\n...load the net of 57 MB\n"
        + f"In processing file 1 of {'a' * 2400}\n" * 2
    )
    failed = report_of({"nohup.out": lists.format(n=4) + FULL}).verdict
    assert (failed.cls, failed.confidence) == ("storage-io", "high")
    assert report_of({"nohup.out": lists.format(n=4) + FULL + lists.format(n=5)}).verdict.cls == "healthy"


def test_a_launcher_that_did_not_take_its_command_line_and_was_started_again(report_of: ReportOf) -> None:
    refused = "usage: torchrun [-h] script ...\ntorchrun: error: argument --nnodes: invalid int value: 'a'\n"
    begun = "W0203 04:05:06.789000 57 torch/distributed/run.py:779] Setting OMP_NUM_THREADS environment variable for each process to be 1\n"
    raised = "Traceback (most recent call last):\n  File \"fit.py\", line 7, in <module>\n    import net57\nModuleNotFoundError: No module named 'net57'\n"
    report = report_of({"train.log": refused + begun + 2 * raised})
    assert (report.job.attempts, report.verdict.cls) == (2, "software")
    assert report.verdict.first_evidence is not None
    assert report.verdict.first_evidence.line == 7
