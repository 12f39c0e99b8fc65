"""CUDA failures inside NCCL: memory, hardware and configuration parted from echoes."""

from __future__ import annotations

import pytest
from matching import matched, names

AT = "node007:4411:4602 [1] enqueue.cc:1134 NCCL WARN "


@pytest.mark.parametrize("code", ["", "2 "], ids=["runtime API", "driver API"])
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("out of memory", "out_of_memory"),
        ("uncorrectable ECC error encountered", "hardware"),
        ("unknown error", "hardware"),
        ("invalid device ordinal", "invalid_device"),
        ("device-side assert triggered", "cuda_echo"),
        ("an illegal memory access was encountered", "cuda_echo"),
        ("invalid device context", "cuda_failure"),
    ],
)
def test_text_decides(code: str, text: str, name: str) -> None:
    assert names(f"{AT}Cuda failure {code}'{text}'", "nccl_device") == {f"nccl_device.{name}"}


def test_nvls_is_told_from_other_calls() -> None:
    line = (
        "[2026-11-21 04:12:03] node007:4411:4602 [1] transport/nvls.cc:598 NCCL WARN Cuda failure 1 'invalid argument'"
    )
    assert names(line, "nccl_device") == {"nccl_device.nvls"}
    assert names(line.replace("nvls", "p2p"), "nccl_device") == {"nccl_device.cuda_failure"}


def test_probing_is_no_failure() -> None:
    line = "node007:4411:4602 [1] NCCL INFO include/alloc.h:12 Cuda failure 801 'operation not supported'"
    assert names(line, "nccl_device") == set()


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("Error: failed to extend /dev/shm/nccl-a to 4096 bytes, error: No space left on device (28)", "size"),
        ("Error while creating shared memory segment /dev/shm/nccl-a (size 4096)", "segment_size"),
        ("Error while attaching to shared memory segment /dev/shm/nccl-a (size 4096), error: x (2)", "segment_size"),
    ],
)
def test_shared_memory(text: str, size: str) -> None:
    assert matched(AT + text)["nccl_device.shared_memory"][size] == "4096"
