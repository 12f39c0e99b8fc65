"""Windows' word for memory that cannot be promised any more: each of many workers loads CUDA's libraries anew."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.paging_file",
    writer="Windows (ERROR_COMMITMENT_LIMIT) through CPython and ctypes",
    types=(r"OSError$", r"ImportError$", r"RuntimeError$"),
    says=(r"\[WinError 1455\]|paging file is too small",),
    cls=FailureClass.HOST_OOM,
    weight=72,
    title="no memory can be committed any more",
    advice=(Advice("training", "fewer workers of data loaders, or a larger paging file"),),
    samples=(
        Raised(
            "OSError: [WinError 1455] The paging file is too small for this operation to complete. Error loading 57.dll"
        ),
        Raised("ImportError: DLL load failed: The paging file is too small for this operation to complete. 57"),
        Raised("RuntimeError: [WinError 1455] 57"),
    ),
)
