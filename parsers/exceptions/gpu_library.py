"""A library of CUDA for deep networks or linear algebra that is not there, or does not start."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.gpu_library",
    writer="XLA, TensorFlow 2, Paddle 2 and 3",
    says=(
        r"DNN library (?:is not found|initialization failed)",
        r"\(External\) ?CU(?:BLAS|DNN|SOLVER|SPARSE) ?error ?\(\d{1,4}\)",
    ),
    cls=FailureClass.CUDA_SOFTWARE,
    weight=58,
    title="a CUDA library does not work here",
    advice=(
        Advice(
            "infrastructure",
            "compare the versions of the driver, CUDA and cuDNN with those that the framework was built for",
        ),
    ),
    samples=(
        Raised(
            "tensorflow.python.framework.errors_impl.UnimplementedError: Graph execution error:\nDNN library is not found.\n\t [[{{node conv57}}]]"
        ),
        Raised(
            "jaxlib.xla_extension.XlaRuntimeError: FAILED_PRECONDITION: DNN library initialization failed. Look at the errors above. 57"
        ),
        Raised("OSError: (External) CUBLAS error(57)."),
    ),
)
