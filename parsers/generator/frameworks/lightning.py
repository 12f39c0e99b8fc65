"""Lightning: member lines from all ranks, a progress bar from rank 0."""

from __future__ import annotations

from logtui.parsers.generator.stage import Stage
from logtui.parsers.generator.step import Step, bar


def lightning_header(stage: Stage, time: float) -> None:
    """Before the first step."""
    world = stage.spec.world_size
    for rank in stage.world.ranks:
        local = stage.world.local(rank)
        stage.rank(
            rank, time + stage.jitter(2), f"Initializing distributed: GLOBAL_RANK: {rank}, MEMBER: {rank + 1}/{world}"
        )
        devices = ",".join(map(str, range(stage.spec.gpus_per_node)))
        stage.rank(rank, time + 4 + stage.jitter(1), f"LOCAL_RANK: {local} - CUDA_VISIBLE_DEVICES: [{devices}]")
    stage.rank(0, time - 1, "GPU available: True (cuda), used: True")
    block = f"{'-' * 100}\ndistributed_backend=nccl\nAll distributed processes registered. Starting with {world} processes\n{'-' * 100}"
    stage.rank(0, time + 3, block)


def lightning_step(stage: Stage, step: Step) -> None:
    """One step."""
    text = bar("Epoch 0", step, f", loss={step.loss:.3g}, v_num=0, global_step={step.number}")
    event = stage.rank(0, step.time, text)
    event.glue = stage.spec.noise
    stage.last_steps[0] = step.number


def lightning_done(stage: Stage, step: Step) -> None:
    """The end as planned."""
    stage.rank(0, step.time + 1, f"\n`Trainer.fit` stopped: `max_steps={step.number}` reached.")
