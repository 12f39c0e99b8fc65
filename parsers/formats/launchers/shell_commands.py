"""What the shell of a job's script does not find, or does not understand."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

_STARTERS = (
    r"conda|mamba|micromamba|python[\d.]{0,6}|torchrun|accelerate|deepspeed|horovodrun|mpirun|mpiexec|srun|singularity|"
    r"apptainer|enroot|docker|uv|poetry"
)
"""What starts a job, or the environment that it runs in: scripts go on without other commands."""

FORMAT = LineFormat(
    name="shell_commands",
    title="shell: commands that are not there",
    reference="bash and zsh: `command not found`; dash and busybox: `not found`",
    patterns=(
        Pattern(
            name="shell.no_command",
            anchors=(": command not found", ": not found"),
            regex=r"(?:^|[\s\]]|(?<=[\]>]:))(?P<shell>[^\s:]{1,200}):(?: (?:line )?(?P<line>\d{1,6}):)? (?P<command>(?:[\w./-]{0,200}/)?(?:"
            + _STARTERS
            + r")): (?:command )?not found\s*$",
            samples=(
                Sample("/bin/bash: line 7: conda: command not found", {"command": "conda", "line": "7"}),
                Sample("/bin/sh: 1: torchrun: not found", {"command": "torchrun"}),
                Sample("run.sh: line 57: /opt/venv/bin/python3.11: command not found", {"shell": "run.sh"}),
                Sample("bash: mpirun: command not found", {"command": "mpirun"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=62,
            marks=(Mark.COMMAND,),
            title="the shell does not find {command}",
            note="On one node only: its image or a mount differs.",
            advice=(
                Advice(
                    "training",
                    "install {command} in the image, load its module, or call it by its whole path; for conda source "
                    "etc/profile.d/conda.sh of its folder in the script first",
                ),
            ),
        ),
        Pattern(
            name="shell.option_alone",
            anchors=(
                ": command not found",
                ": commande introuvable",
                ": orden no encontrada",
                ": comando não encontrado",
                ": comando non trovato",
                ": Kommando nicht gefunden",
                "：未找到命令",
                ": 未找到命令",
            ),
            regex=r": (?:line|Zeile|ligne|línea|linha|riga|行) ?(?P<line>\d{1,6}): (?P<option>--?[A-Za-z][\w.-]{1,60})(?:=\S{0,80})?(?:: |：)"
            r"(?:command not found|commande introuvable|orden no encontrada|comando não encontrado|comando non trovato"
            r"|Kommando nicht gefunden|未找到命令)",
            samples=(
                Sample(
                    "run.sh: line 57: --batch_size57: command not found", {"option": "--batch_size57", "line": "57"}
                ),
                Sample("/opt/a/run.sh: linha 57: --layers: comando não encontrado", {"option": "--layers"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=60,
            title="the script gives {option} to no command: the line above does not go on",
            advice=(
                Advice(
                    "training", "end the line above line {line} of the script with a backslash, and nothing behind it"
                ),
            ),
        ),
        Pattern(
            name="shell.not_runnable",
            anchors=(
                ": Permission denied",
                ": No such file or directory",
                ": cannot execute binary file",
                ": cannot execute: ",
            ),
            regex=r"(?P<shell>[^\s:]{1,300}): line (?P<line>\d{1,6}): (?P<command>(?:[\w.~-]{0,200}/)+[\w.+-]{1,200}): "
            r"(?:Permission denied|No such file or directory|cannot execute(?: binary file)?(?:: .{1,80})?)\s*$",
            samples=(
                Sample("run.sh: line 57: ./solver: Permission denied", {"command": "./solver", "line": "57"}),
                Sample("/bin/bash: line 7: /opt/a/b57: No such file or directory", {"command": "/opt/a/b57"}),
                Sample("run.sh: line 7: bin/a57: cannot execute binary file: Exec format error", {"shell": "run.sh"}),
                Sample("run.sh: line 7: bin/a57: cannot execute: required file not found", {"command": "bin/a57"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=46,
            marks=(Mark.COMMAND,),
            title="the shell cannot run {command}, or write to it",
            advice=(Advice("training", "look whether {command} is there on each node, and may be executed"),),
        ),
        Pattern(
            name="shell.syntax",
            anchors=(": syntax error near unexpected token ", ": syntax error: unexpected end of file"),
            regex=r"(?P<script>[^\s:]{1,300}): line (?P<line>\d{1,6}): syntax error(?: near unexpected token (?P<token>.{1,80})|: unexpected end of file)",
            samples=(
                Sample(
                    "run.sh: line 57: syntax error near unexpected token `done'", {"script": "run.sh", "line": "57"}
                ),
                Sample("/var/spool/job57/slurm_script: line 7: syntax error: unexpected end of file", {"line": "7"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=64,
            marks=(Mark.COMMAND,),
            title="the job's script is no shell script from its line {line} on",
            advice=(Advice("training", "check it before submitting: bash -n {script}"),),
        ),
        Pattern(
            name="shell.dash_syntax",
            anchors=(": Bad substitution", ": Syntax error: "),
            regex=r"(?:^|[\s\]]|(?<=[\]>]:))(?P<script>[^\s:]{1,300}): (?P<line>\d{1,6}): (?:[^\s:]{1,300}: )?(?:Bad substitution|Syntax error: )",
            samples=(
                Sample("launch57.sh: 7: launch57.sh: Bad substitution", {"script": "launch57.sh", "line": "7"}),
                Sample('run57.sh: 5: Syntax error: "(" unexpected (expecting "done")', {"line": "5"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=64,
            marks=(Mark.COMMAND,),
            title="the script is written for bash, and dash ran it: line {line}",
            advice=(Advice("training", "run it with bash {script}, and not with sh"),),
        ),
    ),
)
