"""What Google's gsutil says of a command that names nothing that is there."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.gsutil",
    writer="gsutil 4 and 5, gslib/exception.py, as the last line of a command",
    types=(r"^CommandException$",),
    says=(r"No URLs matched", r"One or more URLs matched no objects", r"No such (?:object|file or directory)"),
    cls=FailureClass.CONFIG,
    weight=60,
    title="gsutil finds nothing at the path that it was given",
    advice=(Advice("training", "check the path and the bucket with `gsutil ls`: {raised}"),),
    samples=(
        Raised("CommandException: No URLs matched: model57", bare=True),
        Raised("CommandException: One or more URLs matched no objects.", bare=True),
        Raised("CommandException: No such object: gs://bucket57/a", bare=True),
    ),
)
