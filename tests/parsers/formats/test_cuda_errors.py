"""CUDA's texts wherever they are raised; not in source lines, not twice, and each with its own meaning."""

from __future__ import annotations

import pytest
from matching import matched, names

AREAS = ("cuda", "hip", "gpu_memory", "nan")
RAISED = {
    "up to 2.7": "[rank3]: RuntimeError: CUDA error: {}",
    "2.8 on": "[rank3]: torch.AcceleratorError: CUDA error: {}",
    "what": "  what():  CUDA error: {}",
    "glued what": "  what():    what():  CUDA error: {}",
    "watchdog": "[rank3]:[E817 17:40:34.227531918 ProcessGroupNCCL.cpp:1515] [PG 0 (default_pg) Rank 3] Process group "
    "watchdog thread terminated with exception: CUDA error: {}",
    "HIP": "[rank3]: RuntimeError: HIP error: {}",
    "Transformer Engine": "RuntimeError: /te/common/util/cuda.cpp:22 in function f: CUDA Error: {}",
    "Triton": "RuntimeError: Triton Error [CUDA]: {}",
    "JSON": '      "message": "RuntimeError: CUDA error: {}\\nCUDA kernel errors might be',
}
MEANINGS = {
    "an illegal memory access was encountered": "cuda.illegal_access",
    "device-side assert triggered": "cuda.device_assert",
    "unspecified launch failure": "cuda.launch_failure",
    "misaligned address": "cuda.launch_failure",
    "uncorrectable ECC error encountered": "cuda.ecc",
    "invalid device ordinal": "cuda.invalid_device",
    "no kernel image is available for execution on the device": "cuda.version",
    "no CUDA-capable device is detected": "cuda.device_lost",
    "unknown error": "cuda.unknown",
    "out of memory": "gpu_memory.driver_oom",
}


@pytest.mark.parametrize("place", RAISED.values(), ids=list(RAISED))
@pytest.mark.parametrize(("text", "name"), MEANINGS.items())
def test_one_meaning_each(place: str, text: str, name: str) -> None:
    assert names(place.format(text), *AREAS) == {name}


@pytest.mark.parametrize(
    "line",
    [
        pytest.param('    raise RuntimeError("CUDA error: an illegal memory access was encountered")', id="source"),
        pytest.param("    raise RuntimeError('CUDA error: out of memory')", id="single quotes"),
        pytest.param(
            "node007:1:2 [0] enqueue.cc:1 NCCL WARN Cuda failure 'device-side assert triggered'", id="NCCL's own"
        ),
        pytest.param("For debugging consider passing CUDA_LAUNCH_BLOCKING=1.", id="advice"),
        pytest.param("CUDA kernel errors might be asynchronously reported at some other API call", id="advice on time"),
    ],
)
def test_not_an_error(line: str) -> None:
    assert names(line, *AREAS) == set()


def test_unlisted_text_is_still_an_error() -> None:
    fields = matched("RuntimeError: CUDA error: peer access is not supported between these two devices")
    assert fields["cuda.error"]["error"] == "peer access is not supported between these two devices"


@pytest.mark.parametrize(
    ("status", "name"),
    [
        ("CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasSgemm( handle)`", "cuda.library"),
        ("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`", "gpu_memory.cublas"),
        ("CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`", "gpu_memory.cublas"),
        ("cuDNN error: CUDNN_STATUS_NOT_INITIALIZED", "gpu_memory.cudnn"),
        ("cuDNN error: CUDNN_STATUS_INTERNAL_ERROR", "cuda.library"),
        ("cuDNN error: CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED", "gpu_memory.cudnn"),
        ("cuFFT error: CUFFT_INTERNAL_ERROR", "cuda.library"),
    ],
)
def test_library_statuses(status: str, name: str) -> None:
    assert names(f"[rank3]: RuntimeError: {status}", *AREAS) == {name}


def test_kernel_assertion_with_template_arguments() -> None:
    line = (
        "/opt/build/aten/src/ATen/native/cuda/ScatterGatherKernel.cu:365: operator(): block: [1,0,0], thread: [32,0,0] "
        'Assertion `idx_dim >= 0 && idx_dim < index_size && "index out of bounds"` failed.'
    )
    fields = matched(line)["cuda.kernel_assert"]
    assert (fields["function"], fields["line"]) == ("operator()", "365")
