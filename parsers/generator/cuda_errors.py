"""CUDA errors and out-of-memory messages as each PyTorch release words them.

Source: c10/cuda/CUDAException.cpp, c10/cuda/CUDACachingAllocator.cpp.
"""

from __future__ import annotations

from logtui.parsers.generator.spec import Version

_NOTES = "https://pytorch.org/docs/stable/notes/cuda.html#environment-variables"


ECC = ("uncorrectable ECC error encountered", "cudaErrorECCUncorrectable")
ILLEGAL_ACCESS = ("an illegal memory access was encountered", "cudaErrorIllegalAddress")
"""What the driver says, and the name of the code."""


def cuda_error(version: Version, error: tuple[str, str]) -> str:
    """`CUDA error: …` with the advice that follows it on lines of its own."""
    text, code = error
    blank = "" if version < (2, 0) else " "
    rows = [f"CUDA error: {text}"]
    if version >= (2, 9):
        rows.append(
            f"Search for `{code}' in https://docs.nvidia.com/cuda/cuda-runtime-api/"
            "group__CUDART__TYPES.html for more information."
        )
    rows.append(
        f"CUDA kernel errors might be asynchronously reported at some other API call,{blank}so the stacktrace below might "
        "be incorrect."
    )
    rows.append(f"For debugging consider passing CUDA_LAUNCH_BLOCKING=1{'.' if version <= (2, 3) else ''}")
    if version >= (2, 0):
        rows.append("Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.")
    return "\n".join(rows) + "\n"


def error_class(version: Version) -> str:
    """The Python exception of a CUDA error."""
    return "torch.AcceleratorError" if version >= (2, 8) else "RuntimeError"


def oom_class(version: Version) -> str:
    """The Python exception of the caching allocator's out-of-memory error."""
    if version < (1, 13):
        return "RuntimeError"
    return "torch.OutOfMemoryError" if version >= (2, 4) else "torch.cuda.OutOfMemoryError"


def oom(version: Version, device: int) -> str:
    """The allocator's message for a request that an 80 GB device cannot meet."""
    if version <= (2, 0):
        return (
            f"CUDA out of memory. Tried to allocate 3.25 GiB (GPU {device}; 79.15 GiB total capacity; 74.62 GiB already "
            "allocated; 1.88 GiB free; 76.10 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory "
            "try setting max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and "
            "PYTORCH_CUDA_ALLOC_CONF"
        )
    capacity = "capacty" if version == (2, 1) else "capacity"
    return (
        f"CUDA out of memory. Tried to allocate 3.25 GiB. GPU {device} has a total {capacity} of 79.15 GiB of which 1.88 GiB "
        "is free. Including non-PyTorch memory, this process has 77.26 GiB memory in use. Of the allocated memory 74.62 "
        "GiB is allocated by PyTorch, and 1.48 GiB is reserved by PyTorch but unallocated. If reserved but unallocated "
        f"memory is large try setting {_advice(version)}"
    )


def _advice(version: Version) -> str:
    if version == (2, 1):
        return "max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF"
    name = "PYTORCH_ALLOC_CONF" if version == (2, 10) else "PYTORCH_CUDA_ALLOC_CONF"
    notes = (
        "https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf"
        if version >= (2, 11)
        else _NOTES
    )
    return (
        f"{name}=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  ({notes})"
    )
