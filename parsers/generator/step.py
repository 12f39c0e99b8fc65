"""One training step, and what all frameworks' lines about it have in common."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

from logtui.parsers.generator.stage import Stage


@dataclass(frozen=True, slots=True)
class Step:
    """One training step as it is reported."""

    number: int
    """From 1."""
    total: int
    time: float
    """When it was done."""
    took_s: float
    loss: float


def loss_at(step: int) -> float:
    """A loss curve: falls from 11 towards 2."""
    return 2.0 + 9.0 * exp(-step / 120)


def batch_size(stage: Stage) -> int:
    """Samples in a step over all ranks."""
    return 4 * stage.spec.world_size


def printed(stage: Stage, rank: int, step: Step, text: str, stdout: bool = True) -> None:
    """The line of a step, from the rank that prints it."""
    stage.rank(rank, step.time, text, stdout=stdout)
    stage.last_steps[rank] = step.number


def bar(desc: str, step: Step, postfix: str) -> str:
    """A tqdm bar; it begins with a carriage return and has no newline."""
    share = step.number / step.total
    elapsed, left = step.number * step.took_s, (step.total - step.number) * step.took_s
    rate = f"{1 / step.took_s:.2f}it/s" if step.took_s < 1 else f"{step.took_s:.2f}s/it"
    marks = "█" * int(share * 10)
    return f"\r{desc}: {share:4.0%}|{marks:<10}| {step.number}/{step.total} [{_span(elapsed)}<{_span(left)}, {rate}{postfix}]"


def _span(seconds: float) -> str:
    minutes, s = divmod(int(seconds), 60)
    hours, m = divmod(minutes, 60)
    return f"{hours}:{m:02d}:{s:02d}" if hours else f"{m:02d}:{s:02d}"
