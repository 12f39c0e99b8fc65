"""Words of completion that are the script's, below a program that had died."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

STEPS = "".join(f"epoch 1 step {n} loss {3 - n / 100:.3f}\n" for n in range(10, 60, 10))
RAISED = (
    'Traceback (most recent call last):\n  File "/opt/job/train57.py", line 57, in {function}\n    main()\n'
    '  File "/opt/job/train57.py", line 7, in main\n    widths[57]\n{error}\n'
)
UNCAUGHT = RAISED.format(function="<module>", error="KeyError: 57")
SAID = "Training complete!\n"
NOT_FOUND = "run57.sh: line 7: {}: command not found\n"


@pytest.mark.parametrize(
    ("death", "cls"),
    [
        (UNCAUGHT, "software"),
        (UNCAUGHT + "the environment is left\n" * 30, "healthy"),
        (
            "Error executing job with overrides: ['run=57']\n" + RAISED.format(function="main", error="KeyError: 57"),
            "software",
        ),
        ("usage: train57.py [-h]\ntrain57.py: error: unrecognized arguments: --width57\n", "config"),
        ("python: can't open file '/opt/job/train57.py': [Errno 2] No such file or directory\n", "config"),
        ("2026-01-02 03:04:05,678 ERROR train57.py CUDA out of memory. Tried to allocate 2.00 GiB\n", "gpu-oom"),
        ("2026-01-02 03:04:05,678 WARNING train57.py CUDA out of memory. Tried to allocate 2.00 GiB\n", "healthy"),
        ("slurmstepd: error: *** STEP 4821.0 ON node007 CANCELLED AT 2026-01-02T03:04:05 ***\n", "infrastructure"),
        (RAISED.format(function="<module>", error="KeyboardInterrupt"), "infrastructure"),
        (RAISED.format(function="read", error="KeyboardInterrupt") + "the reader is left\n" * 9, "healthy"),
        ("FATAL: the grid of run57 cannot be read\n", "unknown"),
        ("nothing of note\n", "healthy"),
    ],
    ids=[
        "nobody caught it",
        "far above",
        "Hydra's word",
        "arguments",
        "no script",
        "no memory",
        "warned of no memory",
        "stopped",
        "Ctrl-C",
        "Ctrl-C above",
        "fatal",
        "nothing",
    ],
)
@pytest.mark.parametrize("before", ["", STEPS], ids=["at once", "behind steps"])
def test_what_stands_right_above_a_scripts_last_word(before: str, death: str, cls: str, report_of: ReportOf) -> None:
    verdict = report_of({"job.out": "the job begins\n" + before + death + SAID}).verdict
    assert (verdict.cls == "healthy") is (cls == "healthy")
    assert cls in ("healthy", "unknown") or verdict.cls == cls


def test_commands_that_are_not_there(report_of: ReportOf) -> None:
    missing = "".join(NOT_FOUND.format(name) for name in ("grid57", "mask57", "fit57"))
    assert report_of({"job.out": missing + SAID}).verdict.cls != "healthy"
    assert report_of({"job.out": missing + STEPS + SAID}).verdict.cls == "healthy"


CALLED = (
    'Traceback (most recent call last):\n  File "<frozen runpy>", line 198, in _run_module_as_main\n'
    '  File "/opt/job/all57.py", line 57, in main\n    run(command, check=True)\n'
    "subprocess.CalledProcessError: Command '['eval57', '--all']' returned non-zero exit status 1.\n"
)


@pytest.mark.parametrize(
    ("behind", "cls"), [(CALLED, "software"), (CALLED + "and on\n" * 9, "healthy"), ("", "healthy")]
)
def test_a_program_that_its_script_called_after_another_had_ended(behind: str, cls: str, report_of: ReportOf) -> None:
    lost = RAISED.format(function="ask", error="KeyError: 57")
    assert report_of({"job.log": STEPS + SAID + "the next model\n" * 30 + lost + behind}).verdict.cls == cls


SET = "[2026-01-02T03:04:05.678+0000] {job_runner.py:57} WARNING - State of this instance has been externally set to failed. Terminating instance.\n"
LEFT = "[2026-01-02T03:04:06.678+0000] {process_utils.py:57} INFO - Process 5757 terminated with exit code 0\n"


@pytest.mark.parametrize(("between", "cls"), [(6, "infrastructure"), (60, "healthy")])
def test_a_task_that_airflow_was_told_to_end(between: int, cls: str, report_of: ReportOf) -> None:
    said = "[2026-01-02T03:04:06.078+0000] {process_utils.py:57} INFO - it is tidied up\n"
    assert report_of({"attempt=1.log": STEPS + SET + said * between + LEFT}).verdict.cls == cls
