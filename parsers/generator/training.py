"""The uneventful part: start-up, steps, data, checkpoints, until something happens."""

from __future__ import annotations

from logtui.parsers.generator import clock, nccl
from logtui.parsers.generator.frameworks import SPEECH
from logtui.parsers.generator.noise import write_bar, write_warnings
from logtui.parsers.generator.spec import Fault
from logtui.parsers.generator.stage import Stage
from logtui.parsers.generator.starting import write_launch
from logtui.parsers.generator.step import Step, loss_at

COLLECTIVES_PER_STEP = 4
"""Of the default group; a step's number follows from the sequence number it stops at."""
TOTAL_STEPS = 1000
SHARD_EVERY = 40
"""Steps between two shards of one rank."""


def write_start(stage: Stage, time: float) -> float:
    """Launcher, framework header, communicator set-up. Returns when the first step may begin."""
    write_launch(stage, time)
    SPEECH[stage.spec.framework].header(stage, time + 12)
    write_warnings(stage, time + 12)
    nccl.write_init(stage, time + 22)
    stage.trained_from = stage.trained_to = time + 30
    return time + 30


def steps_before(seq: int) -> int:
    """Whole steps that are done when collective `seq` is met."""
    return max(1, (seq - 1) // COLLECTIVES_PER_STEP)


def write_training(stage: Stage, time: float, first: int, last: int) -> float:
    """Steps `first` to `last`, both inclusive. Returns when the last was done."""
    total = max(TOTAL_STEPS, last)
    for number in range(first, last + 1):
        took = step_time(stage, number, first)
        time += took
        SPEECH[stage.spec.framework].step(stage, Step(number, total, time, took, loss_at(number)))
        stage.last_step = number
        if stage.spec.fault == Fault.SLOW and number == slow_step(stage):
            stage.events[-1].marks["slow"] = 0
        _write_shards(stage, number, time)
    stage.trained_to = time
    write_bar(stage, time + 0.05)
    return time


def step_time(stage: Stage, number: int, first: int) -> float:
    """Seconds of a step: the first compiles; a slow job is slow from its step on."""
    usual = stage.spec.step_s * (0.99 + stage.jitter(0.02))
    if number == first:
        return usual * 2.6
    slow = stage.spec.fault == Fault.SLOW and number >= slow_step(stage)
    return usual * stage.spec.slow_ratio if slow else usual


def slow_step(stage: Stage) -> int:
    """The step at which a slow job becomes slow."""
    return stage.spec.slow_from or max(6, steps_before(stage.spec.seq) // 2)


def finish(stage: Stage, time: float, last: int) -> None:
    """Training is over as planned."""
    SPEECH[stage.spec.framework].done(stage, Step(last, last, time, stage.spec.step_s, loss_at(last)))


def shard(rank: int, number: int) -> str:
    """The shard that a rank reads after so many steps."""
    return f"shard-{(rank * 7919 + number // SHARD_EVERY * 104_729) % 100_000:05d}.tar"


def opening(stage: Stage, rank: int, time: float, number: int, mark: str = "") -> None:
    """The data layer opens a shard."""
    text = f"{clock.comma(time)} INFO shards: rank {rank} opening shard s3://corpus/{shard(rank, number)}"
    stage.rank(rank, time, text, mark=mark)


def _write_shards(stage: Stage, number: int, time: float) -> None:
    """Each rank opens its next shard once in a while, not all at the same step."""
    for rank in range(number * 7 % SHARD_EVERY, stage.spec.world_size, SHARD_EVERY):
        at = time - stage.jitter(0.7) * stage.spec.step_s
        opening(stage, rank, at, number)
        took = 0.4 + stage.jitter(1.2)
        text = f"{clock.comma(at + took)} INFO shards: rank {rank} read 2048 samples from {shard(rank, number)} in {took:.2f} s"
        stage.rank(rank, at + took, text)
