"""SLURM's own lines: srun on the batch host, slurmstepd on a node.

Source: SchedMD/slurm src/slurmd/slurmstepd/req.c, src/srun; 21.08 to 25.05.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from logtui.parsers.generator.stage import clock
from logtui.parsers.generator.stage.spec import JobSpec

_STATUS = {
    -6: "Aborted (core dumped)", -7: "Bus error (core dumped)", -9: "Killed", -11: "Segmentation fault (core dumped)",
    -15: "Terminated",
}  # fmt: skip


def release(spec: JobSpec) -> tuple[int, int]:
    """The SLURM release that goes with a job of this age."""
    return (25, 5) if spec.version >= (2, 9) else (24, 5) if spec.version >= (2, 4) else (22, 5)


def step(spec: JobSpec) -> str:
    """The step id."""
    return f"{spec.job_id}.0"


def cancelled(spec: JobSpec, node: str, time: float, why: str, what: str = "STEP") -> str:
    """`*** STEP 4821.0 ON node000 CANCELLED AT … DUE TO TIME LIMIT ***`; `why` may be empty."""
    name = f"STEP {step(spec)}" if what == "STEP" else f"JOB {spec.job_id}"
    reason = f" DUE {why}" if why else ""
    return f"slurmstepd: error: *** {name} ON {node} CANCELLED AT {clock.iso(time)}{reason} ***"


def by_signal(spec: JobSpec) -> str:
    """The reason that a plain scancel gives: none before 25.05."""
    return "to SIGNAL Terminated" if release(spec) >= (25, 5) else ""


def by_task(spec: JobSpec) -> str:
    """The reason that a failed task gives: none before 25.05."""
    return "TO TASK FAILURE" if release(spec) >= (25, 5) else ""


def task_line(node: str, tasks: Sequence[int], status: str) -> str:
    """`srun: error: node007: tasks 56-58,63: Killed`."""
    word = "task" if len(tasks) == 1 else "tasks"
    return f"srun: error: {node}: {word} {ranges(tasks)}: {status}"


def status(code: int) -> str:
    """How srun words an exit code; negative for a signal."""
    return _STATUS.get(code, f"Exited with exit code {code}")


def oom_event(spec: JobSpec) -> str:
    """The cgroup handler's line."""
    if release(spec) >= (24, 5):
        return f"slurmstepd: error: Detected 1 oom_kill event in StepId={step(spec)}. Some of the step tasks have been OOM Killed."
    return (
        f"slurmstepd: error: Detected 1 oom-kill event(s) in StepId={step(spec)}. Some of your processes may have been "
        "killed by the cgroup out-of-memory handler."
    )


def ranges(numbers: Iterable[int]) -> str:
    """`0-3,7`: how hostlists fold numbers."""
    runs: list[list[int]] = []
    for n in sorted(numbers):
        if runs and n == runs[-1][1] + 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
