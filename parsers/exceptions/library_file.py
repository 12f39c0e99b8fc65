"""A compiled library that a package looks for beside itself, and that is not there: it was built for another version."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.library_file",
    writer="DGL 1 and 2 (GraphBolt), and packages that load their own libraries by path",
    types=(r"FileNotFoundError$", r"ImportError$", r"OSError$"),
    says=(
        r"(?:[Uu]nable|[Ff]ailed|[Cc]ould not|[Cc]annot) (?:to )?(?:locate|find) .{1,80} library at \S{1,300}\.(?:so|dylib)\b",
    ),
    cls=FailureClass.SOFTWARE,
    weight=66,
    title="a compiled library does not fit the installed versions",
    advice=(
        Advice("training", "install the release of the package that was built for this version of torch: {raised}"),
    ),
    samples=(
        Raised(
            "FileNotFoundError: Unable to locate the DGL C++ GraphBolt library at /opt/venv/lib/libgraphbolt_pytorch_57.so."
        ),
        Raised("ImportError: Could not find the kernels library at /opt/venv/lib/k57.so"),
        Raised("OSError: Failed to find a library at /opt/venv/lib/k57.dylib"),
    ),
)
