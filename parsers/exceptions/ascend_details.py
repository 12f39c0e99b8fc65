"""MindSpore's exceptions of a graph that failed on the NPU: what failed stands in the table below them."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised

KIND = ExceptionKind(
    name="exception.ascend_details",
    writer="MindSpore 1.9 and later on Ascend",
    title="a graph failed on the NPU: CANN's own error below says how",
    says=(r"details refer to 'Ascend Error Message'",),
    samples=(Raised("RuntimeError: Load task error, graph 57. The details refer to 'Ascend Error Message'."),),
)
