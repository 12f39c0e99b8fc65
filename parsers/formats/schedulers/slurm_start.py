"""SLURM could not start what it was told to: commands, batch scripts, containers."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="slurm_start",
    title="SLURM: starting a command",
    reference="SchedMD/slurm src/slurmd/slurmstepd; NVIDIA/pyxis",
    patterns=(
        Pattern(
            name="slurm.execve",
            anchors=("error: execve(): ",),
            regex=r"error: execve\(\): (?P<path>(?!\S*/slurm_script:).+?): (?P<reason>No such file or directory|Permission denied|Exec format error)",
            samples=(
                Sample(
                    "slurmstepd: error: execve(): /opt/job/run.sh: No such file or directory",
                    {"path": "/opt/job/run.sh", "reason": "No such file or directory"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=72,
            title="the command could not be started on a node",
            note="On one node only: a mount is missing there.",
            advice=(
                Advice(
                    "training",
                    "check that {path} exists on every node: a mount that one of them lacks shows there alone",
                ),
            ),
        ),
        Pattern(
            name="slurm.script_lost",
            anchors=("/slurm_script: ",),
            regex=r"error: execve\(\): (?P<path>\S*/slurm_script): (?P<reason>.+)",
            samples=(
                Sample(
                    "slurmstepd: error: execve(): /var/spool/slurmd/job4821/slurm_script: No such file or directory",
                    {"path": "/var/spool/slurmd/job4821/slurm_script", "reason": "No such file or directory"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=72,
            title="the node's own copy of the batch script is gone",
            note="slurmd's spool directory: cleaned, full, or on a file system that is not mounted.",
        ),
        Pattern(
            name="slurm.container",
            anchors=("error: pyxis: ",),
            regex=r"error: pyxis: (?!    |printing enroot log file|child \d|failed to create container filesystem)(?P<message>\S.*)",
            samples=(
                Sample(
                    "srun: error: pyxis: container start failed with error code: 1",
                    {"message": "container start failed with error code: 1"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=65,
            title="the container could not be started",
        ),
    ),
)
