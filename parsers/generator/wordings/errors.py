"""Stack frames and CUDA errors as PyTorch prints them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from logtui.parsers.generator.stage.spec import Framework, JobSpec, Version

# -- Stacks and tracebacks

SITE = "/opt/venv/lib/python3.11/site-packages"
_CALLS = {
    "ALLREDUCE": "all_reduce", "BROADCAST": "broadcast", "_ALLGATHER_BASE": "all_gather_into_tensor",
    "_REDUCE_SCATTER_BASE": "reduce_scatter_tensor", "ALLGATHER": "all_gather", "COALESCED": "batch_isend_irecv",
    "RECV": "recv", "SEND": "send", "REDUCE": "reduce", "GATHER": "gather",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Frame:
    """One call: file, line, function, source text."""

    path: str
    line: int
    function: str
    source: str = ""


_LOOPS: dict[Framework, tuple[Frame, ...]] = {
    Framework.MEGATRON: (
        Frame("/workspace/megatron/pretrain_gpt.py", 301, "<module>", "pretrain("),
        Frame("/workspace/megatron/megatron/training/training.py", 863, "pretrain", "iteration, num_floating_point_operations_so_far = train("),
        Frame("/workspace/megatron/megatron/training/training.py", 2174, "train", ") = train_step("),
        Frame("/workspace/megatron/megatron/training/training.py", 1399, "train_step", "losses_reduced = forward_backward_func("),
    ),
    Framework.NEMO: (
        Frame("/workspace/train.py", 88, "<module>", "llm.pretrain(model, data, trainer, log, resume, optim)"),
        Frame("/opt/NeMo/nemo/collections/llm/api.py", 163, "pretrain", "return train("),
        Frame(f"{SITE}/lightning/pytorch/trainer/trainer.py", 538, "fit", "call._call_and_handle_interrupt("),
        Frame(f"{SITE}/lightning/pytorch/loops/fit_loop.py", 455, "advance", "self.epoch_loop.run(self._data_fetcher)"),
    ),
    Framework.LIGHTNING: (
        Frame("/workspace/train.py", 61, "<module>", "trainer.fit(model, datamodule=data)"),
        Frame(f"{SITE}/lightning/pytorch/trainer/trainer.py", 560, "fit", "call._call_and_handle_interrupt("),
        Frame(f"{SITE}/lightning/pytorch/loops/fit_loop.py", 470, "advance", "self.epoch_loop.run(self._data_fetcher)"),
    ),
    Framework.DEEPSPEED: (
        Frame("/workspace/train_ds.py", 142, "<module>", "main(args)"),
        Frame("/workspace/train_ds.py", 119, "main", "loss = engine.train_batch(data_iter=train_iter)"),
        Frame(f"{SITE}/deepspeed/runtime/engine.py", 2114, "backward", "self.allreduce_gradients()"),
    ),
    Framework.HUGGINGFACE: (
        Frame("/workspace/finetune.py", 77, "<module>", "trainer.train(resume_from_checkpoint=args.resume)"),
        Frame(f"{SITE}/transformers/trainer.py", 2241, "train", "return inner_training_loop("),
        Frame(f"{SITE}/transformers/trainer.py", 2548, "_inner_training_loop", "tr_loss_step = self.training_step(model, inputs, num_items_in_batch)"),
    ),
    Framework.PLAIN: (
        Frame("/workspace/train.py", 133, "<module>", "main()"),
        Frame("/workspace/train.py", 112, "main", "train_epoch(model, loader, optimizer, epoch)"),
        Frame("/workspace/train.py", 74, "train_epoch", "loss.backward()"),
    ),
}  # fmt: skip


def loop_frames(framework: Framework) -> tuple[Frame, ...]:
    """The framework's way from the script to the step, outermost first."""
    return _LOOPS[framework]


def wait_frames(spec: JobSpec, op: str) -> list[str]:
    """Where a rank waits in a collective, innermost first, as the flight recorder's text has it."""
    return [f"#{i} {f.function} from {f.path}:{f.line}" for i, f in enumerate(collective_frames(spec, op))]


def collective_frames(spec: JobSpec, op: str) -> list[Frame]:
    """The calls that lead into a collective, innermost first."""
    call = _CALLS.get(op, op.lower())
    inner = [
        Frame(f"{SITE}/torch/distributed/distributed_c10d.py", 2806, call),
        Frame(f"{SITE}/torch/distributed/c10d_logger.py", 81, "wrapper"),
    ]
    return inner + list(reversed(loop_frames(spec.framework)))


def abort_frames(spec: JobSpec, raised_at: str, rng: Random) -> str:
    """What c10 prints below an exception of the watchdog thread; `raised_at` is `function at file:line`."""
    base = rng.randrange(0x7F0000000000, 0x7FFFFFFFF000, 0x1000)
    lib = f"{SITE}/torch/lib"
    thread = "ncclCommWatchdog" if spec.version < (2, 8) else "Watchdog::run"
    rows = (
        ("c10::Error::Error(c10::SourceLocation, std::string)", 0x96, f"{lib}/libc10.so"),
        (
            "c10d::ProcessGroupNCCL::WorkNCCL::checkTimeout(std::optional<std::chrono::duration<long, std::ratio<1l, 1000l> > >)",
            0x23D,
            f"{lib}/libtorch_cuda.so",
        ),
        (f"c10d::ProcessGroupNCCL::{thread}()", 0x14D, f"{lib}/libtorch_cuda.so"),
        ("<unknown function>", 0xDBBF4, "/opt/venv/bin/../lib/libstdc++.so.6"),
        ("<unknown function>", 0x94AC3, "/usr/lib/x86_64-linux-gnu/libc.so.6"),
    )
    head = f"Exception raised from {raised_at} (most recent call first):"
    return "\n".join(
        [
            head,
            *(
                f"frame #{i}: {name} + {off:#x} ({base + off * 16:#x} in {so})"
                for i, (name, off, so) in enumerate(rows)
            ),
        ]
    )


def traceback(frames: Sequence[Frame], headline: str) -> str:
    """A Python traceback; the headline may have several lines."""
    rows = ["Traceback (most recent call last):"]
    for frame in frames:
        rows.append(f'  File "{frame.path}", line {frame.line}, in {frame.function}')
        if frame.source:
            rows.append(f"    {frame.source}")
    return "\n".join([*rows, headline])


def chained(first: str, second: str, direct: bool = True) -> str:
    """Two tracebacks of one exception chain."""
    link = (
        "The above exception was the direct cause of the following exception:"
        if direct
        else "During handling of the above exception, another exception occurred:"
    )
    return f"{first}\n\n{link}\n\n{second}"


def as_rank(text: str, rank: int, version: Version) -> str:
    """The prefix that a training process puts before each line of an uncaught exception from 2.3 on."""
    if version < (2, 3):
        return text
    return "\n".join(f"[rank{rank}]: {line}" if line else line for line in text.split("\n"))


# -- CUDA errors and out-of-memory messages
#
# Source: c10/cuda/CUDAException.cpp, c10/cuda/CUDACachingAllocator.cpp.

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
