"""Operands of an operation of PyTorch that are of different types, or on different devices: a model in half precision,
its input in another; a model on a GPU, its input in host memory."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.operands",
    writer="torch aten/src/ATen/native/Convolution.cpp, Linear, addmm",
    says=(
        r"Input type \([\w:.]{1,60}\) and (?:weight|bias) type \([\w:.]{1,60}\) should be the same",
        r"mat1 and mat2 must have the same dtype",
        r"Expected all tensors to be on the same device, but (?:found at least two devices|got )",
    ),
    cls=FailureClass.SOFTWARE,
    weight=56,
    title="operands are of different types, or on different devices",
    samples=(
        Raised("RuntimeError: Input type (c10::Half) and bias type (float) should be the same"),
        Raised("RuntimeError: mat1 and mat2 must have the same dtype, but got Half and Float"),
        Raised(
            "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:5 and cpu!"
            " (when checking argument for argument mat1 in method wrapper_CUDA_addmm)"
        ),
    ),
)
