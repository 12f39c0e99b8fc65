"""MindSpore's pool of device memory is used up."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.mindspore_memory",
    writer="MindSpore 2, runtime/graph_scheduler/actor/memory_manager_actor.cc",
    says=(r"^Device\(id:\d{1,5}\) memory isn't enough and alloc failed",),
    cls=FailureClass.GPU_OOM,
    weight=78,
    title="NPU memory ran out",
    samples=(
        Raised(
            "RuntimeError: Device(id:5) memory isn't enough and alloc failed, kernel name: Default/Mul-op57, alloc size: 57B."
        ),
    ),
)
