"""CatBoost's lines, one for each iteration that is shown; the best one, named below them, is not the last."""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="catboost",
    title="CatBoost",
    reference="catboost/libs/logging/profile_info.cpp and train_lib, 0.2 to 1.2",
    patterns=(
        Pattern(
            name="catboost.step",
            anchors=(":\tlearn: ", ":\ttest: "),
            regex=r"^(?P<step>\d{1,9}):\t(?:learn|test): -?[\d.]{1,20}(?=\t)",
            samples=(
                Sample("57:\tlearn: 0.5757575\ttotal: 5m 57s\tremaining: 57s", {"step": "57"}),
                Sample("75:\ttest: 0.7575757\tbest: 0.7757575 (57)\ttotal: 57ms\tremaining: 57s", {"step": "75"}),
            ),
            role=Role.INFO,
            numeric=("step", ""),
        ),
    ),
)
