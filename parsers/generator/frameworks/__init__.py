"""What each training framework prints: a header at the start, a line for each step, a word at the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from logtui.parsers.generator.frameworks.deepspeed import deepspeed_done, deepspeed_header, deepspeed_step
from logtui.parsers.generator.frameworks.huggingface import huggingface_done, huggingface_header, huggingface_step
from logtui.parsers.generator.frameworks.lightning import lightning_done, lightning_header, lightning_step
from logtui.parsers.generator.frameworks.megatron import megatron_done, megatron_header, megatron_step
from logtui.parsers.generator.frameworks.nemo import nemo_done, nemo_header, nemo_step
from logtui.parsers.generator.frameworks.plain import plain_done, plain_header, plain_step
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
    Framework.MEGATRON: Speech(megatron_header, megatron_step, megatron_done),
    Framework.NEMO: Speech(nemo_header, nemo_step, nemo_done),
    Framework.LIGHTNING: Speech(lightning_header, lightning_step, lightning_done),
    Framework.DEEPSPEED: Speech(deepspeed_header, deepspeed_step, deepspeed_done),
    Framework.HUGGINGFACE: Speech(huggingface_header, huggingface_step, huggingface_done),
    Framework.PLAIN: Speech(plain_header, plain_step, plain_done),
}
