"""A condition that asks a whole array or table whether it is true."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.truth_value",
    writer="NumPy ndarray.__bool__; pandas core/generic.py NDFrame.__nonzero__; PyTorch is_nonzero",
    types=(r"ValueError$", r"RuntimeError$"),
    says=(
        r"[Tt]he truth value of an? [\w ]{1,60} is ambiguous",
        r"Boolean value of Tensor with more than one value is ambiguous",
    ),
    cls=FailureClass.SOFTWARE,
    weight=60,
    title="a condition asks a whole array for its truth",
    samples=(
        Raised("ValueError: The truth value of a DataFrame is ambiguous. Use a.empty, a.bool() or a.any()."),
        Raised("ValueError: The truth value of an array with more than one element is ambiguous. Use a.any()"),
        Raised("RuntimeError: Boolean value of Tensor with more than one value is ambiguous"),
    ),
)
