"""What kernels of attention say of types that they do not take."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.attention_types",
    writer="flash-attn 1 and 2, csrc/flash_attn/flash_api.cpp; xformers",
    types=(r"RuntimeError$",),
    says=(r"FlashAttention only supports? (?:fp16|Ampere|head|forward)[^\n]{0,80}data type",),
    cls=FailureClass.SOFTWARE,
    weight=60,
    title="attention is asked for a type that its kernel does not take",
    samples=(
        Raised("RuntimeError: FlashAttention only support fp16 and bf16 data type"),
        Raised("RuntimeError: FlashAttention only supports fp16, bf16, and fp8_e4m3 data type"),
    ),
)
