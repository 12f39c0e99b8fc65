"""What programs say of a failure that they leave at that, repeat, or end with."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
STEPS = "".join(f"step {n} loss 2.{n}\n" for n in range(10, 60))
STALE = "OSError: [Errno 116] Stale file handle\n"


def test_a_warning_of_what_could_not_be_done(report_of: ReportOf) -> None:
    said = (
        "XAI Warning: Could not explain it (Error(s) in loading state_dict for Net:\n"
        '\tMissing key(s) in state_dict: "fc1.weight". \n\tUnexpected key(s) in state_dict: "_module.fc1.weight". )\n'
    )
    assert report_of({"client.log": STEPS + said}).verdict.cls == "healthy"
    bare = said.partition("(")[2]
    assert report_of({"client.log": STEPS + f"RuntimeError: {bare}"}).verdict.cls == "config"


def test_a_warning_of_what_could_not_be_worked_out(report_of: ReportOf) -> None:
    lost = "[WARNING] can't work out the grain because of [Errno 2] No such file or directory: '/data/grain57.h5'...\n"
    told = "the light is measured\n" + lost * 2 + "".join(f"the {n}th film is cut\n" for n in range(9))
    assert report_of({"cut.log": told + "all films are processed, done\n"}).verdict.cls == "healthy"
    assert report_of({"cut.log": told + "ERROR: no grain\n"}).verdict.cls != "healthy"


def test_a_server_that_speaks_on(report_of: ReportOf) -> None:
    lost = "[SERVER ERROR] [Errno 2] No such file or directory: 'server/policy_1.zip'\n"
    on = "".join(f"[SERVER] gradient {n % 7} of policy_{n % 3} was applied\n" for n in range(200))
    assert report_of({"server.log": on + lost + on}).verdict.cls != "data"
    assert report_of({"server.log": on + lost}).verdict.cls == "data"
    assert report_of({"server.log": on + lost + "another line\n" * 200}).verdict.cls == "data"


def test_a_shell_that_conda_does_not_know(report_of: ReportOf) -> None:
    said = "CondaError: Run 'conda init' before 'conda activate'\n\n"
    assert report_of({"job.err": said, "job.out": STEPS + "Training complete\n"}).verdict.cls == "healthy"


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("Experiment 2 failed!", 51),
        ("Full training failed at: Fri Jan  2 03:04:05 UTC 2026", 51),
        ("Epoch 1:  38%|███▊  | 5904/15635 [16:57<27:26, 5.90it/s]Full training failed at: 03:04:05", 51),
        ("the run failed to converge in 57 steps", None),
        ("57% of the tasks failed", None),
    ],
)
def test_a_script_that_says_it_failed(report_of: ReportOf, word: str, line: int | None) -> None:
    first = report_of({"run.log": f"{STEPS}{word}\n"}).verdict.first_evidence
    assert (None if first is None else first.line) == line


def test_the_first_of_equal_errors_of_a_file_system(report_of: ReportOf) -> None:
    lost = f'--- Logging error ---\nTraceback (most recent call last):\n  File "/usr/lib/logging.py", line 57, in emit\n    flush()\n{STALE}'
    died = (
        f'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in <module>\n    finish()\n{STALE}'
    )
    report = report_of({"run.log": STEPS + lost + "Call stack:\n" + died})
    assert (report.verdict.cls, report.verdict.first_evidence and report.verdict.first_evidence.line) == (
        "storage-io",
        55,
    )
    report = report_of({"run.log": STEPS + lost + STEPS.replace("step ", "step 1") + died})
    assert report.verdict.first_evidence is not None and report.verdict.first_evidence.line == 109


@pytest.mark.parametrize(
    ("said", "cls"),
    [
        ("RuntimeError: ValueError(\"Unknown optimizer lion57\")", "config"),
        ("RuntimeError: TypeError('unsupported operand type(s) for +: int and str')", "software"),
    ],
)  # fmt: skip
def test_an_exception_that_another_repeats(report_of: ReportOf, said: str, cls: str) -> None:
    raised = f'Traceback (most recent call last):\n  File "/opt/job/client.py", line 57, in send_request\n    raise RuntimeError(response.error)\n{said}\n'
    assert report_of({"run.log": raised}).verdict.cls == cls


def test_a_setting_that_is_no_number(report_of: ReportOf) -> None:
    raised = (
        'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in build\n'
        "    schedule = StepLR(optimizer, int(args.step_size))\n"
        "ValueError: invalid literal for int() with base 10: '0.1'\n"
    )
    assert report_of({"run.log": raised}).verdict.cls == "config"


def test_daemons_that_died_before_any_rank(report_of: ReportOf) -> None:
    said = "A daemon (pid unknown) died unexpectedly with status 1 while attempting\nto launch so we are aborting.\n"
    assert report_of({"job.err": said}).verdict.cls == "init-rendezvous"


def test_a_crash_ends_the_others_by_force(report_of: ReportOf) -> None:
    said = (
        "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n=   RANK {} PID 4821 RUNNING AT node007\n"
        "=   KILLED BY SIGNAL: {}\n=====\n\n"
    )
    killed, crashed = (said.format(n, how) for n, how in ((0, "9 (Killed)"), (5, "11 (Segmentation fault)")))
    assert report_of({"job.out": killed + crashed}).verdict.cls == "software"
    assert report_of({"job.out": killed}).verdict.cls == "host-oom"


def test_a_model_that_nobody_registered(report_of: ReportOf) -> None:
    raised = (
        'Traceback (most recent call last):\n  File "/opt/venv/lib/python3.11/site-packages/mmcv/utils/registry.py", line 57, in build\n'
        "    raise KeyError(\nKeyError: 'Kitchen57 is not in the dataset registry'\n"
    )
    assert report_of({"run.err": raised}).verdict.cls == "config"


def test_the_training_of_one_client_is_not_the_end(report_of: ReportOf) -> None:
    said = "客户端 3 本地训练完成\n"
    died = 'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in <module>\n    go()\nKeyboardInterrupt\n'
    assert report_of({"run.log": said + died}).verdict.cls == "infrastructure"


CAUGHT = (
    "[W 2026-01-02 03:04:05,678] Trial 3 failed because of the following error: OutOfMemoryError\n"
    "Traceback (most recent call last):\n"
    '  File "/usr/lib/python3.11/site-packages/optuna/study/_optimize.py", line 201, in _run_trial\n'
    "    value_or_values = func(trial)\n"
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 5.70 GiB\n"
)
WORKS = "".join(f"item {'abcdefghij'[n % 10] * (n % 7 + 2)}: prepared, fitted and written\n" for n in range(30))
SKIPPED = "[ERROR] item xy: no data in the period\n"


@pytest.mark.parametrize(
    ("behind", "cause"),
    [(WORKS + SKIPPED + WORKS, False), (WORKS + SKIPPED, True)],
    ids=["a complaint amid much", "a complaint at the end"],
)
def test_what_was_caught_long_before_the_end(behind: str, cause: bool, report_of: ReportOf) -> None:
    assert (report_of({"run.log": UP_TO + CAUGHT + behind}).verdict.cls == "gpu-oom") is cause


UP_TO = "reading the settings\nusing the first device\n"
MISSING = "bris - WARNING - Error during cleanup of /scratch/a57.npy: [Errno 2] No such file or directory: '/scratch/a57.npy'\n"


@pytest.mark.parametrize(
    ("behind", "on"),
    [("2026-01-02 03:04:06,678 - bris - INFO - the instance is done after 57.0s\n", True), ("", False)],
    ids=["the logger speaks on", "its last word"],
)
def test_a_logger_that_warns_and_goes_on(behind: str, on: bool, report_of: ReportOf) -> None:
    report = report_of({"run.log": f"{STEPS}2026-01-02 03:04:05,678 - {MISSING}{behind}"})
    assert (report.verdict.cls != "data") is on


def test_the_commands_behind_one_that_was_killed(report_of: ReportOf) -> None:
    killed = "/var/spool/slurm/job57/slurm_script: line 19: 4821 Killed                  python main.py\n"
    behind = "python: can't open file 'plot.py': [Errno 2] No such file or directory\n"
    oom = "slurmstepd: error: Detected 1 oom-kill event(s) in step 57.batch cgroup.\n"
    assert report_of({"slurm-57.out": STEPS + killed + behind + oom}).verdict.cls == "host-oom"
    assert report_of({"slurm-57.out": STEPS + behind}).verdict.cls == "config"


def test_numbers_that_were_gone_long_before_the_end(report_of: ReportOf) -> None:
    gone = "".join(
        f"{{'loss': 0.0, 'grad_norm': nan, 'learning_rate': 2e-05, 'epoch': {n / 10}}}\n" for n in range(4, 30)
    )
    good = "{'loss': 1.57, 'grad_norm': 2.3, 'learning_rate': 2e-05, 'epoch': 0.1}\n" * 3
    done = "{'train_runtime': 1822.8, 'train_loss': 0.07, 'epoch': 3.0}\nTraining complete\n"
    assert report_of({"run.log": good + gone + done}).verdict.cls == "software"
    assert report_of({"run.log": good + gone + good * 40 + done}).verdict.cls == "healthy"


def test_a_job_that_says_of_itself_that_it_met_an_error(report_of: ReportOf) -> None:
    said = "2026-01-02 03:04:05 - eval - ERROR - Error {what}: CUDA out of memory. Tried to allocate 5.70 GiB\n"
    done = (
        "2026-01-02 03:04:05 - eval - INFO - Job completed.\n2026-01-02 03:04:05 - eval - INFO - All jobs completed.\n"
    )
    assert report_of({"run.log": STEPS + said.format(what="executing job") + done}).verdict.cls == "gpu-oom"


def test_a_pipeline_that_failed_behind_a_stage_that_was_done(report_of: ReportOf) -> None:
    raised = (
        'Traceback (most recent call last):\n  File "/opt/job/wrapper.py", line 57, in wrapper\n    plot()\n'
        "ValueError: clusters are required for the plot\n"
    )
    out = STEPS + "Training complete\nStarting the plots...\n{said}\nTotal execution time: 57.1 seconds\n"
    said = "RNA pipeline failed: clusters are required for the plot"
    assert report_of({"job.err": raised, "job.out": out.format(said=said)}).verdict.cls != "healthy"
    assert report_of({"job.err": "", "job.out": out.format(said="the plots are there")}).verdict.cls == "healthy"


def test_what_a_client_quotes_of_its_server(report_of: ReportOf) -> None:
    """The server had raised it, and worked on."""
    own = "copy of the tensor failed: it cannot be larger than 8 dimensions, error code 161002"
    served = (
        'Traceback (most recent call last):\n  File "/opt/serve/chat.py", line 57, in handle\n    run()\n'
        f"RuntimeError: {own}\nINFO: the request is answered\n"
    )
    asked = (
        'Traceback (most recent call last):\n  File "/opt/job/ask.py", line 57, in <module>\n    ask()\n'
        f'AssertionError: {{"object":"error","message":"Internal server error: {own}","code":500}}\n'
    )
    first = report_of({"serve.log": served + asked}).verdict.first_evidence
    assert first is not None and first.text.startswith("RuntimeError: ")
