"""NeMo 2 on Lightning: its own stamps, and a progress line from rank 0."""

from __future__ import annotations

from logtui.parsers.generator import clock
from logtui.parsers.generator.stage import Stage
from logtui.parsers.generator.step import Step, batch_size, printed


def _head(time: float, level: str, where: str, text: str) -> str:
    return f"[NeMo {level} {clock.dashed(time)} {where}] {text}"


def nemo_header(stage: Stage, time: float) -> None:
    """Before the first step."""
    world = stage.spec.world_size
    for rank in stage.world.ranks:
        text = f"Initializing distributed: GLOBAL_RANK: {rank}, MEMBER: {rank + 1}/{world}"
        stage.rank(rank, time + 1 + stage.jitter(2), text)
    rule = "-" * 100
    ready = f"All distributed processes registered. Starting with {world} processes"
    said = [
        ("nemo_logger:145", "Experiments will be logged at /data/nemo_experiments/asr"),
        ("megatron_strategy:325", "Fixing mis-match between ddp-config & mcore-optimizer config"),
        (
            "utils:302",
            "Setting up DistributedDataParallel with config DistributedDataParallelConfig(overlap_grad_reduce=True)",
        ),
    ]
    for i, (where, text) in enumerate(said):
        stage.rank(0, time + 4 + i, _head(time + 4 + i, "I", where, text), stdout=True)
    stage.rank(0, time + 7, "GPU available: True (cuda), used: True")
    stage.rank(0, time + 8, f"{rule}\ndistributed_backend=nccl\n{ready}\n{rule}")
    text = "No version folders would be created under the log folder as 'resume_if_exists' is enabled."
    stage.rank(0, time + 9, _head(time + 9, "W", "nemo_logger:123", text))


def nemo_step(stage: Stage, step: Step) -> None:
    """One step."""
    text = (
        f"Training epoch 0, iteration {step.number - 1}/{step.total - 1} | lr: {3e-4 * min(1, step.number / 500):.4g} | "
        f"global_batch_size: {batch_size(stage)} | global_step: {step.number - 1} | reduced_train_loss: {step.loss:.4g} | "
        f"train_step_timing in s: {step.took_s:.4g} | consumed_samples: {step.number * batch_size(stage)}"
    )
    printed(stage, 0, step, text)


def nemo_done(stage: Stage, step: Step) -> None:
    """The end as planned."""
    stage.rank(0, step.time + 1, f"`Trainer.fit` stopped: `max_steps={step.number}` reached.")
