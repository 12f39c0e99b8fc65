"""Scripts that run one program after the other: whose failure it is, and whose word of completion."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def _raised(script: str, said: str) -> str:
    return f'Traceback (most recent call last):\n  File "/opt/job/{script}", line 57, in <module>\n    main()\n{said}\n'


RULE, THIN = "=" * 60, "-" * 60


def _launched(script: str, said: str, clock: str) -> str:
    """What ranks raise under torchrun, and its own word."""
    ranks = "".join(f"[rank{r}]: {line}\n" for r in (0, 1) for line in _raised(script, said).splitlines())
    launcher = (
        f"E0102 {clock}.678000 4242 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: 1) "
        "local_rank: 0 (pid: 4243) of binary: /opt/venv/bin/python\n"
        'Traceback (most recent call last):\n  File "/opt/venv/bin/torchrun", line 8, in <module>\n    sys.exit(main())\n'
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n"
        f"{RULE}\n{script} FAILED\n{THIN}\nFailures:\n  <NO_OTHER_FAILURES>\n{THIN}\n"
        f"Root Cause (first observed failure):\n[0]:\n  time      : 2031-01-02_{clock}\n  host      : gn01\n"
        "  rank      : 0 (local_rank: 0)\n  exitcode  : 1 (pid: 4243)\n  error_file: <N/A>\n"
        f"  traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html\n{RULE}\n"
    )
    starts = f"W0102 {clock}.000000 4242 torch/distributed/run.py:774] Setting OMP_NUM_THREADS environment variable\n"
    return f"{starts}{ranks}{launcher}"


FULL = _launched("mid_train.py", "OSError: Not enough disk space. Needed: 57 GiB", "03:04:05")
LACKS = "FileNotFoundError: [Errno 2] No such file or directory: '/mnt/run57/mid_checkpoints'"


@pytest.mark.parametrize(
    ("later", "cls"),
    [
        (_launched("chat_sft.py", LACKS, "03:05:05"), "storage-io"),
        (_launched("mid_train.py", LACKS, "03:05:05"), "config"),
    ],
    ids=["the next program lacks what it was to leave", "the same program again"],
)
def test_a_stage_that_lacks_what_the_failed_one_was_to_leave(later: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({"speedrun.log": FULL + later}).verdict.cls == cls


STEPS = "".join(f"epoch {n} | batch 5000 | loss: {5.7 / n:.4f}\n" for n in range(1, 30))
DIED = _raised("finetune.py", "AssertionError: /tmp/57/kitti_raw")


@pytest.mark.parametrize(
    ("files", "healthy"),
    [
        ({"ft.o57": STEPS + "Training finished\n== evaluate\n", "ft.e57": DIED}, False),
        ({"run_logs.log": STEPS + "Training finished\n== evaluate\n", "run_errors.err": DIED}, False),
        ({"ft.o57": STEPS + "Training finished\n== evaluate\n", "ft.e57": "cannot plot\n" * 3}, True),
        ({"job.out": STEPS + "+ echo training complete\ntraining complete\n"}, True),
        ({"job.out": STEPS + DIED + "+ echo training complete\ntraining complete\n"}, False),
    ],
    ids=[
        "raised in the other stream",
        "in its plural",
        "a complaint there",
        "a script's own word",
        "said behind an exception",
    ],
)
def test_a_word_of_completion_of_one_program_of_several(
    files: Mapping[str, str], healthy: bool, report_of: ReportOf
) -> None:
    assert (report_of(files).verdict.cls == "healthy") is healthy


BY_HAND = "UserWarning: Detected KeyboardInterrupt, attempting graceful shutdown...\n"


@pytest.mark.parametrize(
    "text", [BY_HAND + "Training finished\n", "Training finished\n" + BY_HAND], ids=["behind", "above"]
)
def test_a_training_that_somebody_interrupted_beside_a_word_of_completion(text: str, report_of: ReportOf) -> None:
    assert report_of({"train.log": STEPS + text}).verdict.cls == "infrastructure"


def test_a_job_that_put_itself_back_into_the_queue(report_of: ReportOf) -> None:
    start = "".join(f"Initializing distributed: GLOBAL_RANK: {r}, MEMBER: {r + 1}/2\n" for r in (0, 1))
    stopped = (
        "slurmstepd: error: *** STEP 4821.0 ON gn01 CANCELLED AT 2026-01-02T03:04:05 DUE TO PREEMPTION ***\n"
        "requeing job 4821...\nRequeued SLURM job: 4821\nsrun: error: gn01: tasks 0-1: Killed\n"
    )
    text = start + STEPS + stopped + start + STEPS + "`Trainer.fit` stopped: `max_epochs=30` reached.\n"
    assert report_of({"slurm-4821.out": text}).verdict.cls == "healthy"


@pytest.mark.parametrize(
    ("said", "cls", "line"),
    [
        ("--- FAILED: rank 0 had 57 incorrect values\n--- FAILED: rank 1 had 57 incorrect values\n", "software", 31),
        (" Verification    =             UNSUCCESSFUL\n", "software", 31),
        (" Verification    =               SUCCESSFUL\n", "healthy", None),
    ],
    ids=["of each rank", "NAS", "well"],
)
def test_a_program_s_own_check_of_its_result(said: str, cls: str, line: int | None, report_of: ReportOf) -> None:
    verdict = report_of({"job.out": STEPS + "the work took 57 s\n" + said}).verdict
    assert verdict.cls == cls
    assert (verdict.first_evidence.line if verdict.first_evidence and cls != "healthy" else None) == line


def test_a_tool_that_could_not_print_is_no_cause(report_of: ReportOf) -> None:
    text = "sleep: write error: Disk quota exceeded\n" * 5 + _raised(
        "serve.py", "ImportError: libfoo57.so: undefined symbol: f57"
    )
    assert report_of({"serve.err": text}).verdict.cls != "storage-io"
