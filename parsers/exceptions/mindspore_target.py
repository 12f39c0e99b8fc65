"""MindSpore's settings that its package, or the device that it was built for, does not know."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.mindspore_target",
    writer="MindSpore 1.x and 2.x, mindspore/context.py",
    types=(r"^(?:Value|Runtime|Type)Error$",),
    says=(r"^For 'context\.set_context', ",),
    cls=FailureClass.CONFIG,
    weight=62,
    title="a setting that this build of MindSpore does not know",
    samples=(
        Raised(
            "ValueError: For 'context.set_context', package type mindspore-ascend support 'device_target' type ascend or cpu, but got TPU.",
            ("mindspore/context.py set_context",),
        ),
    ),
)
