"""Gradients that are scaled, or unscaled, more than once in a step."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.gradients_unscaled_twice",
    writer="torch.amp.GradScaler, 1.6 and later",
    title="gradients were unscaled twice in one step",
    types=(r"^RuntimeError$", r"^AssertionError$"),
    says=(
        r"unscale_\(\) has already been called",
        r"unscale_\(\) is being called after",
        r"step\(\) has already been called since the last update",
        r"No inf checks were recorded for this optimizer",
    ),
    cls=FailureClass.SOFTWARE,
    weight=62,
    advice=(
        Advice(
            "training",
            "under DeepSpeed call engine.backward(loss) and engine.step() instead of loss.backward(), optimizer.step() and a "
            "GradScaler of your own; elsewhere call scaler.unscale_, step and update once per step",
        ),
    ),
    samples=(
        Raised("RuntimeError: unscale_() has already been called on this optimizer since the last update()."),
        Raised("RuntimeError: unscale_() is being called after step()."),
        Raised("RuntimeError: step() has already been called since the last update()."),
        Raised("AssertionError: No inf checks were recorded for this optimizer."),
    ),
)
