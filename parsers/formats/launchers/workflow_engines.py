"""Engines that run the steps of a workflow: Nextflow, Cromwell, CWL, Luigi and Airflow, and how each says that a step
failed or all are done. Snakemake's stand in `workflows`."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

FORMAT = LineFormat(
    name="workflow_engines",
    title="Nextflow, Cromwell, CWL runners, Luigi and Airflow",
    reference="nextflow TaskProcessor.groovy, nf-core utils; cromwell WorkflowManagerActor.scala; cwltool main.py; "
    "luigi execution_summary.py; airflow taskinstance.py",
    patterns=(
        Pattern(
            name="nextflow.process_failed",
            anchors=("Error executing process > '",),
            regex=r"Error executing process > '(?P<step>[^']{1,200})'",
            samples=(
                Sample("ERROR ~ Error executing process > 'RNA:TRIM57 (S57)'", {"step": "RNA:TRIM57 (S57)"}),
                Sample("Error executing process > 'TRIM57 (1)'", {"step": "TRIM57 (1)"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=52,
            marks=(Mark.STEP_FAILED,),
            title="Nextflow's process {step} failed",
            note="What its command said stands below, under `Command error:`.",
        ),
        Pattern(
            name="nextflow.passed_over",
            anchors=("-- Execution is retried (", "-- Error is ignored"),
            regex=r"Process `(?P<step>[^`']{1,200})['`] terminated .{1,120} -- (?:Execution is retried|Error is ignored)",
            samples=(
                Sample(
                    "[4f/1ac257] NOTE: Process `TRIM57 (S57)` terminated with an error exit status (137) -- Execution is retried (1)",
                    {"step": "TRIM57 (S57)"},
                ),
                Sample(
                    "[4f/1ac257] NOTE: Process `TRIM57 (S57)` terminated with an error exit status (1) -- Error is ignored",
                    {"step": "TRIM57 (S57)"},
                ),
            ),
            role=Role.STATE,
            title="a step failed, and the workflow goes on",
        ),
        Pattern(
            name="workflow.done",
            anchors=(
                "] Pipeline completed successfully",
                " steps (100%) done",
                "Final process status is success",
                "finished with status 'Succeeded'",
                "This progress looks :) because there were no failed tasks",
                "Marking task as SUCCESS",
            ),
            regex=r"^-\[[\w./-]{1,80}\] Pipeline completed successfully|^\d{1,7} of \d{1,7} steps \(100%\) done|Final process status is success"
            r"|finished with status 'Succeeded'|^This progress looks :\) because there were no failed tasks"
            r"|Marking task as SUCCESS",
            samples=(
                Sample("-[lab57/rna] Pipeline completed successfully-"),
                Sample("57 of 57 steps (100%) done"),
                Sample("INFO Final process status is success"),
                Sample(
                    "2026-01-02 03:04:05,678 INFO  - workflow finished with status 'Succeeded'.",
                ),
                Sample("This progress looks :) because there were no failed tasks or missing dependencies"),
                Sample("INFO - Marking task as SUCCESS. dag_id=nightly57, task_id=train"),
            ),
            role=Role.END,
            title="the workflow's steps are done",
        ),
        Pattern(
            name="workflow.failed",
            anchors=(
                "] Pipeline completed with errors",
                "Final process status is permanentFail",
                "This progress looks :( because ",
            ),
            regex=r"^-\[[\w./-]{1,80}\] Pipeline completed with errors|Final process status is permanentFail"
            r"|^This progress looks :\( because .{1,200}",
            samples=(
                Sample("-[lab57/rna] Pipeline completed with errors-"),
                Sample("WARNING Final process status is permanentFail"),
                Sample("This progress looks :( because there were failed tasks"),
            ),
            role=Role.SYMPTOM,
            title="the workflow says that steps of it failed",
        ),
        Pattern(
            name="cromwell.failed",
            anchors=("exited with return code ", "failed (during "),
            regex=r"Job (?P<step>[\w.:-]{1,200}) exited with return code (?P<code>-?\d{1,4}) which has not been declared"
            r"|Workflow [\w-]{36} failed \(during ",
            samples=(
                Sample(
                    "Job rna.trim57:0:1 exited with return code 57 which has not been declared as a valid return code.",
                    {"step": "rna.trim57:0:1", "code": "57"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=52,
            marks=(Mark.STEP_FAILED,),
            title="Cromwell's task {step} failed",
        ),
        Pattern(
            name="cwl.failed",
            anchors=("] completed permanentFail",),
            regex=r"\[(?:job|step|workflow) (?P<step>[^\]]{1,200})\] completed permanentFail",
            samples=(Sample("WARNING [job trim57] completed permanentFail", {"step": "trim57"}),),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=52,
            marks=(Mark.STEP_FAILED,),
            title="the CWL runner's step {step} failed",
        ),
        Pattern(
            name="nextflow.stopped",
            anchors=("Session aborted -- Cause: SIG",),
            regex=r"Session aborted -- Cause: (?P<signal>SIG(?:TERM|INT|HUP))\b",
            samples=(
                Sample(
                    "Jan-02 03:04:05.678 [SIGTERM handler] DEBUG nextflow.Session - Session aborted -- Cause: SIGTERM",
                    {"signal": "SIGTERM"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=70,
            title="somebody stopped Nextflow with {signal}",
        ),
        Pattern(
            name="airflow.set_from_outside",
            anchors=("has been externally set to ",),
            regex=r"State of this (?:task )?instance has been externally set to (?P<state>\w{3,20})\.(?: Task is not able to be run\.)? "
            r"Terminating instance",
            samples=(
                Sample(
                    "[2026-01-02T03:04:05.678+0000] {local_task_job_runner.py:310} WARNING - State of this instance has been "
                    "externally set to failed. Terminating instance.",
                    {"state": "failed"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=70,
            title="Airflow's task was set to {state} from outside, and ended",
            note="By hand, by a deadline of the DAG, or by a scheduler that had lost sight of it.",
        ),
        Pattern(
            name="airflow.failed",
            anchors=("Marking task as FAILED",),
            regex=r"Marking task as FAILED",
            samples=(Sample("INFO - Marking task as FAILED. dag_id=nightly57, task_id=train"),),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=40,
            marks=(Mark.STEP_FAILED,),
            title="Airflow saw its task fail",
        ),
    ),
)
