"""Helper threads that go on as the interpreter shuts down, behind all that the program had to do."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised

KIND = ExceptionKind(
    name="exception.late_futures",
    writer="CPython 3.9 and later, concurrent.futures.thread and Lib/threading.py: what a thread meets at the end of its program",
    types=(r"^RuntimeError$",),
    says=(
        r"cannot schedule new futures after (?:interpreter )?shutdown",
        r"can't (?:start|create) new thread at interpreter shutdown",
    ),
    title="a thread went on as the interpreter shut down",
    samples=(
        Raised("RuntimeError: cannot schedule new futures after interpreter shutdown"),
        Raised("RuntimeError: can't create new thread at interpreter shutdown"),
    ),
)
