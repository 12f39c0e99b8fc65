"""MindSpore's data sets."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.minddata",
    writer="MindSpore's data sets",
    types=(r"RuntimeError",),
    says=(r"^Exception thrown from dataset pipeline",),
    cls=FailureClass.DATA,
    weight=62,
    title="MindSpore's data set failed",
    note="What it failed of stands below, under `Dataset Pipeline Error Message`.",
    samples=(
        Raised("RuntimeError: Exception thrown from dataset pipeline. Refer to 'Dataset Pipeline Error Message'. "),
    ),
)
