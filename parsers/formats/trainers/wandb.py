"""Weights & Biases: how a run ended, as its client tells the console."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Trait

FORMAT = LineFormat(
    name="wandb",
    title="Weights & Biases runs",
    reference="wandb sdk/wandb_run.py, 0.12 to 0.21",
    patterns=(
        Pattern(
            name="wandb.success",
            anchors=("Waiting for W&B process to finish",),
            regex=r"Waiting for W&B process to finish\W+\(success\)",
            samples=(Sample("wandb: Waiting for W&B process to finish... (success)."),),
            role=Role.END,
            title="the tracked program ended well",
        ),
        Pattern(
            name="wandb.failed",
            anchors=("Waiting for W&B process to finish",),
            regex=r"Waiting for W&B process to finish\W+\(failed (?P<exitcode>\d+)\)",
            samples=(
                Sample(
                    "wandb: Waiting for W&B process to finish... (failed 1). Press Control-C to abort syncing.",
                    {"exitcode": "1"},
                ),
            ),
            role=Role.SYMPTOM,
            title="the tracked program failed",
        ),
        Pattern(
            name="wandb.failed_in_its_log",
            anchors=("_atexit_cleanup():", "handling exit code: "),
            regex=r"(?:_atexit_cleanup\(\):\d+\] got exitcode|\bhandling exit code): (?P<exitcode>(?!0\b|255\b)\d+)\b",
            samples=(
                Sample(
                    "2026-01-02 03:04:05,678 INFO    SenderThread:4242 [sender.py:send_exit():574] handling exit code: 1",
                    {"exitcode": "1"},
                ),
            ),
            role=Role.SYMPTOM,
            marks=(Mark.EXIT_CODE,),
            title="the tracked program failed",
            note="The client's own debug.log and debug-internal.log.",
        ),
        Pattern(
            name="wandb.interrupted",
            anchors=("_atexit_cleanup():", "handling exit code: ", "Internal process interrupt: "),
            regex=r"(?:_atexit_cleanup\(\):\d+\] got exitcode|\bhandling exit code): 255\b|\bInternal process interrupt: \d",
            samples=(
                Sample(
                    "2026-01-02 03:04:05,678 WARNING MainThread:4242 [internal.py:wandb_internal():153] Internal process interrupt: 1"
                ),
                Sample(
                    "2026-01-02 03:04:05,678 INFO    SenderThread:4242 [sender.py:send_exit():372] handling exit code: 255"
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=50,
            marks=(Mark.TOLD_TO_STOP,),
            title="somebody interrupted the program (Ctrl-C)",
            note="Its exit hook gives 255 for a KeyboardInterrupt alone.",
        ),
        Pattern(
            name="wandb.refused",
            anchors=("failed to init run",),
            regex=r"\bfailed to init run\b[^\n]{0,200}\b(?:401|403|404)\b",
            samples=(
                Sample(
                    '{"time":"2026-01-02T03:04:05.678+01:00","level":"ERROR","msg":"runupserter: failed to init run","error":"returned error 401: {}"}'
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=54,
            title="the experiment tracker refuses the run",
            note="The core's own debug-core.log and debug-internal.log: nobody is logged in, or the project is another's.",
            advice=(
                Advice("training", "log in with `wandb login`, or set WANDB_MODE=offline; see whose the project is"),
            ),
        ),
        Pattern(
            name="wandb.parent_gone",
            anchors=("Internal process exiting, parent pid ",),
            regex=r"\bInternal process exiting, parent pid (?P<pid>\d+) disappeared",
            samples=(
                Sample(
                    "2026-01-02 03:04:05,678 WARNING StreamThr :4242 [internal.py:is_dead():414] Internal process exiting, parent pid 57 disappeared",
                    {"pid": "57"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=42,
            marks=(Mark.TOLD_TO_STOP,),
            title="the tracked program disappeared without a word, as one does that is killed",
            note="It had no time to say its exit code: SIGKILL, or a job that was ended with all its processes.",
        ),
        Pattern(
            name="wandb.stopped",
            anchors=("Ctrl + C detected",),
            regex=r"\bCtrl \+ C detected\b",
            samples=(Sample("wandb: Ctrl + C detected. Stopping sweep."),),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=50,
            title="somebody pressed Ctrl-C",
        ),
        Pattern(
            name="wandb.exit_zero",
            anchors=("_atexit_cleanup():", "handling exit code: 0"),
            regex=r"_atexit_cleanup\(\):\d+\] got exitcode: 0\b|\bhandling exit code: 0$",
            samples=(
                Sample(
                    "2026-01-02 03:04:05,678 INFO    MainThread:4242 [wandb_run.py:_atexit_cleanup():2571] got exitcode: 0"
                ),
            ),
            role=Role.END,
            title="the tracked program ended well",
            note="The client's own debug.log and debug-internal.log.",
        ),
        Pattern(
            name="wandb.synced",
            anchors=(" W&B file(s), ",),
            regex=r"Synced (?P<files>\d+) W&B file\(s\), ",
            samples=(
                Sample(
                    "wandb: Synced 5 W&B file(s), 7 media file(s), 0 artifact file(s) and 0 other file(s)",
                    {"files": "5"},
                ),
            ),
            role=Role.END,
            marks=(Mark.UNSURE_END,),
            title="the tracked run was closed",
            note="Newer clients write it after a failure too.",
        ),
    ),
    programs=(Program(Kind.LIBRARY, ("wandb",), traits=(Trait.AT_WORK,)),),
)
