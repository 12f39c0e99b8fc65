"""NCCL before 2.21 in containers: the context of its device is lost."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass
from logtui.parsers.remedies import OLD_NCCL, OWN_GPU

KIND = ExceptionKind(
    name="exception.device_context",
    writer="the CUDA runtime's text, in torch, by itself or as NCCL's last error",
    title="the device's context is lost",
    says=(r"invalid device context",),
    cls=FailureClass.CUDA_SOFTWARE,
    weight=72,
    note="With NCCL before 2.21 in a container a bug of NCCL; else a process that uses another's GPU, or CUDA after a fork.",
    advice=(*OLD_NCCL, *OWN_GPU),
    samples=(
        Raised("RuntimeError: CUDA error: invalid device context"),
        Raised(
            "torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/NCCLUtils.hpp:57, unhandled "
            "cuda error (run with NCCL_DEBUG=INFO for details), NCCL version 2.19.3\nncclUnhandledCudaError: Call to CUDA "
            "function failed.\nLast error:\nCuda failure 'invalid device context'"
        ),
    ),
)
