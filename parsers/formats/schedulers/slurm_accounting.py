"""SLURM's accounting: rows of `sacct` and `squeue` that say how a job ended."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

_ROW = r"^ {0,20}(?P<job_id>\d{1,10})(?:[_+]\d{1,6})? +(?:\S{1,80} +){0,8}?"
"""The job's own row; those of its steps have a dot behind its number."""
_CODE = r"(?= +(?:\S{1,80} +){0,8}?\d{1,3}:\d{1,3}\b)"

FORMAT = LineFormat(
    name="slurm_accounting",
    title="SLURM accounting",
    reference="slurm src/sacct/print.c, 20 to 24; states of man sacct",
    patterns=(
        Pattern(
            name="sacct.node_fail",
            anchors=("NODE_FAIL ", "BOOT_FAIL "),
            regex=_ROW + r"(?P<state>NODE_FAIL|BOOT_FAIL)" + _CODE,
            samples=(Sample("4821               train        gpu  NODE_FAIL      0:0", {"state": "NODE_FAIL"}),),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=72,
            title="a node of the job failed",
        ),
        Pattern(
            name="sacct.memory",
            anchors=("OUT_OF_ME",),
            regex=_ROW + r"(?P<state>OUT_OF_ME\w*\+?)" + _CODE,
            samples=(Sample("4821           OUT_OF_ME+    0:125", {"job_id": "4821", "state": "OUT_OF_ME+"}),),
            role=Role.CAUSE,
            cls=FailureClass.HOST_OOM,
            weight=72,
            title="the job's memory limit ended it",
        ),
        Pattern(
            name="sacct.time_limit",
            anchors=(" TIMEOUT ", " DEADLINE "),
            regex=_ROW + r"(?P<state>TIMEOUT|DEADLINE)" + _CODE,
            samples=(Sample("4821            TIMEOUT      0:0", {"state": "TIMEOUT"}),),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=66,
            marks=(Mark.TIME_LIMIT,),
            title="the job ran into its time limit",
        ),
        Pattern(
            name="sacct.preempted",
            anchors=("PREEMPTED ",),
            regex=_ROW + r"(?P<state>PREEMPTED)" + _CODE,
            samples=(Sample("4821          PREEMPTED      0:0", {"state": "PREEMPTED"}),),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=66,
            title="the job was preempted",
        ),
        Pattern(
            name="sacct.exit_code",
            anchors=(".batch ",),
            regex=r"^ {0,20}\d{1,10}(?:[_+]\d{1,6})?\.batch +(?:\S{1,80} +){1,12}(?P<exitcode>[1-9]\d{0,2}):\d{1,3}\s*$",
            samples=(
                Sample("4821.batch      batch      train          1     FAILED      2:0 ", {"exitcode": "2"}),
                Sample(
                    "4821.batch    batch      1        1   00:00:00          0   00:57:01    127:0 ",
                    {"exitcode": "127"},
                ),
            ),
            role=Role.SYMPTOM,
            marks=(Mark.EXIT_CODE,),
            title="the batch script ended with an exit code",
            note="That of its last command; what stands behind the colon is a signal.",
        ),
    ),
)
