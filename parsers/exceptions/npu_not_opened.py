"""An NPU that could not be opened: the driver's link to it, or the device itself, does not answer."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.npu_not_opened",
    writer="torch_npu 2.1 and later; CANN's code 507033 (device retain error)",
    says=(r"SetDevice\(\w{1,20}\), error code is 507033",),
    cls=FailureClass.GPU_HARDWARE,
    weight=66,
    title="the NPU could not be opened",
    samples=(
        Raised(
            "RuntimeError: ExchangeDevice:torch_npu/csrc/core/npu/sys_ctrl/npu_sys_ctrl.cpp:57 NPU function error: "
            "c10_npu::SetDevice(device), error code is 507033"
        ),
    ),
)
