"""XGBoost: what it prints of each round of boosting, from Python, R and its command line."""

from __future__ import annotations

from logtui.parsers.pattern import Kind, LineFormat, Pattern, Program, Role, Sample

FORMAT = LineFormat(
    name="xgboost",
    title="XGBoost",
    reference="dmlc/xgboost src/learner.cc EvalOneIter; python-package callback.py EvaluationMonitor; R-package callbacks.R",
    patterns=(
        Pattern(
            name="xgboost.round",
            anchors=(
                *(f"{name}-rmse:" for name in ("al", "in", "st", "id", "_0", "_1")),
                *(f"{name}-auc:" for name in ("al", "in", "st", "id", "_0", "_1")),
                *(f"{name}-mae:" for name in ("al", "in", "st", "id", "_0", "_1")),
                *(f"{name}-error:" for name in ("l", "n", "t", "d", "_0", "_1")),
                "logloss:",
                "-merror:",
                "-aucpr:",
                "-rmsle:",
            ),
            regex=r"^(?:\[[\d:]{8}\] )?\[(?P<step>\d{1,9})\]\s{1,3}\w[\w .]{0,40}-(?:rmse|m?logloss|m?error|auc(?:pr)?|mae|rmsle):[-\d.a-z]",
            samples=(
                Sample("[57]\tdval-rmse:0.110354 ", {"step": "57"}),
                Sample("[570]\ttrain-mlogloss:0.57\teval-mlogloss:0.75", {"step": "570"}),
                Sample("[57]\tvalidation_0-error:0.570000", {"step": "57"}),
                Sample("[03:04:05] [57]\ttrain-rmse:5.7", {"step": "57"}),
            ),
            role=Role.INFO,
            numeric=("step", ""),
            note="From 0 in Python, from 1 in R.",
        ),
    ),
    programs=(Program(Kind.LIBRARY, ("xgboost",)),),
)
