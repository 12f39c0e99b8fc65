"""SLURM's verdicts: cancellations, limits, preemption, node failures, OOM kills, job states.

`ON node` names the node that prints the line, never the culprit.
"""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import (
    FailureClass,
    Kind,
    Landmark,
    LineFormat,
    Mark,
    Pattern,
    Program,
    Role,
    Sample,
    Source,
    Trait,
)
from logtui.parsers.remedies import LESS_ON_HOST

_UNIT = r"\*\*\* (?P<unit>JOB|STEP) (?P<job_id>\d+)(?:\+\d+)?(?:\.(?P<step_id>\w+))? ON (?P<node>[\w.-]+) CANCELLED AT (?P<when>\S+)"
_HEAD = "slurmstepd: error: *** STEP 4821.0 ON node000 CANCELLED AT 2026-01-02T03:04:05"
_READ = {"unit": "STEP", "job_id": "4821", "step_id": "0", "node": "node000", "when": "2026-01-02T03:04:05"}

CANCELLED = (
    Pattern(
        name="slurm.time_limit",
        anchors=("DUE TO TIME LIMIT",),
        regex=_UNIT + r" DUE TO TIME LIMIT",
        samples=(
            Sample(_HEAD + " DUE TO TIME LIMIT ***", _READ),
            Sample(
                "[2026-01-02T03:04:05.678] error: *** JOB 4821 ON node000 CANCELLED AT 2026-01-02T03:04:05 DUE TO TIME LIMIT ***",
                {"unit": "JOB", "job_id": "4821"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.ENDS, Mark.TIME_LIMIT),
        cls=FailureClass.INFRASTRUCTURE,
        weight=75,
        title="SLURM ended the job at its time limit",
        note="If progress had stopped long before, the hang is the cause and the limit only its end.",
    ),
    Pattern(
        name="psslurm.time_limit",
        anchors=(" CANCELLED DUE TO ",),
        regex=r"\*\*\* (?P<unit>job|step) (?P<job_id>\d+)(?::(?P<step_id>\w+))? CANCELLED DUE TO TIME LIMIT",
        samples=(
            Sample("error: *** job 4821 CANCELLED DUE TO TIME LIMIT ***", {"unit": "job", "job_id": "4821"}),
            Sample("error: *** step 4821:0 CANCELLED DUE TO TIME LIMIT ***", {"unit": "step", "step_id": "0"}),
        ),
        role=Role.CAUSE,
        marks=(Mark.ENDS, Mark.TIME_LIMIT),
        cls=FailureClass.INFRASTRUCTURE,
        weight=75,
        title="SLURM ended the job at its time limit",
        note="ParTec's psslurm in place of slurmd. If progress had stopped long before, the hang is the cause and the limit only its end.",
    ),
    Pattern(
        name="slurm.preempted",
        anchors=("DUE TO PREEMPTION",),
        regex=_UNIT + r" DUE TO PREEMPTION",
        samples=(Sample(_HEAD + " DUE TO PREEMPTION ***", _READ),),
        role=Role.CAUSE,
        marks=(Mark.ENDS,),
        cls=FailureClass.INFRASTRUCTURE,
        weight=78,
        title="SLURM preempted the job",
        advice=(
            Advice(
                "training",
                "checkpoint on the warning signal (--signal=B:USR1@300) and let SLURM requeue the job (--requeue)",
            ),
        ),
    ),
    Pattern(
        name="slurm.node_failure",
        anchors=("DUE TO NODE FAILURE",),
        regex=_UNIT + r" DUE TO NODE FAILURE",
        samples=(Sample(_HEAD + " DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS ***", _READ),),
        role=Role.CAUSE,
        marks=(Mark.ENDS,),
        cls=FailureClass.INFRASTRUCTURE,
        weight=74,
        title="SLURM cancelled the job because a node failed",
        note="The failed node is named by srun's `Node failure on` line, not here.",
        advice=(
            Advice(
                "infrastructure",
                "resubmit from the last complete checkpoint; srun's line `Node failure on` names the node to "
                "leave out (--exclude)",
            ),
        ),
    ),
    Pattern(
        name="slurm.requeued",
        anchors=("DUE TO JOB REQUEUE",),
        regex=_UNIT + r" DUE TO JOB REQUEUE",
        samples=(Sample(_HEAD + " DUE TO JOB REQUEUE ***", _READ),),
        role=Role.CAUSE,
        marks=(Mark.RESTARTS,),
        landmark=Landmark.RESTART,
        cls=FailureClass.INFRASTRUCTURE,
        weight=70,
        title="SLURM requeued the job",
    ),
    Pattern(
        name="slurm.allocated",
        anchors=(" has been allocated resources", ": Granted job allocation "),
        regex=r"^(?:srun|salloc): (?:job (?P<job_id>\d+) has been allocated resources|Granted job allocation (?P<granted>\d+))",
        samples=(
            Sample("srun: job 4821 has been allocated resources", {"job_id": "4821"}),
            Sample("salloc: Granted job allocation 4821", {"granted": "4821"}),
        ),
        role=Role.INFO,
        marks=(Mark.NEW_JOB,),
        title="SLURM gave a job its resources",
        note="An srun inside a job asks for none: the line begins another job.",
    ),
    Pattern(
        name="slurm.task_failure",
        anchors=("DUE TO TASK FAILURE",),
        regex=_UNIT + r" DUE TO TASK FAILURE",
        samples=(Sample(_HEAD + " DUE TO TASK FAILURE ***", _READ),),
        role=Role.SYMPTOM,
        title="SLURM cancelled the step because a task failed",
    ),
    Pattern(
        name="slurm.cancelled",
        anchors=(" CANCELLED AT ",),
        regex=_UNIT + r" (?:\*\*\*|DUE to SIGNAL (?P<signal>\w+))",
        samples=(
            Sample(_HEAD + " ***", _READ),
            Sample(_HEAD + " DUE to SIGNAL Terminated ***", {"signal": "Terminated"}),
        ),
        role=Role.CAUSE,
        marks=(Mark.ENDS,),
        cls=FailureClass.INFRASTRUCTURE,
        weight=40,
        title="SLURM cancelled the job",
        note="scancel, kill-on-bad-exit or a drained node: a consequence where a task failed in the minute before.",
    ),
    Pattern(
        name="slurm.failed",
        anchors=("FAILED (non-zero exit code or other failure mode)",),
        regex=r"\*\*\* (?:JOB|STEP) (?P<job_id>\d+)\S* ON (?P<node>\S+) FAILED \(non-zero exit code",
        samples=(
            Sample(
                "slurmstepd: error: *** STEP 4821.0 ON node000 FAILED (non-zero exit code or other failure mode) ***",
                {"job_id": "4821", "node": "node000"},
            ),
        ),
        role=Role.SYMPTOM,
        title="SLURM: the step failed",
    ),
    Pattern(
        name="slurm.stuck",
        anchors=(" STEPD TERMINATED ON ",),
        regex=r"(?<!\d)(?P<job_id>\d{1,20})\S{0,40} STEPD TERMINATED ON (?P<host>\S{1,256}) AT (?P<when>\S{1,64}) DUE TO (?P<reason>JOB NOT RUNNING|JOB NOT ENDING WITH SIGNALS)",
        samples=(
            Sample(
                "slurmstepd: error: *** JOB 4821 STEPD TERMINATED ON node007 AT 2026-01-02T03:04:05 DUE TO JOB NOT ENDING WITH SIGNALS ***",
                {"job_id": "4821", "host": "node007", "reason": "JOB NOT ENDING WITH SIGNALS"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=60,
        title="processes on a node could not be killed",
        note="Stuck in the kernel: file system or GPU.",
        advice=(Advice("infrastructure", "reboot {host}: processes hang in the kernel, in a file system or a driver"),),
    ),
)

MEMORY_AND_START = (
    Pattern(
        name="slurm.oom_kill",
        anchors=("oom_kill event", "oom-kill event"),
        regex=r"Detected (?P<count>\d+) oom[_-]kill event\S* in (?:StepId=|step )(?P<job_id>\d+)",
        samples=(
            Sample(
                "slurmstepd: error: Detected 1 oom_kill event in StepId=4821.0. Some of the step tasks have been OOM Killed.",
                {"count": "1", "job_id": "4821"},
            ),
            Sample(
                "slurmstepd: error: Detected 2 oom-kill event(s) in StepId=4821.0. Some of your processes may have been killed by "
                "the cgroup out-of-memory handler.",
                {"count": "2"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.HOST_OOM,
        weight=85,
        title="the memory limit of the job killed a process",
        note="No host: the task line that follows names it.",
        advice=(
            Advice(
                "infrastructure",
                "ask for more memory per node or rank (--mem, --mem-per-cpu)[; it was used up on {host}]",
            ),
            *LESS_ON_HOST,
        ),
    ),
    Pattern(
        name="slurm.memory_limit",
        anchors=("exceeded memory limit (", "Exceeded job memory limit", "Exceeded step memory limit"),
        regex=r"(?:[Jj]ob|[Ss]tep) (?P<job_id>\d+)\S* exceeded memory limit \(|Exceeded (?:job|step) memory limit",
        samples=(
            Sample(
                "slurmstepd: error: Job 4821 exceeded memory limit (57000000 > 50000000), being killed",
                {"job_id": "4821"},
            ),
            Sample("slurmstepd: error: Exceeded step memory limit at some point.", {}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.HOST_OOM,
        weight=80,
        title="the job exceeded its memory limit",
        note="Releases before 20.11.",
        advice=(
            Advice(
                "infrastructure",
                "ask for more memory per node or rank (--mem, --mem-per-cpu)[; it was used up on {host}]",
            ),
            *LESS_ON_HOST,
        ),
    ),
    Pattern(
        name="slurm.numactl",
        anchors=("libnuma: Warning: ",),
        regex=r"libnuma: Warning: (?:cpu|node) argument (?P<argument>\S+) is out of range",
        samples=(Sample(" 0: libnuma: Warning: cpu argument 96-103 is out of range", {"argument": "96-103"}),),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=66,
        title="numactl was given processors that the node does not have",
    ),
)

STATES = (
    Pattern(
        name="slurm.job_state",
        anchors=("JobState=",),
        regex=r"JobState=(?P<state>RUNNING|PENDING|COMPLETED|COMPLETING|CONFIGURING|FAILED|CANCELLED|SUSPENDED|REQUEUED) Reason=(?P<reason>\w+)",
        samples=(
            Sample(
                "   JobState=FAILED Reason=NonZeroExitCode Dependency=(null)",
                {"state": "FAILED", "reason": "NonZeroExitCode"},
            ),
        ),
        role=Role.INFO,
    ),
    Pattern(
        name="slurm.job_state_infrastructure",
        anchors=("JobState=",),
        regex=r"JobState=(?P<state>TIMEOUT|PREEMPTED|NODE_FAIL|BOOT_FAIL|DEADLINE|REVOKED)\b",
        samples=(Sample("   JobState=NODE_FAIL Reason=NodeDown Dependency=(null)", {"state": "NODE_FAIL"}),),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=72,
        title="SLURM's state of the job",
    ),
    Pattern(
        name="slurm.job_state_memory",
        anchors=("JobState=",),
        regex=r"JobState=(?P<state>OUT_OF_MEMORY)",
        samples=(Sample("   JobState=OUT_OF_MEMORY Reason=OutOfMemory Dependency=(null)", {"state": "OUT_OF_MEMORY"}),),
        role=Role.CAUSE,
        cls=FailureClass.HOST_OOM,
        weight=80,
        title="SLURM's state of the job: out of memory",
        advice=(
            Advice(
                "infrastructure",
                "ask for more memory per node or rank (--mem, --mem-per-cpu)[; it was used up on {host}]",
            ),
            *LESS_ON_HOST,
        ),
    ),
    Pattern(
        name="slurm.cancelled_by",
        anchors=("CANCELLED by ",),
        regex=r"\bCANCELLED by (?P<uid>\d+)",
        samples=(
            Sample("4821         train      gpu      acct       1024 CANCELLED by 1000      0:0", {"uid": "1000"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=60,
        title="a user cancelled the job",
        note="uid 0 or slurm's is the administrator or the system.",
    ),
    Pattern(
        name="slurm.job_dump",
        anchors=(" JobName=", "NumNodes="),
        regex=r"^\s*JobId=(?P<job_id>\d+) JobName=(?P<job_name>\S+)|\bNumNodes=(?P<nodes>\d+)(?:-\d+)? NumCPUs=",
        samples=(
            Sample("JobId=4821 JobName=pretrain", {"job_id": "4821", "job_name": "pretrain"}),
            Sample("   NumNodes=16 NumCPUs=1024 NumTasks=128 CPUs/Task=8 ReqB:S:C:T=0:0:*:*", {"nodes": "16"}),
        ),
        role=Role.INFO,
        note="scontrol show job.",
    ),
    Pattern(
        name="slurm.node_silent",
        anchors=("not responding",),
        regex=r"error: Nodes? (?P<hosts>[\w.,\[\]-]+) not responding(?P<down>, setting DOWN)?",
        samples=(
            Sample(
                "[2026-01-02T03:04:05.678] error: Nodes node[006-007] not responding, setting DOWN",
                {"hosts": "node[006-007]", "down": ", setting DOWN"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=72,
        title="SLURM lost contact with nodes",
        note="slurmctld says so minutes before the job notices.",
        advice=(Advice("infrastructure", "look at {hosts}: power, kernel log, BMC; resubmit with --exclude={hosts}"),),
    ),
    Pattern(
        name="slurm.daemon_time_limit",
        anchors=("Time limit exhausted for JobId=",),
        regex=r"Time limit exhausted for JobId=(?P<job_id>\d+)",
        samples=(Sample("[2026-01-02T03:04:05.678] Time limit exhausted for JobId=4821", {"job_id": "4821"}),),
        role=Role.CAUSE,
        marks=(Mark.TIME_LIMIT,),
        cls=FailureClass.INFRASTRUCTURE,
        weight=73,
        title="slurmctld: the time limit is exhausted",
    ),
    Pattern(
        name="slurm.epilog",
        anchors=("Epilog failure on host ",),
        regex=r"Epilog failure on host (?P<host>[\w.-]+), setting DOWN",
        samples=(Sample("error: Epilog failure on host node007, setting DOWN", {"host": "node007"}),),
        role=Role.STATE,
        title="slurmctld took a node down after a failed epilog",
    ),
)

FORMAT = LineFormat(
    name="slurm",
    title="SLURM: slurmstepd, slurmctld, scontrol, sacct, pyxis",
    reference="SchedMD/slurm src/slurmd/slurmstepd/req.c and task code, 20.02 to 25.11; NVIDIA/pyxis",
    patterns=CANCELLED + MEMORY_AND_START + STATES,
    programs=(
        Program(
            Kind.SCHEDULER,
            ("slurm",),
            "slurm",
            outer=90,
            traits=(Trait.NO_SIGN_OF_LIFE, Trait.WHOLE_JOB, Trait.STOPS_SURVIVORS),
            source=Source.SCHEDULER,
        ),
    ),
)
