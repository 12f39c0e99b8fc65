"""Hadoop's MapReduce: what refused a job before it ran."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

FORMAT = LineFormat(
    name="hadoop",
    title="Hadoop MapReduce",
    reference="apache/hadoop UserGroupInformation.java, FileInputFormat.java, FileOutputFormat.java, 1 to 3",
    patterns=(
        Pattern(
            name="hadoop.done",
            anchors=(" completed successfully",),
            regex=r"\bJob job_\w{3,60} completed successfully",
            samples=(
                Sample(
                    "2026-01-02 03:04:05,678 INFO org.apache.hadoop.mapreduce.Job: Job job_local57_0001 completed successfully"
                ),
            ),
            role=Role.END,
            marks=(Mark.ANY_END,),
            title="a MapReduce job completed",
        ),
        Pattern(
            name="hadoop.failed",
            anchors=(" failed with state ",),
            regex=r"\bJob job_\w{3,60} failed with state (?P<state>FAILED|KILLED) due to: ?(?P<why>.{0,200})",
            samples=(
                Sample(
                    "INFO mapreduce.Job: Job job_57_0001 failed with state FAILED due to: Task failed task_57_m_000003",
                    {"state": "FAILED"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=42,
            marks=(Mark.ENDS,),
            title="a MapReduce job failed",
        ),
        Pattern(
            name="hadoop.refused",
            anchors=("ActionException as:",),
            regex=r"Priv(?:i|il)(?:l?edged|eged)ActionException as:\S{1,200} .{0,80}cause:(?:[\w$]{1,60}\.){0,12}"
            r"(?P<what>InvalidInputException|FileAlreadyExistsException|InvalidJobConfException): (?P<msg>.{1,300})",
            samples=(
                Sample(
                    "2026-01-02 03:04:05,678 WARN org.apache.hadoop.security.UserGroupInformation: PriviledgedActionException "
                    "as:ana (auth:SIMPLE) cause:org.apache.hadoop.mapreduce.lib.input.InvalidInputException: Input path does "
                    "not exist: hdfs://node007/in57",
                    {"what": "InvalidInputException"},
                ),
                Sample(
                    "WARN UserGroupInformation: PrivilegedActionException as:ana (auth:SIMPLE) "
                    "cause:org.apache.hadoop.mapred.FileAlreadyExistsException: Output directory out57 already exists",
                    {"what": "FileAlreadyExistsException"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=66,
            marks=(Mark.ENDS, Mark.REFUSED),
            title="Hadoop refused the job: {what}",
        ),
    ),
)
