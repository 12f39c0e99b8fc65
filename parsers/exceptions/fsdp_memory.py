"""FSDP gathers a whole unit of parameters at once: where the model is one unit, the GPU cannot hold it."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass
from logtui.parsers.remedies import ROOM_ON_GPU

KIND = ExceptionKind(
    name="exception.gpu_oom_unshard",
    writer="torch.distributed.fsdp, 1.11 and later: a flat parameter is unsharded; fully_shard, 2.4 and later",
    title="GPU memory ran out while FSDP gathered the parameters of a unit",
    types=(r"OutOfMemoryError$", r"^RuntimeError$"),
    says=(r"CUDA out of memory",),
    frames=(
        r"/_?fsdp/\S+ (?:_unshard|unshard|_alloc_padded_unsharded_flat_param|_all_gather_flat_param|foreach_all_gather)\b",
    ),
    cls=FailureClass.GPU_OOM,
    weight=81,
    note="A unit is gathered whole on every rank: without wrapping, the model is one unit.",
    advice=(
        Advice(
            "training",
            "wrap smaller units: auto_wrap_policy=transformer_auto_wrap_policy with the model's layer class, or fully_shard "
            "on each block before the whole",
        ),
        *ROOM_ON_GPU,
    ),
    samples=(
        Raised(
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 57.00 GiB. GPU 3 has a total capacity of 79.15 GiB of "
            "which 7.00 GiB is free.",
            ("/opt/job/train.py main", "torch/distributed/fsdp/_runtime_utils.py _unshard"),
        ),
        Raised(
            "RuntimeError: CUDA out of memory. Tried to allocate 57.00 GiB (GPU 3; 79.15 GiB total capacity)",
            ("torch/distributed/fsdp/_flat_param.py unshard",),
        ),
    ),
)
