"""A folder where a file was to be read or written: a path that somebody gave, or one that the program joined wrongly."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.folder_read",
    writer="Linux (EISDIR) under CPython's open, and readers that use it",
    types=(r"^IsADirectoryError$",),
    says=(r"\[Errno 21\] Is a directory: '.",),
    cls=FailureClass.CONFIG,
    weight=57,
    title="a path names a folder where a file is meant",
    samples=(
        Raised(
            "IsADirectoryError: [Errno 21] Is a directory: '/mnt/data57/results'", ("pandas/io/common.py get_handle",)
        ),
    ),
)
