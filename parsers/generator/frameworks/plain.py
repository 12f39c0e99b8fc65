"""A script of its own: Python logging, every rank for some steps, rank 0 for all."""

from __future__ import annotations

from logtui.parsers.generator import clock
from logtui.parsers.generator.stage import Stage
from logtui.parsers.generator.step import Step


def plain_header(stage: Stage, time: float) -> None:
    """Before the first step."""
    world = stage.spec.world_size
    for rank in stage.world.ranks:
        at = time + stage.jitter(1.5)
        who = f"rank {rank}/{world} local_rank {stage.world.local(rank)} host {stage.world.node(rank).host}"
        stage.rank(rank, at, f"{clock.comma(at)} INFO train: {who} pid {stage.world.pid(rank, stage.attempt)}")


def plain_step(stage: Stage, step: Step) -> None:
    """One step."""
    ranks = stage.world.ranks if step.number % 50 == 1 else range(1)
    for rank in ranks:
        at = step.time + (stage.jitter(0.02) if rank else 0.0)
        loss = step.loss + stage.jitter(0.05)
        text = f"{clock.comma(at)} INFO train: step {step.number} loss {loss:.4f} step_time {step.took_s:.3f}s"
        stage.rank(rank, at, text)
        stage.last_steps[rank] = step.number


def plain_done(stage: Stage, step: Step) -> None:
    """The end as planned."""
    for rank in stage.world.ranks:
        at = step.time + 0.5 + stage.jitter(0.2)
        stage.rank(rank, at, f"{clock.comma(at)} INFO train: training finished after {step.number} steps")
