"""Huawei ModelArts: how the container's bootstrap saw a training script end."""

from __future__ import annotations

from logtui.parsers.pattern import Kind, LineFormat, Mark, Pattern, Program, Role, Sample

FORMAT = LineFormat(
    name="modelarts",
    title="Huawei ModelArts",
    reference="ma-training-toolkit of ModelArts training jobs, bootstrap.go",
    patterns=(
        Pattern(
            name="modelarts.exit_code",
            anchors=("bootstrap is exiting with exit code ",),
            regex=r"bootstrap is exiting with exit code (?P<exitcode>[1-9]\d{0,2})\b",
            samples=(
                Sample(
                    'time="2026-01-02T03:04:05+08:00" level=error msg="bootstrap is exiting with exit code 57" '
                    'file="bootstrap.go:243" Command=bootstrap/run',
                    {"exitcode": "57"},
                ),
            ),
            role=Role.SYMPTOM,
            marks=(Mark.EXIT_CODE,),
            title="ModelArts saw the training script fail",
            note="Its sidecar says `training is completed` all the same.",
        ),
    ),
    programs=(Program(Kind.AGENT, ("modelarts",)),),
)
