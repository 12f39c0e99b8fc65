"""vLLM's refusal of a chat template: what was given looks like a path, and nothing is there."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.chat_template",
    writer="vLLM 0.6 and later, entrypoints/chat_utils.py",
    types=(r"^ValueError$",),
    says=(r"supplied chat template .{0,80}\bdoesn't exist",),
    cls=FailureClass.CONFIG,
    weight=60,
    title="the chat template that was given is not there",
    samples=(Raised("ValueError: The supplied chat template string (tools57) appears path-like, but doesn't exist!"),),
)
