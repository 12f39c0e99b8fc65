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
