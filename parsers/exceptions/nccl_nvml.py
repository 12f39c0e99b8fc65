"""NCCL asks the driver's library for the machine's GPUs, and gets no answer: torch quotes that as its last error."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.nccl_nvml",
    writer="NCCL 2.12 and later, misc/nvmlwrap.cc, quoted by torch as the last error",
    title="the NVIDIA driver and its library do not fit",
    says=(r"nvml\w{1,40}\(\) failed: Driver\b",),
    cls=FailureClass.CUDA_SOFTWARE,
    weight=70,
    note="The library was upgraded while the old kernel module is still loaded, or the container brings one of its own.",
    advice=(
        Advice(
            "infrastructure",
            "reload the NVIDIA kernel modules or reboot[ {host}]: nvidia-smi fails there as well until the versions agree",
        ),
    ),
    samples=(
        Raised(
            "torch.distributed.DistBackendError: NCCL error in: /opt/pytorch/torch/csrc/distributed/c10d/NCCLUtils.hpp:57, "
            "unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.20.5\n"
            "ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error.\n"
            "Last error:\nnvmlInit_v2() failed: Driver/library version mismatch"
        ),
        Raised(
            "torch.distributed.DistBackendError: NCCL error in: /opt/pytorch/torch/csrc/distributed/c10d/NCCLUtils.hpp:57, "
            "unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.20.5\n"
            "Last error:\nnvmlInit_v2() failed: Driver Not Loaded"
        ),
    ),
)
