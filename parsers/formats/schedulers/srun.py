"""srun on the batch host: which task of which node ended how, and what srun did about it."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Source, Trait
from logtui.parsers.remedies import LESS_ON_HOST

_TASK = r"(?:srun|salloc): error: (?P<hosts>[\w.,\[\]-]+): tasks? (?P<tasks>[\d,-]+): "

TASKS = (
    Pattern(
        name="srun.task_oom",
        anchors=(": Out Of Memory",),
        regex=_TASK + r"(?P<status>Out Of Memory)",
        samples=(
            Sample(
                "srun: error: node007: task 57: Out Of Memory",
                {"hosts": "node007", "tasks": "57", "status": "Out Of Memory"},
            ),
            Sample("srun: error: node007: tasks 1-3: Out Of Memory", {"tasks": "1-3"}),
        ),
        role=Role.CAUSE,
        unsigned=True,
        marks=(Mark.NAMES_TASKS, Mark.TASK_EXIT),
        cls=FailureClass.HOST_OOM,
        weight=86,
        title="a task was killed for lack of host memory",
        advice=(
            Advice(
                "infrastructure",
                "ask for more memory per node or rank (--mem, --mem-per-cpu)[; it was used up on {host}]",
            ),
            *LESS_ON_HOST,
        ),
    ),
    Pattern(
        name="srun.task_crashed",
        anchors=(": Segmentation fault", ": Bus error", ": Floating point exception", ": Illegal instruction"),
        regex=_TASK
        + r"(?P<status>Segmentation fault|Bus error|Floating point exception|Illegal instruction)(?P<core> \(core dumped\))?",
        samples=(
            Sample(
                "srun: error: node007: task 0: Segmentation fault (core dumped)",
                {"hosts": "node007", "tasks": "0", "status": "Segmentation fault"},
            ),
        ),
        role=Role.CAUSE,
        unsigned=True,
        marks=(Mark.NAMES_TASKS, Mark.TASK_EXIT),
        cls=FailureClass.SOFTWARE,
        weight=55,
        title="a task crashed",
        note="Before the first `Terminating` line it is the culprit, after it an effect.",
    ),
    Pattern(
        name="srun.task_killed",
        anchors=(": Killed",),
        regex=_TASK + r"(?P<status>Killed)",
        samples=(
            Sample("srun: error: node007: task 7: Killed", {"hosts": "node007", "tasks": "7", "status": "Killed"}),
        ),
        role=Role.CAUSE,
        unsigned=True,
        marks=(Mark.NAMES_TASKS, Mark.TASK_EXIT),
        cls=FailureClass.INFRASTRUCTURE,
        weight=45,
        title="a task was killed with SIGKILL",
        note="Without an OOM line it can be the effect of KillWait's expiry.",
        advice=(
            Advice(
                "infrastructure",
                "look into the kernel log of {hosts} for the OOM killer of that minute; else find out who sent SIGKILL",
            ),
        ),
    ),
    Pattern(
        name="srun.task_aborted",
        anchors=(": Aborted",),
        regex=_TASK + r"(?P<status>Aborted)(?P<core> \(core dumped\))?",
        samples=(Sample("srun: error: node007: task 7: Aborted (core dumped)", {"tasks": "7", "status": "Aborted"}),),
        role=Role.STATE,
        unsigned=True,
        marks=(Mark.NAMES_TASKS,),
        title="a task aborted",
        note="Usually the watchdog's abort on every rank; order says little.",
    ),
    Pattern(
        name="srun.task_exit",
        anchors=(": Exited with exit code ",),
        regex=_TASK + r"(?P<status>Exited with exit code (?!143\b|15\b|137\b)(?P<exitcode>\d+))",
        samples=(
            Sample(
                "srun: error: node007: task 57: Exited with exit code 1",
                {"hosts": "node007", "tasks": "57", "exitcode": "1"},
            ),
        ),
        role=Role.CAUSE,
        unsigned=True,
        marks=(Mark.NAMES_TASKS, Mark.EXIT_CODE, Mark.TASK_EXIT),
        cls=FailureClass.SOFTWARE,
        weight=30,
        title="a task exited with an error",
        note="A task is a rank only where one task runs one rank; with a torchrun per node it is the node.",
    ),
    Pattern(
        name="srun.task_terminated",
        anchors=(": Terminated", ": Exited with exit code "),
        regex=_TASK + r"(?P<status>Terminated|Exited with exit code (?:143|15|137)\b)",
        samples=(
            Sample(
                "srun: error: node012: tasks 24-27: Terminated",
                {"hosts": "node012", "tasks": "24-27", "status": "Terminated"},
            ),
        ),
        role=Role.SYMPTOM,
        unsigned=True,
        marks=(Mark.NAMES_TASKS,),
        title="tasks were terminated",
    ),
)

REACTIONS = (
    Pattern(
        name="srun.terminating",
        anchors=(
            "srun: Terminating StepId=",
            "srun: Terminating job step ",
            "Force Terminated StepId=",
            "Force Terminated job step ",
            "forcing job termination",
        ),
        regex=r"srun: (?:(?:Force Terminated|Terminating) (?:StepId=|job step )(?P<job_id>\d+)|forcing job termination)",
        samples=(
            Sample("srun: Terminating StepId=4821.0", {"job_id": "4821"}),
            Sample("srun: Force Terminated job step 4821.0", {"job_id": "4821"}),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.ENDS,),
        title="srun terminates the step",
        note="The task line just before it names the culprit.",
    ),
    Pattern(
        name="srun.aborted",
        anchors=("srun: Job step aborted",),
        regex=r"srun: Job step aborted(?:: Waiting up to (?P<seconds>\d+) seconds)?",
        samples=(
            Sample("srun: Job step aborted: Waiting up to 32 seconds for job step to finish.", {"seconds": "32"}),
        ),
        role=Role.SYMPTOM,
        title="srun aborts the step",
    ),
    Pattern(
        name="srun.step_stuck",
        anchors=("Timed out waiting for job step to complete",),
        regex=r"srun: error: Timed out waiting for job step to complete",
        samples=(Sample("srun: error: Timed out waiting for job step to complete"),),
        role=Role.STATE,
        title="processes did not end when killed",
        note="Stuck in the kernel: file system or GPU.",
    ),
)

INFRASTRUCTURE = (
    Pattern(
        name="srun.node_failure",
        anchors=("error: Node failure on ",),
        regex=r"(?:srun|salloc): error: Node failure on (?P<hosts>[\w.,\[\]-]+)",
        samples=(Sample("srun: error: Node failure on node007", {"hosts": "node007"}),),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=82,
        title="a node failed",
        advice=(
            Advice(
                "infrastructure",
                "resubmit from the last complete checkpoint without {hosts}: --exclude={hosts}; sinfo -R and its "
                "BMC say why it failed",
            ),
        ),
    ),
    Pattern(
        name="srun.node_lost",
        anchors=("io error with slurmstepd on node ", "Cannot communicate with node "),
        regex=r"(?:io error with slurmstepd on|Cannot communicate with) node (?P<node_rank>\d+)",
        samples=(
            Sample(
                "srun: error: step_launch_notify_io_failure: aborting, io error with slurmstepd on node 7",
                {"node_rank": "7"},
            ),
            Sample("srun: error: Cannot communicate with node 7.  Aborting job.", {"node_rank": "7"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=72,
        title="srun lost the connection to a node",
        note="The number is the node's index in the job.",
    ),
    Pattern(
        name="srun.launch_failed",
        anchors=("Task launch for ", "Application launch failed: "),
        regex=r"(?:Task launch for \S+ failed on node (?P<hosts>[\w.-]+)|Application launch failed): (?P<reason>.+)",
        samples=(
            Sample(
                "srun: error: Task launch for StepId=4821.0 failed on node node007: Communication connection failure",
                {"hosts": "node007", "reason": "Communication connection failure"},
            ),
            Sample("srun: error: Application launch failed: Communication connection failure", {}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=76,
        title="tasks could not be launched on a node",
    ),
    Pattern(
        name="srun.step_refused",
        anchors=("Unable to create step for job ",),
        regex=r"error: Unable to create step for job (?P<job_id>\d+): (?P<reason>.+)",
        samples=(
            Sample(
                "srun: error: Unable to create step for job 4821: More processors requested than permitted",
                {"job_id": "4821", "reason": "More processors requested than permitted"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.COMMAND,),
        cls=FailureClass.CONFIG,
        weight=72,
        title="SLURM refused the step",
        advice=(Advice("training", "ask for what the partition can give: {reason}"),),
    ),
    Pattern(
        name="srun.no_allocation",
        anchors=("Unable to confirm allocation for job ", "Expired or invalid job "),
        regex=r"(?:srun|salloc): error: Unable to confirm allocation for job (?P<job_id>\d+): (?P<reason>.+)|Expired or invalid job (?P<job>\d+)",
        samples=(
            Sample(
                "srun: error: Unable to confirm allocation for job 4821: Socket timed out on send/recv operation",
                {"job_id": "4821", "reason": "Socket timed out on send/recv operation"},
            ),
            Sample("srun: Check SLURM_JOB_ID environment variable. Expired or invalid job 4821", {"job": "4821"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=70,
        title="SLURM's controller did not confirm the job",
        note="Busy, out of reach, or the job had ended before.",
    ),
    Pattern(
        name="srun.allocation_gone",
        anchors=("srun: Force Terminated job ", " has been revoked"),
        regex=r"srun: Force Terminated job (?P<job_id>\d+)\b|(?:salloc|srun): (?:error: )?Job allocation (?P<job>\d+) has been revoked",
        samples=(
            Sample("srun: Force Terminated job 4821", {"job_id": "4821"}),
            Sample("salloc: Job allocation 4821 has been revoked.", {"job": "4821"}),
        ),
        role=Role.CAUSE,
        marks=(Mark.ENDS,),
        cls=FailureClass.INFRASTRUCTURE,
        weight=44,
        title="SLURM took the job's nodes back",
        note="Its time was over, or somebody cancelled it.",
    ),
    Pattern(
        name="srun.not_booted",
        anchors=("Something is wrong with the boot of the nodes", " are still not ready"),
        regex=r"(?:srun|salloc): error: (?:Something is wrong with the boot of the nodes|Nodes (?P<hosts>[\w.,\[\]-]+) are still not ready)",
        samples=(
            Sample("salloc: error: Nodes node007 are still not ready", {"hosts": "node007"}),
            Sample("srun: error: Something is wrong with the boot of the nodes."),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=70,
        title="nodes of the job did not get ready",
    ),
    Pattern(
        name="srun.step_waits",
        anchors=("step creation temporarily disabled, retrying",),
        regex=r"Job (?P<job_id>\d+) step creation temporarily disabled, retrying",
        samples=(
            Sample(
                "srun: Job 4821 step creation temporarily disabled, retrying (Requested nodes are busy)",
                {"job_id": "4821"},
            ),
        ),
        role=Role.NOISE,
        bulk=True,
        note="Another step still owns the nodes: waiting, not failing.",
    ),
    Pattern(
        name="srun.ended_before",
        anchors=("Job/step already completing or completed",),
        regex=r"(?:srun|salloc|sbatch): error: (?:[\w ]{1,60}: )?Job/step already completing or completed",
        samples=(Sample("srun: error: Unable to allocate resources: Job/step already completing or completed"),),
        role=Role.SYMPTOM,
        title="the job had ended before",
        note="What srun says of a job that was cancelled while it waited.",
    ),
    Pattern(
        name="srun.refused",
        anchors=(
            "error: Unable to allocate resources: ",
            "error: Batch job submission failed: ",
            "error: Invalid generic resource ",
        ),
        regex=r"(?:srun|salloc|sbatch): error: (?![^\n]{0,60}Job/step already complet)"
        r"(?:(?:Unable to allocate resources|Batch job submission failed): )?(?P<reason>(?<=: ).+)",
        samples=(
            Sample(
                "sbatch: error: Invalid generic resource (gres) specification",
                {"reason": "Invalid generic resource (gres) specification"},
            ),
            Sample(
                "sbatch: error: Batch job submission failed: Requested node configuration is not available",
                {"reason": "Requested node configuration is not available"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=70,
        title="SLURM refused the job",
        advice=(Advice("training", "correct what the job asks for: {reason}"),),
    ),
)

FORMAT = LineFormat(
    name="srun",
    title="SLURM: srun, salloc, sbatch",
    reference="SchedMD/slurm src/srun and src/api/step_launch.c, 20.02 to 25.11",
    patterns=TASKS + REACTIONS + INFRASTRUCTURE,
    programs=(
        Program(
            Kind.SCHEDULER,
            ("srun",),
            "slurm",
            outer=90,
            traits=(Trait.JOINS_NODES, Trait.ONE_OUTPUT, Trait.TOGETHER, Trait.NO_SIGN_OF_LIFE),
            source=Source.SCHEDULER,
        ),
    ),
)
