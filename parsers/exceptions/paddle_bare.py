"""Paddle's error whose name stands alone, above a page of frames at whose end the error's own word stands."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised

KIND = ExceptionKind(
    name="exception.paddle_bare",
    writer="Paddle 2, paddle/fluid/executor.py, of what its threads threw",
    types=(r"^SystemError$",),
    says=(r"^[\w.]{1,60}\([\w, ]{0,60}\)$",),
    frames=(r"\b(?:fluid|base)/executor\.py _run_from_dataset",),
    title="Paddle reports an error of one of its threads",
    note="Python's line says nothing but the type (read beside it: the source line that raised).",
    samples=(Raised("SystemError: ", ("paddle/fluid/executor.py _run_from_dataset",)),),
)
