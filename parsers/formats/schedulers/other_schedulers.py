"""PBS, LSF and submitit: limits, kills, preemption and ends."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample
from logtui.parsers.remedies import ROOM_ON_HOST

FORMAT = LineFormat(
    name="other_schedulers",
    title="PBS, LSF and submitit",
    reference="openpbs src/resmom/mom_main.c; IBM Spectrum LSF job reports; submitit core/job_environment.py",
    patterns=(
        Pattern(
            name="submitit.preempted",
            anchors=(": this job is preempted.", ": this job is timed-out."),
            regex=r"Caught signal (?P<signal>\w+) on (?P<hosts>[\w.-]+): this job is (?P<why>preempted|timed-out)\.",
            samples=(
                Sample(
                    "submitit WARNING (2026-01-02 03:04:05,678) - Caught signal SIGUSR2 on node007: this job is preempted.",
                    {"signal": "SIGUSR2", "hosts": "node007", "why": "preempted"},
                ),
                Sample(
                    "submitit WARNING (2026-01-02 03:04:05,678) - Caught signal SIGUSR2 on node007: this job is timed-out.",
                    {"why": "timed-out"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=72,
            title="the scheduler takes the job away",
            note="SLURM's warning signal; submitit saves and asks to be queued again.",
        ),
        Pattern(
            name="pbs.time_limit",
            anchors=("PBS: job killed: walltime ",),
            regex=r"PBS: job killed: walltime (?P<used_s>\d+) exceeded limit (?P<limit_s>\d+)",
            samples=(
                Sample("=>> PBS: job killed: walltime 3657 exceeded limit 3600", {"used_s": "3657", "limit_s": "3600"}),
            ),
            role=Role.CAUSE,
            marks=(Mark.TIME_LIMIT,),
            cls=FailureClass.INFRASTRUCTURE,
            weight=75,
            title="PBS ended the job at its time limit",
        ),
        Pattern(
            name="pbs.memory_limit",
            anchors=("PBS: job killed: mem ", "PBS: job killed: vmem "),
            regex=r"PBS: job killed: v?mem (?P<used>\w+) exceeded limit (?P<limit>\w+)",
            samples=(Sample("=>> PBS: job killed: mem 57000000kb exceeded limit 50000000kb", {"used": "57000000kb"}),),
            role=Role.CAUSE,
            cls=FailureClass.HOST_OOM,
            weight=84,
            title="PBS ended the job at its memory limit",
            advice=ROOM_ON_HOST,
        ),
        Pattern(
            name="pbs.node_failed",
            anchors=("PBS: job killed: node ",),
            regex=r"PBS: job killed: node (?P<node_index>\d+) \((?P<host>[\w.-]+)\)",
            samples=(
                Sample(
                    "=>> PBS: job killed: node 7 (node007) requested job terminate, 'EOF' (code 1099)",
                    {"node_index": "7", "host": "node007"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=76,
            title="PBS lost a node",
        ),
        Pattern(
            name="lsf.time_limit",
            anchors=("TERM_RUNLIMIT: ",),
            regex=r"TERM_RUNLIMIT: job killed after reaching LSF run time limit",
            samples=(Sample("TERM_RUNLIMIT: job killed after reaching LSF run time limit."),),
            role=Role.CAUSE,
            marks=(Mark.TIME_LIMIT,),
            cls=FailureClass.INFRASTRUCTURE,
            weight=75,
            title="LSF ended the job at its time limit",
        ),
        Pattern(
            name="lsf.memory_limit",
            anchors=("TERM_MEMLIMIT: ",),
            regex=r"TERM_MEMLIMIT: job killed after reaching LSF memory usage limit",
            samples=(Sample("TERM_MEMLIMIT: job killed after reaching LSF memory usage limit."),),
            role=Role.CAUSE,
            cls=FailureClass.HOST_OOM,
            weight=84,
            title="LSF ended the job at its memory limit",
            advice=ROOM_ON_HOST,
        ),
        Pattern(
            name="lsf.killed",
            anchors=("TERM_OWNER: ", "TERM_ADMIN: ", "TERM_PREEMPT: "),
            regex=r"TERM_(?P<by>OWNER|ADMIN|PREEMPT): job killed",
            samples=(Sample("TERM_OWNER: job killed by owner.", {"by": "OWNER"}),),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=62,
            title="the job was killed by its owner, an administrator, or for another job",
        ),
        Pattern(
            name="cloud.reclaimed",
            anchors=(
                "Spot ITN received",
                "pot interruption",
                "pot instance interruption",
                "pot Instance interruption",
                "pot termination notice",
                "pot preemption",
                "Interrupted due to spot",
                "reemption notice",
            ),
            regex=r"(?i:spot (?:ITN received|(?:instance )?(?:interruption|termination|preemption)|capacity interruption)"
            r"|\bpreemption notice\b.{0,30}(?:received|detected)|received .{0,30}preemption notice)(?! (?:handler|rate|risk))",
            samples=(
                Sample("INF Spot ITN received. Instance will be interrupted at 2026-01-02T03:04:05Z"),
                Sample("2026-01-02T03:04:05Z agent[57]: Spot interruption notice received, two minutes left"),
                Sample("node007: received a preemption notice from the cloud"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=72,
            title="the cloud took the machine back",
            advice=(Advice("training", "checkpoint on the notice, or use machines that are not reclaimed"),),
        ),
        Pattern(
            name="lsf.exited",
            anchors=("Exited with exit code ",),
            regex=r"^Exited with exit code (?P<exitcode>[1-9]\d*)\.\s*$",
            samples=(Sample("Exited with exit code 57.", {"exitcode": "57"}),),
            role=Role.SYMPTOM,
            marks=(Mark.EXIT_CODE,),
            title="LSF saw the job fail",
        ),
        Pattern(
            name="lsf.reported",
            anchors=("The output (if any) is above this job summary",),
            regex=r"^The output \(if any\) is above this job summary",
            samples=(Sample("The output (if any) is above this job summary."),),
            role=Role.STATE,
            marks=(Mark.ENDS, Mark.REPORTS),
            title="LSF ended its report of a job",
            note="What follows in the same file is another job's.",
        ),
        Pattern(
            name="lsf.completed",
            anchors=("Successfully completed.",),
            regex=r"^Successfully completed\.\s*$",
            samples=(Sample("Successfully completed."),),
            role=Role.END,
            title="LSF: the job completed",
        ),
    ),
)
