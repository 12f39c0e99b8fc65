"""HTCondor's job event log: ends, kills, holds and evictions, as it is written beside a job's output."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample
from logtui.parsers.remedies import ROOM_ON_HOST

_EVENT = r"^0\d\d \((?P<job>\d{1,12}\.\d{1,9})\.\d{1,9}\) .{8,40}? "

FORMAT = LineFormat(
    name="htcondor",
    title="HTCondor",
    reference="htcondor src/condor_utils/condor_event.cpp; condor_starter.V6.1/vanilla_proc.cpp; condor_utils/user_job_policy.cpp",
    patterns=(
        Pattern(
            name="htcondor.submitted",
            anchors=(" Job submitted from host: ",),
            regex=_EVENT + r"Job submitted from host: ",
            samples=(
                Sample(
                    "000 (5757.000.000) 2026-01-02 03:04:05 Job submitted from host: <10.0.0.5:9618>",
                    {"job": "5757.000"},
                ),
            ),
            role=Role.STATE,
            marks=(Mark.RESTARTS,),
            title="a job was submitted to HTCondor",
            note="The log is appended to: what stands before it is an earlier job's.",
        ),
        Pattern(
            name="htcondor.completed",
            anchors=("(1) Normal termination (return value 0)",),
            regex=r"^\s{0,8}\(1\) Normal termination \(return value 0\)",
            samples=(Sample("\t(1) Normal termination (return value 0)"),),
            role=Role.END,
            marks=(Mark.ENDS,),
            title="HTCondor: the job completed",
        ),
        Pattern(
            name="htcondor.failed",
            anchors=("ormal termination (",),
            regex=r"^\s{0,8}\([01]\) (?:Normal termination \(return value|Abnormal termination \(signal(?= (?P<signal>\d{1,3})))"
            r" (?P<exitcode>-?[1-9]\d{0,4})\)",
            samples=(
                Sample("\t(1) Normal termination (return value 57)", {"exitcode": "57"}),
                Sample("\t(0) Abnormal termination (signal 9)", {"signal": "9"}),
            ),
            role=Role.SYMPTOM,
            marks=(Mark.ENDS, Mark.EXIT_CODE, Mark.CHILD_EXIT),
            title="HTCondor saw the job fail",
        ),
        Pattern(
            name="htcondor.memory_limit",
            anchors=(
                "Job has gone over ",
                "Job has encountered an out-of-memory event",
                "Your job used too much memory",
            ),
            regex=r"\bYour job used too much memory|\bJob has (?:gone over (?:cgroup )?memory limit of (?P<limit_mb>\d{1,12}) megabytes|encountered an out-of-memory event)",
            samples=(
                Sample(
                    "\tError from slot1_57@node007.cluster: Job has gone over cgroup memory limit of 5700 megabytes. Last measured "
                    "usage: 5701 megabytes.  Consider resubmitting with a higher request_memory.",
                    {"limit_mb": "5700"},
                ),
                Sample("\tJob has encountered an out-of-memory event."),
                Sample("\tError from slot1_57@node007: Your job used too much memory, as measured by ImageSize."),
            ),
            role=Role.CAUSE,
            cls=FailureClass.HOST_OOM,
            weight=84,
            title="HTCondor held the job for the memory it used",
            advice=(*ROOM_ON_HOST, Advice("infrastructure", "raise request_memory of the submit file")),
        ),
        Pattern(
            name="htcondor.time_limit",
            anchors=("The job exceeded allowed ",),
            regex=r"\bThe job exceeded allowed (?P<of>job|execute) duration of (?P<limit>[\d+:]{1,20})",
            samples=(
                Sample("\tThe job exceeded allowed job duration of 2+00:00:00", {"of": "job", "limit": "2+00:00:00"}),
            ),
            role=Role.CAUSE,
            marks=(Mark.TIME_LIMIT,),
            cls=FailureClass.INFRASTRUCTURE,
            weight=75,
            title="HTCondor ended the job at its time limit",
        ),
        Pattern(
            name="htcondor.evicted",
            anchors=(" Job was evicted.",),
            regex=_EVENT + r"Job was evicted\.",
            samples=(Sample("004 (5757.000.000) 2026-01-02 03:04:05 Job was evicted.", {"job": "5757.000"}),),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=62,
            title="HTCondor took the machine away from the job",
            note="For another job or its owner; the job is queued again.",
        ),
        Pattern(
            name="htcondor.not_run",
            anchors=(": Failed to execute '",),
            regex=r"^\s{1,8}Error from [^ \n]{1,120}: Failed to execute '(?P<program>[^'\n]{1,300})'",
            samples=(
                Sample(
                    "\tError from slot1_57@node057: Failed to execute '/data/run57.sh': (errno=13: 'Permission denied')",
                    {"program": "/data/run57.sh"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=74,
            title="HTCondor cannot run {program}",
            advice=(Advice("training", "make {program} executable, and see that the execute nodes see it"),),
        ),
        Pattern(
            name="htcondor.removed",
            anchors=(" Job was aborted",),
            regex=_EVENT + r"Job was aborted(?: by the user)?\.",
            samples=(
                Sample("009 (5757.000.000) 2026-01-02 03:04:05 Job was aborted.", {"job": "5757.000"}),
                Sample("009 (5757.000.000) 01/02 03:04:05 Job was aborted by the user.", {"job": "5757.000"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=62,
            title="the job was removed from HTCondor's queue",
        ),
        Pattern(
            name="htcondor.lost_node",
            anchors=(" Job reconnection failed",),
            regex=_EVENT + r"Job reconnection failed",
            samples=(Sample("024 (5757.000.000) 2026-01-02 03:04:05 Job reconnection failed", {"job": "5757.000"}),),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=70,
            title="HTCondor lost the machine on which the job ran",
        ),
    ),
)
