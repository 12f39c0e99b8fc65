"""Operands of an operation of Paddle that do not fit: its checks begin with the kind of error and name the shapes."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.paddle_operands",
    writer="Paddle 2 and 3, PADDLE_ENFORCE in phi/infermeta and phi/kernels",
    types=(r"ValueError$",),
    says=(r"^\(InvalidArgument\)[^\n]{0,240}\b(?:shapes?|sizes?|dim(?:ension)?s?|rank|d(?:ata ?)?type)\b",),
    cls=FailureClass.SOFTWARE,
    weight=56,
    title="operands of an operation do not fit",
    samples=(
        Raised(
            "ValueError: (InvalidArgument) The 'shape' in ReshapeOp is invalid. The input tensor X'size must be equal to "
            "the capacity of 'shape'. But received X's shape = [57, 7, 5], X's size = 1995."
        ),
        Raised("ValueError: (InvalidArgument) Input(X)'s dimension must be 4, but received 57."),
    ),
)
