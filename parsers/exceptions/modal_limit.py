"""The time limit of a function in Modal's cloud, which ends it from outside."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.modal_limit",
    writer="modal-client: modal/exception.py FunctionTimeoutError, and its runner's cancellation",
    types=(r"(?:^|\.)FunctionTimeoutError$",),
    cls=FailureClass.INFRASTRUCTURE,
    weight=66,
    title="Modal ended the function at its time limit",
    advice=(Advice("training", "raise the function's timeout=, or save and resume within it: {raised}"),),
    samples=(Raised("FunctionTimeoutError: Task's current input in-57:57-0 hit its timeout of 3600s"),),
)
