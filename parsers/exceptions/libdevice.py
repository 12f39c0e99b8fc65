"""CUDA's bitcode for compilers, which XLA looks for in the toolkit's folder: a driver alone does not bring it."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.libdevice",
    writer="XLA's GPU compiler, llvm_gpu_backend/gpu_backend_lib.cc, under TensorFlow and JAX",
    types=(r"InternalError$", r"XlaRuntimeError$", r"FailedPreconditionError$"),
    says=(r"\blibdevice\b[^\n]{0,60} not found\b",),
    cls=FailureClass.CONFIG,
    weight=66,
    title="XLA finds no CUDA toolkit (libdevice)",
    advice=(
        Advice(
            "training",
            "point XLA to the toolkit, XLA_FLAGS=--xla_gpu_cuda_data_dir=DIR, or install cuda-nvcc beside it",
        ),
    ),
    samples=(
        Raised("tensorflow.python.framework.errors_impl.InternalError: libdevice not found at ./libdevice.10.bc"),
        Raised("XlaRuntimeError: INTERNAL: libdevice not found at ./libdevice.10.bc"),
        Raised("FailedPreconditionError: libdevice required by this HLO module was not found at ./libdevice.10.bc"),
    ),
)
