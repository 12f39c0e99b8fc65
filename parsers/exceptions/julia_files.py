"""What Julia raises where a file is not there that it was given: a script, a project, an input."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.julia_file",
    writer="Julia base/error.jl, base/file.jl, base/loading.jl",
    says=(r"^opening file .{1,300}: No such file or directory$",),
    cls=FailureClass.CONFIG,
    weight=56,
    title="a file that was named is not there",
    samples=(Raised('SystemError: opening file "/opt/job/monitor57.jl": No such file or directory'),),
)
