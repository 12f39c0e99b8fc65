"""Faults of the GPU itself: high weight, and no warning of a CPU host among them."""

from __future__ import annotations

import pytest
from matching import matched, names

from logtui.parsers.pattern import FailureClass
from logtui.parsers.registry import registry


@pytest.mark.parametrize("name", ["cuda.ecc", "cuda.nvlink"])
def test_named_hardware_faults_weigh_most(name: str) -> None:
    pattern = registry().pattern(name)
    assert (pattern.cls, pattern.weight) == (FailureClass.GPU_HARDWARE, 90)


@pytest.mark.parametrize(("code", "text"), [("802", "system not yet initialized"), ("999", "unknown error")])
def test_device_count_keeps_the_code(code: str, text: str) -> None:
    line = (
        "RuntimeError: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before calling "
        f"NumCudaDevices() that might have already set an error? Error {code}: {text}"
    )
    assert matched(line)["cuda.device_count"] == {"code": code, "error": text}


def test_unknown_error_needs_cuda_before_it() -> None:
    assert names("OSError: unknown error", "cuda") == set()


def test_nvlink_ends_at_the_json_escape() -> None:
    line = (
        '"message": "RuntimeError: CUDA error: uncorrectable NVLink error detected during the execution\\nCUDA kernel'
    )
    assert matched(line)["cuda.nvlink"]["error"].endswith("the execution")
