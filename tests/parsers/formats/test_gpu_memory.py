"""The allocator's message in every wording from 1.12 to 2.15, number by number."""

from __future__ import annotations

import pytest
from matching import matched, names

HINT = (
    " If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid "
    "fragmentation.  See documentation for Memory Management  (https://pytorch.org/docs/stable/notes/cuda.html#"
    "environment-variables)"
)
OF = "Of the allocated memory 30.00 GiB is allocated by PyTorch, "
RESERVED = "and 512.00 MiB is reserved by PyTorch but unallocated."
MODERN = {
    "2.1, misspelt": ("capacty", "", OF + RESERVED),
    "2.2": (
        "capacity",
        "Including non-PyTorch memory, this process has 31.00 GiB memory in use. ",
        OF + RESERVED + HINT,
    ),
    "private pools": ("capacity", "", OF + "with 1.00 GiB allocated in private pools (e.g., CUDA Graphs), " + RESERVED),
    "limit": ("capacity", "31.00 GiB allowed; ", OF + RESERVED),
    "five other processes": (
        "capacity",
        "".join(f"Process {n} has 1.00 GiB memory in use. " for n in range(5)),
        OF + RESERVED,
    ),
}


@pytest.mark.parametrize(("word", "middle", "end"), MODERN.values(), ids=list(MODERN))
def test_from_2_1_on(word: str, middle: str, end: str) -> None:
    line = (
        "[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.16 GiB. GPU 3 has a total "
        f"{word} of 31.73 GiB of which 585.00 MiB is free. {middle}{end}"
    )
    fields = matched(line)["gpu_memory.oom"]
    assert names(line, "gpu_memory", "cuda") == {"gpu_memory.oom"}
    assert (fields["tried"], fields["device"], fields["total"], fields["free"]) == (
        "1.16 GiB",
        "3",
        "31.73 GiB",
        "585.00 MiB",
    )
    assert (fields["allocated"], fields["reserved"]) == ("30.00 GiB", "512.00 MiB")


def test_up_to_2_0() -> None:
    line = (
        "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 7.80 GiB total capacity; 6.20 GiB already "
        "allocated; 18.31 MiB free; 7.00 GiB allowed; 6.40 GiB reserved in total by PyTorch)"
    )
    assert names(line, "gpu_memory") == {"gpu_memory.oom_legacy"}
    assert matched(line)["gpu_memory.oom_legacy"]["reserved"] == "6.40 GiB"


@pytest.mark.parametrize(
    "line",
    [
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU",
        "RuntimeError: CUDA out of memory. Tried to allocate more than 1EB memory.",
        "torch.OutOfMemoryError: CUDA out of memory. Allocation was preemptively rejected because it would exceed "
        "per_process_memory_fraction limit. Requested size: 2.00 GiB",
    ],
    ids=["cut at once", "cut later", "absurd size", "2.12 limit"],
)
def test_other_wordings_count_too(line: str) -> None:
    assert names(line, "gpu_memory") == {"gpu_memory.oom_other"}


def test_source_is_no_error() -> None:
    assert names('    raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")', "gpu_memory") == set()
