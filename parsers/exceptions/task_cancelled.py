"""A task of asyncio that was cancelled: somebody else ended it, and what he had raised stands elsewhere."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised

KIND = ExceptionKind(
    name="exception.task_cancelled",
    writer="CPython asyncio and concurrent.futures, every version; its runner cancels the main task at ctrl+c",
    types=(r"^(?:asyncio\.exceptions\.|asyncio\.|concurrent\.futures\._base\.)?CancelledError$",),
    title="a task was cancelled",
    samples=(Raised("asyncio.exceptions.CancelledError"), Raised("concurrent.futures._base.CancelledError")),
)
