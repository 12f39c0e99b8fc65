"""A checkpoint that was saved on a device which is not there: the file is read well."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass
from logtui.parsers.remedies import GPU_ACCESS

KIND = ExceptionKind(
    name="exception.device_absent",
    writer="PyTorch's torch/serialization.py, _validate_device",
    types=(r"RuntimeError",),
    says=(r"^Attempting to deserialize object on (?:an? )?\w{1,20} device\b",),
    cls=FailureClass.CONFIG,
    weight=66,
    title="a checkpoint was saved on a device that is not there",
    advice=GPU_ACCESS,
    samples=(
        Raised(
            "RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. "
            "If you are running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu')"
        ),
        Raised("RuntimeError: Attempting to deserialize object on CUDA device 7 but torch.cuda.device_count() is 2."),
    ),
)
