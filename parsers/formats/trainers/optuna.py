"""Optuna: a study that an earlier run of the script began."""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Mark, Pattern, Role, Sample

FORMAT = LineFormat(
    name="optuna",
    title="Optuna",
    reference="optuna optuna/study/study.py",
    patterns=(
        Pattern(
            name="optuna.continued",
            anchors=("Using an existing study with name ",),
            regex=r"Using an existing study with name '(?P<study>[^'\n]{1,120})' instead of creating a new one",
            samples=(
                Sample(
                    "[I 2026-01-02 03:04:05,678] Using an existing study with name 'study57' instead of creating a new one.",
                    {"study": "study57"},
                ),
            ),
            role=Role.INFO,
            marks=(Mark.NEW_JOB,),
            title="a study is continued",
            note="What ended before it was an earlier run of the script.",
        ),
    ),
)
