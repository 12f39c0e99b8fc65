"""Training that goes on without numbering its steps, and processes that leave of their own accord."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

IMPORT = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/kernels.py", line 9, in <module>\n'
    "    import apex\n"
    "ModuleNotFoundError: No module named 'apex'\n"
)
LOSS = "{{'loss': {loss}, 'grad_norm': 0.5712, 'learning_rate': 2.5712e-05, 'epoch': {epoch}}}\n"
STEP = "2026-11-21 04:{n:02d}:00,000 INFO train: step {n} loss 2.31 step_time 60.0s\n"
LEFT = (
    "[rank0]:[W1121 04:20:01.112358132 ProcessGroupNCCL.cpp:1524] Warning: WARNING: destroy_process_group() was not called "
    "before program exit, which can leak resources. (function operator())\n"
)
LOST = (
    "[rank3]:[W1121 04:20:02.112358132 TCPStore.cpp:125] [c10d] recvValue failed on SocketImpl(fd=63, addr=[node001]:38000, "
    "remote=[node000]:29500): failed to recv, got 0 bytes\n"
)


def test_loss_lines_without_a_number_show_that_training_went_on(report_of: ReportOf) -> None:
    verdict = report_of({"run.log": IMPORT + "".join(LOSS.format(loss=2.5, epoch=n / 10) for n in range(9))}).verdict
    assert (verdict.cls, verdict.rule) == ("healthy", "no-failure")


def test_an_import_that_ended_the_program(report_of: ReportOf) -> None:
    assert report_of({"run.log": LOSS.format(loss=2.5, epoch=0.1) * 2 + IMPORT}).verdict.cls == "software"


def test_so_does_one_that_is_first_needed_behind_the_training(report_of: ReportOf) -> None:
    steps = "".join(STEP.format(n=n) for n in range(9))
    assert report_of({"run.log": steps + IMPORT + "100% 5/5 [00:36<00:00,  7.25s/it]\n"}).verdict.cls == "software"
    assert report_of({"run.log": IMPORT + steps}).verdict.cls == "healthy"


def test_the_store_goes_with_the_process_that_holds_it(report_of: ReportOf) -> None:
    steps = "".join(STEP.format(n=n) for n in range(9))
    assert report_of({"run.log": steps + LEFT + LOST}).verdict.cls == "healthy"
    assert report_of({"run.log": steps + LOST}).verdict.cls == "unknown"


def test_a_program_before_the_job_ended_well(report_of: ReportOf) -> None:
    early = report_of({"run.log": "+ EXIT_CODE=0\n" + "loading the data, no more is known\n" * 400}).verdict
    late = report_of({"run.log": "loading the data, no more is known\n" * 400 + "+ EXIT_CODE=0\n"}).verdict
    assert (early.cls, early.confidence) == ("healthy", "medium")
    assert (late.cls, late.confidence) == ("healthy", "high")


def test_pages_between_two_steps_are_no_silence(report_of: Callable[[Mapping[str, str]], Report]) -> None:
    """Of many steps only some are read: what the program prints after the last of those may be long."""
    page = "".join(
        f"the answer says in its line that the weather is fine, part {'abcdefgh'[n % 8]}\n" for n in range(50)
    )
    steps = "".join(f"{page}Epoch:[1/1]({n}/57), Reward: -1.{n}, Learning Rate: 0.0{n}\n" for n in range(1, 58))
    assert report_of({"train.log": steps}).verdict.cls == "healthy"


PREPARED = "++ srun --ntasks=1 describe-system.sh\nsrun: error: node007: task 0: Exited with exit code 1\n"
LAUNCHED = "+ srun --ntasks=8 python train.py\n"
ENDED = "ENDING TIMING RUN AT 2026-11-21 04:20:00 AM\n"


def test_a_step_of_the_script_that_failed_before_the_training_did_not_fail_the_job(report_of: ReportOf) -> None:
    steps = "".join(STEP.format(n=n) for n in range(9))
    assert report_of({"run.log": PREPARED + LAUNCHED + steps + ENDED}).verdict.cls == "healthy"


def test_a_task_that_failed_after_the_last_start_did(report_of: ReportOf) -> None:
    steps = "".join(STEP.format(n=n) for n in range(9))
    assert report_of({"run.log": LAUNCHED + PREPARED.splitlines()[1] + "\n" + steps + ENDED}).verdict.cls != "healthy"


def test_a_job_that_grew_slower_and_was_seen_off_is_well(report_of: ReportOf) -> None:
    begin = datetime(2026, 11, 21, 2, 0)
    clock = [begin + timedelta(seconds=n if n < 200 else 200 + (n - 200) * 8) for n in range(400)]
    steps = "".join(f"{t:%Y-%m-%d %H:%M:%S},000 INFO train: step {n} loss 2.31\n" for n, t in enumerate(clock))
    assert report_of({"run.log": steps}).verdict.cls == "slow-training"
    assert report_of({"run.log": steps + LEFT}).verdict.cls == "healthy"


def test_an_import_that_ends_the_other_stream_ended_a_process(report_of: ReportOf) -> None:
    out = "".join(STEP.format(n=n) for n in range(20)) + "Training completed!\n\nPHASE 2: evaluation\n"
    dated = "2026-11-21 04:30:00,000 INFO evaluate: 57 tasks\n"
    went_on = report_of({"job-57.out": out, "job-57.err": dated + IMPORT + "falling back to the kernels of PyTorch\n"})
    ended = report_of({"job-57.out": out, "job-57.err": dated + IMPORT})
    assert (went_on.verdict.cls, ended.verdict.cls) == ("healthy", "software")
    assert ended.verdict.first_evidence is not None and ended.verdict.first_evidence.file == "job-57.err"
