"""Lines that say the job, or a rank, ended on purpose."""

from __future__ import annotations

from logtui.parsers.pattern import Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Trait
from logtui.parsers.prefix.grammar import LINE_START

FORMAT = LineFormat(
    name="completion",
    title="ends on purpose",
    reference="Lightning trainer; transformers Trainer; Megatron-LM; DeepSpeed launcher; torchtitan; SLURM; common scripts",
    patterns=(
        Pattern(
            name="completion.training",
            anchors=(
                "raining complete",
                "raining finished",
                "raining is done",
                "raining done",
                "raining has ",
                "raining is complete",
                "inished training",
                "ompleted training",
                "one training",
                "raining Complete",
                "raining Finished",
                "RAINING COMPLETE",
                "RAINING FINISHED",
                "-tuning complete",
                "-tuning finished",
                "etuning complete",
                "etuning finished",
            ),
            regex=r"^(?!.*(?:with errors|[Ff]ailed|[Ii]nterrupted|aborted)).*?(?:^|[^\w\s,'\"]\s*|\d\d\s+|\b(?:INFO|info|The|the)\s+)(?:(?:[Pp]re-?)?[Tt]raining (?:is |has |has been )?(?:[Cc]ompleted?|[Ff]inished|done)\b(?! for epoch)|[Ff]ine-?[Tt]uning (?:is |has |has been )?(?:completed?|finished|done)\b|TRAINING (?:COMPLETED?|FINISHED)\b|(?:[Ff]inished|[Dd]one|[Cc]ompleted) training(?=[.!]|\s*$| in | after ))",
            samples=(
                Sample("Training completed. Do not forget to share your model on huggingface.co/models =)"),
                Sample("[rank0]:[titan] 2026-01-02 03:04:05,678 - root - INFO - Training completed"),
                Sample("2026-01-02 03:04:05 INFO train: training finished in 57 minutes"),
                Sample("2026-01-02 03:04:05,678 - INFO - Pretraining completed successfully!"),
                Sample("==== TRAINING COMPLETE ===="),
            ),
            role=Role.END,
            title="training completed",
        ),
        Pattern(
            name="completion.basicsr",
            anchors=("INFO: End of training",),
            regex=r"INFO: End of training\b\.?",
            samples=(
                Sample("2026-01-02 03:04:05,678 INFO: End of training. Time consumed: 5:07:10"),
                Sample("26-01-02 03:04:05.678 - INFO: End of training."),
            ),
            role=Role.END,
            title="BasicSR, or a trainer like it, finished",
        ),
        Pattern(
            name="completion.megatron",
            anchors=(
                "[after training is done] datetime: ",
                "[exiting program at iteration ",
                "[exiting program after ",
            ),
            regex=r"\[(?P<phase>after training is done|exiting program at iteration (?P<iteration>\d+)|exiting program after (?P<minutes>[\d.]+) minutes)\] datetime: (?P<datetime>\S+ [\d:]+)",
            samples=(
                Sample("[after training is done] datetime: 2026-01-02 03:04:05 ", {"datetime": "2026-01-02 03:04:05"}),
                Sample(
                    "[exiting program at iteration 1000] datetime: 2026-01-02 03:04:05.678901 ", {"iteration": "1000"}
                ),
            ),
            role=Role.END,
            title="Megatron finished",
        ),
        Pattern(
            name="completion.megatron_signal",
            anchors=("[exiting program after receiving SIGTERM",),
            regex=r"\[exiting program after receiving SIGTERM\.?\] datetime: (?P<datetime>\S+ [\d:]+)",
            samples=(
                Sample(
                    "[exiting program after receiving SIGTERM.] datetime: 2026-01-02 03:04:05 ",
                    {"datetime": "2026-01-02 03:04:05"},
                ),
            ),
            role=Role.SYMPTOM,
            title="Megatron saved and exited after SIGTERM",
        ),
        Pattern(
            name="completion.lightning",
            anchors=("`Trainer.fit` stopped: `",),
            regex=r"`Trainer\.fit` stopped: `(?P<limit>max_\w+)=(?P<value>[^`]+)` reached",
            samples=(
                Sample("`Trainer.fit` stopped: `max_steps=1000` reached.", {"limit": "max_steps", "value": "1000"}),
            ),
            role=Role.END,
            title="Lightning reached its limit",
        ),
        Pattern(
            name="completion.huggingface",
            anchors=("{'train_runtime': ", "***** train metrics *****"),
            regex=r"\{'train_runtime': '?(?P<seconds>[\d.]+)|\*{5} train metrics \*{5}",
            samples=(
                Sample(
                    "{'train_runtime': 57.1, 'train_samples_per_second': 8.1, 'train_steps_per_second': 1.0, 'train_loss': 1.91, 'epoch': 3.0}",
                    {"seconds": "57.1"},
                ),
            ),
            role=Role.END,
            title="Trainer finished",
        ),
        Pattern(
            name="completion.deepspeed",
            anchors=(" exits successfully",),
            regex=r"Process (?P<pid>\d+) exits successfully",
            samples=(
                Sample(
                    "[2026-01-02 03:04:05,678] [INFO] [launch.py:351:main] Process 4242 exits successfully.",
                    {"pid": "4242"},
                ),
            ),
            role=Role.END,
            title="a DeepSpeed worker ended well",
        ),
        Pattern(
            name="completion.total_time",
            anchors=(
                "otal training time",
                "otal run time",
                "otal runtime",
                "otal elapsed time",
                "otal wall time",
                "raining took ",
                "Overall training speed: ",
                "Training time: ",
                "Training time ",
            ),
            regex=r"[Tt]otal (?:training time|run ?time|elapsed time|wall time)[ :=]+(?P<total>\d[\d:.]*)|[Tt]raining took (?P<took>\d[\d:.]*)|Overall training speed: |(?:"
            + LINE_START
            + r"|\] )\s*Training time:? (?P<time>(?:\d+ days?, )?[\d:.]+)",
            samples=(
                Sample("Total training time: 0:57:10 (0.5 s / it)", {"total": "0:57:10"}),
                Sample("Total run time: 57.123 seconds", {"total": "57.123"}),
                Sample("Training took 57.1 minutes", {"took": "57.1"}),
                Sample("Training time: 57.10s", {"time": "57.10"}),
                Sample("2026-01-02 03:04:05,678 [INFO] Training time 1 day, 0:57:10", {"time": "1 day, 0:57:10"}),
            ),
            role=Role.END,
            marks=(Mark.UNSURE_END,),
            title="total training time",
        ),
        Pattern(
            name="completion.done",
            anchors=(
                "train: done",
                "trainer: done",
                "main: done",
                "main__: done",
                "root: done",
                "INFO: done",
                "INFO - done",
                "INFO done",
                "train: finished",
                "main: finished",
                "root: finished",
            ),
            regex=r"(?:\w[: -]+)(?:done|finished)[.!]?\s*$",
            samples=(Sample("2026-01-02 03:04:05,678 INFO train: done"), Sample("INFO:root: finished.")),
            role=Role.END,
            marks=(Mark.UNSURE_END,),
            title="a script says it is done",
        ),
        Pattern(
            name="completion.script",
            anchors=(
                "cript completed successfully",
                "cript finished successfully",
                "ipeline completed successfully",
                "xperiment completed successfully",
            ),
            regex=LINE_START
            + r"\W*(?:[\w.-]{1,60}[:\])] ?){0,3}(?:The )?(?:[Ss]cript|[Pp]ipeline|[Ee]xperiment) (?:completed|finished) successfully\b",
            samples=(
                Sample("[2026-01-02T03:04:05.678901] The experiment completed successfully. Finalizing run..."),
                Sample("Script completed successfully"),
                Sample("main: Pipeline completed successfully."),
            ),
            role=Role.END,
            marks=(Mark.ANY_END,),
            title="a script says that it completed",
        ),
        Pattern(
            name="completion.epochs",
            anchors=(" epochs completed in ",),
            regex=r"(?<![\w.])(?P<epochs>\d{1,6}) epochs completed in (?P<hours>\d{1,6}\.\d{1,6}) hours\b",
            samples=(Sample("57 epochs completed in 0.570 hours.", {"epochs": "57", "hours": "0.570"}),),
            role=Role.END,
            title="all epochs were trained, or training stopped early on purpose",
            note="YOLOv5 and Ultralytics; an evaluation of the best checkpoint follows.",
        ),
        Pattern(
            name="completion.slurm",
            anchors=("JobState=COMPLETED ",),
            regex=r"JobState=COMPLETED ",
            samples=(Sample("   JobState=COMPLETED Reason=None Dependency=(null)"),),
            role=Role.END,
            title="SLURM: the job completed",
        ),
        Pattern(
            name="completion.exit_zero",
            anchors=(
                "xit code: 0",
                "xit code 0",
                "xit status 0",
                "xit status: 0",
                "EXIT_CODE=0",
                "exit_code=0",
                "RETURN_CODE=0",
                "return code = 0",
                "return code: 0",
            ),
            regex=r"(?:[Ee]xit (?:code|status):? |(?:EXIT|RETURN)_CODE=|exit_code=|return code ?[:=] ?)0\s*[.)\]]?\s*$",
            samples=(Sample("job script exit code: 0"), Sample("+ EXIT_CODE=0")),
            role=Role.END,
            marks=(Mark.ANY_END,),
            title="a script reports exit code 0",
        ),
        Pattern(
            name="completion.ray",
            anchors=("' succeeded",),
            regex=r"Job '(?P<job>[\w-]+)' succeeded",
            samples=(Sample("Job 'raysubmit_57575757' succeeded", {"job": "raysubmit_57575757"}),),
            role=Role.END,
            title="the Ray job succeeded",
        ),
        Pattern(
            name="completion.verl",
            anchors=("Final validation metrics: ",),
            regex=r"^(?:\(\w{1,60} pid=\d{1,8}[^)]{0,80}\) )?['\"]?Final validation metrics: ",
            samples=(Sample("(TaskRunner pid=4242) 'Final validation metrics: None'"),),
            role=Role.END,
            title="verl did its last step",
        ),
        Pattern(
            name="completion.last_step",
            anchors=("elapsed time per iteration (ms): ", " train_time:"),
            regex=r"(?:iteration +|\bstep:)(?P<step>\d+)/ *(?P=step)\b",
            samples=(
                Sample(
                    " iteration     1000/    1000 | consumed samples:       256000 | elapsed time per iteration (ms): 5712.3 |",
                    {"step": "1000"},
                ),
                Sample("step:6000/6000 train_loss:2.3101 train_time:25712ms step_avg:451.09ms", {"step": "6000"}),
            ),
            role=Role.STATE,
            title="the last planned step is done",
            note="What follows it, such as the last checkpoint, may still fail.",
        ),
    ),
    programs=(Program(Kind.LIBRARY, ("completion",), traits=(Trait.AT_WORK,)),),
)
