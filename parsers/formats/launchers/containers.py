"""What gives a job its environment and refuses: Singularity and Apptainer, Docker, environment modules, conda."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

_STORED = r"(?i:no space left|input/output error|stale file handle|disk quota exceeded|read-only file system)"

CONTAINERS = (
    Pattern(
        name="singularity.fatal",
        anchors=("FATAL:   ",),
        regex=rf"^FATAL: {{3}}(?P<message>(?!.{{0,600}}{_STORED})\S.{{0,600}})",
        samples=(
            Sample(
                "FATAL:   could not open image /mnt/job57.sif: no such file or directory",
                {"message": "could not open image /mnt/job57.sif: no such file or directory"},
            ),
            Sample(
                "FATAL:   container creation failed: mount hook function failure: destination /data7 doesn't exist in container"
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=64,
        marks=(Mark.COMMAND,),
        title="the container could not be started: {message}",
        note="Singularity's and Apptainer's own words.",
    ),
    Pattern(
        name="singularity.storage",
        anchors=("FATAL:   ",),
        regex=rf"^FATAL: {{3}}(?P<message>.{{0,600}}?{_STORED})",
        samples=(
            Sample("FATAL:   While making image from oci registry: write /tmp/rootfs-57: no space left on device"),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=66,
        marks=(Mark.COMMAND,),
        title="the container could not be started: {message}",
    ),
    Pattern(
        name="docker.refused",
        anchors=("Error response from daemon: ",),
        regex=r"(?:^|: )Error response from daemon: (?P<message>\S.{0,600})",
        samples=(
            Sample(
                'docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].',
                {"message": 'could not select device driver "" with capabilities: [[gpu]].'},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=58,
        marks=(Mark.COMMAND,),
        title="Docker refused: {message}",
        note="Without the NVIDIA Container Toolkit there is no driver for GPUs.",
    ),
)

ENVIRONMENTS = (
    Pattern(
        name="modules.unknown",
        anchors=("Unable to locate a modulefile for ", "The following module(s) are unknown: "),
        regex=r"(?:Unable to locate a modulefile for|The following module\(s\) are unknown:) ['\"](?P<module>[^'\"]{1,200})",
        samples=(
            Sample("ERROR: Unable to locate a modulefile for 'cuda/57.1'", {"module": "cuda/57.1"}),
            Sample(
                'Lmod has detected the following error:  The following module(s) are unknown: "cuda/57.1"',
                {"module": "cuda/57.1"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=48,
        marks=(Mark.COMMAND,),
        title="the module {module} is not there",
        note="The script goes on without it.",
        advice=(
            Advice("training", "`module avail` and `module spider` name what the node has in the place of {module}"),
        ),
    ),
    Pattern(
        name="conda.no_environment",
        anchors=("EnvironmentNameNotFound: ", "EnvironmentLocationNotFound: ", "CondaError: Run 'conda init'"),
        regex=r"^\s{0,8}(?:Environment(?:Name|Location)NotFound: (?:Could not find conda environment: |Not a conda environment: )?(?P<environment>\S{1,300})|CondaError: Run 'conda init')",
        samples=(
            Sample("EnvironmentNameNotFound: Could not find conda environment: job57", {"environment": "job57"}),
            Sample("CondaError: Run 'conda init' before 'conda activate'"),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=50,
        marks=(Mark.COMMAND,),
        title="the conda environment[ {environment}] is not there",
        note="The script goes on in another one.",
    ),
)

FORMAT = LineFormat(
    name="containers",
    title="Singularity, Apptainer, Docker, modules, conda",
    reference="apptainer/apptainer pkg/sylog and internal/pkg/runtime; moby/moby daemon; "
    "envmodules/modules; TACC/Lmod; conda/conda exceptions.py",
    patterns=(*CONTAINERS, *ENVIRONMENTS),
)
