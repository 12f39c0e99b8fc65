"""What each training framework prints: a header at the start, a line for each step, a word at the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from logtui.parsers.generator.frameworks import deepspeed, huggingface, lightning, megatron, nemo, plain
from logtui.parsers.generator.spec import Framework
from logtui.parsers.generator.stage import Stage
from logtui.parsers.generator.step import Step


@dataclass(frozen=True, slots=True)
class Speech:
    """The three things a framework says."""

    header: Callable[[Stage, float], None]
    """Of itself, before the first step."""
    step: Callable[[Stage, Step], None]
    """About each step, from the ranks that print it."""
    done: Callable[[Stage, Step], None]
    """When training is over as planned."""


SPEECH: dict[Framework, Speech] = {
    Framework.MEGATRON: Speech(megatron.header, megatron.step, megatron.done),
    Framework.NEMO: Speech(nemo.header, nemo.step, nemo.done),
    Framework.LIGHTNING: Speech(lightning.header, lightning.step, lightning.done),
    Framework.DEEPSPEED: Speech(deepspeed.header, deepspeed.step, deepspeed.done),
    Framework.HUGGINGFACE: Speech(huggingface.header, huggingface.step, huggingface.done),
    Framework.PLAIN: Speech(plain.header, plain.step, plain.done),
}
