"""What a program's own handler of a signal says: `Caught SIGTERM, saving`, `signal handler called with signal 10`."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

_SENT = r"(?:SIG(?:TERM|INT|HUP|USR[12]|XCPU)\b|(?:[Ss]ignal:?|Signals\.|signum[ =:]{0,2}) ?(?:SIG\w{3,4}|1|2|10|12|15|24)\b)"
"""A signal that somebody sends on purpose, by name or by its number on Linux."""
_KINDS = r"(?:[Kk]ill|[Tt]erminat(?:e|ion)|[Ii]nterrupt|[Pp]reempt(?:ion)?|[Tt]ime-?out|TERM|USR[12]) signal"
_HEARD = r"(?:received|caught|intercepted|trapped)\b"

FORMAT = LineFormat(
    name="own_signals",
    title="a program's own handler of signals",
    reference="Python's signal module, as trainers and the examples of submitit, timm, NeMo, OLMo and others use it",
    patterns=(
        Pattern(
            name="own_signal.told_to_stop",
            anchors=(
                "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGXCPU", " SIGINT", "SIGINT ", " SIGHUP", "SIGHUP ", "ignal 15", "ignal 10", "ignal 12", "ignal 2 received",
                "ignal: 15", "ill signal", "ion signal", "rupt signal", "eout signal", "TERM signal", "USR1 signal",
            ),
            regex=r"(?:(?<!ain process )\b(?:[Rr]eceived|RECEIVED|[Cc]aught|CAUGHT|[Gg]ot|[Hh]andling|called with|[Tt]rapped|[Dd]ue to|[Cc]aptured)"
            r" (?:an? |the )?(?:(?:Slurm|SLURM|slurm|kill|termination|OS) )?(?:" + _SENT + "|" + _KINDS + ")"
            r"|(?:" + _SENT + "|" + _KINDS + r") (?:\(\w{1,12}\) |was |is |has been )?" + _HEARD + ")"
            r"(?! at time=| death signal)",
            samples=(
                Sample("Caught SIGTERM, saving checkpoint 57"),
                Sample("signal handler called with signal 10"),
                Sample("[rank57] Received signal 15, will stop after this step"),
                Sample("SIGUSR1 received, requeueing job 4821"),
                Sample("INFO train: Received termination signal 15. Saving checkpoint"),
                Sample("Interrupt signal received, stopping at step 57"),
                Sample("Received Slurm preemption signal at step 57"),
                Sample("2026-01-02 03:04:05,678 - runner57 - INFO - Signal 2 received, shutting down..."),
                Sample("2026-01-02 03:04:05,678 [WARNING] loop57: Signal 15 received — raising KeyboardInterrupt"),
            ),
            role=Role.SYMPTOM,
            marks=(Mark.TOLD_TO_STOP,),
            bulk=True,
            title="the program was told to stop by a signal",
            note="A launcher's SIGTERM to survivors looks the same: what failed before it comes first.",
        ),
        Pattern(
            name="own_signal.by_hand",
            anchors=(" pressed Ctrl+C", " pressed Ctrl-C", " pressed ctrl+c", " pressed ctrl-c"),
            regex=r"\b(?:[Yy]ou|[Uu]ser) pressed [Cc]trl[+-][Cc]\b",
            samples=(
                Sample("2026-01-02 03:04:05,678 - INFO - You pressed Ctrl+C! Saving the model and exiting..."),
            ),
            role=Role.CAUSE,
            marks=(Mark.TOLD_TO_STOP,),
            cls=FailureClass.INFRASTRUCTURE,
            weight=50,
            title="somebody interrupted the program (Ctrl-C)",
            note="As the example of Python's documentation prints it.",
        ),
    ),
)  # fmt: skip
