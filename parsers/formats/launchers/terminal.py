"""What a terminal echoes of its keys into a copied log: `^C` where somebody stopped the program."""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Mark, Pattern, Role, Sample

FORMAT = LineFormat(
    name="terminal",
    title="keys that a terminal echoed",
    reference="termios(3), ECHOCTL",
    patterns=(
        Pattern(
            name="terminal.interrupted",
            anchors=("^CTraceback (most recent call last)",),
            regex=r"\^CTraceback \(most recent call last\)",
            samples=(Sample("^CTraceback (most recent call last):"),),
            role=Role.SYMPTOM,
            marks=(Mark.SIGNALLED, Mark.TOLD_TO_STOP),
            title="somebody pressed Ctrl-C",
        ),
        Pattern(
            name="terminal.nohup",
            anchors=("nohup: ignoring input",),
            regex=r"^nohup: ignoring input",
            samples=(Sample("nohup: ignoring input"),),
            role=Role.INFO,
            marks=(Mark.NEW_JOB,),
            title="nohup starts a program",
            note="What ended before it was an earlier run.",
        ),
    ),
)
