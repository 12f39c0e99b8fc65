"""Paddle's queue of batches, which reports that its reader raised: the reader's own exception stands elsewhere."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised

KIND = ExceptionKind(
    name="exception.paddle_reader",
    writer="Paddle 2, paddle/fluid/operators/reader/blocking_queue.h",
    types=(r"^SystemError$", r"^FatalError$"),
    says=(r"Blocking queue is killed because the data reader raises an exception",),
    title="Paddle's queue reports an exception of its reader",
    samples=(
        Raised("SystemError: (Fatal) Blocking queue is killed because the data reader raises an exception."),
        Raised("FatalError: Blocking queue is killed because the data reader raises an exception."),
    ),
)
