"""DeepSpeed: throughput and step lines from rank 0."""

from __future__ import annotations

from logtui.parsers.generator import clock
from logtui.parsers.generator.stage import Stage
from logtui.parsers.generator.step import Step, batch_size, printed


def _log(time: float, place: str, text: str, level: str = "INFO") -> str:
    return f"[{clock.comma(time)}] [{level}] [{place}] {text}"


def deepspeed_header(stage: Stage, time: float) -> None:
    """Before the first step."""
    for rank in stage.world.ranks:
        said = "Initializing TorchBackend in DeepSpeed with backend nccl"
        stage.rank(rank, time, _log(time, "comm.py:652:init_distributed", said))
    said = "[Rank 0] DeepSpeed info: version=0.16.3, git-hash=unknown, git-branch=unknown"
    stage.rank(0, time + 2, _log(time + 2, "logging.py:96:log_dist", said), stdout=True)
    said = "[Rank 0] Creating torch.bfloat16 ZeRO stage 2 optimizer"
    stage.rank(0, time + 3, _log(time + 3, "logging.py:96:log_dist", said), stdout=True)


def deepspeed_step(stage: Stage, step: Step) -> None:
    """One step."""
    said = f"[Rank 0] step={step.number}, skipped=0, lr=[{3e-4 * min(1, step.number / 500):.6g}], mom=[(0.9, 0.95)]"
    stage.rank(0, step.time - 0.001, _log(step.time, "logging.py:96:log_dist", said), stdout=True)
    rate = batch_size(stage) / step.took_s
    said = (
        f"epoch=0/micro_step={step.number}/global_step={step.number}, RunningAvgSamplesPerSec={rate:.6f}, "
        f"CurrSamplesPerSec={rate:.6f}, MemAllocated=31.4GB, MaxMemAllocated=58.2GB"
    )
    printed(stage, 0, step, _log(step.time, "timer.py:264:stop", said))


def deepspeed_done(stage: Stage, step: Step) -> None:
    """The end as planned."""
    said = f"[Rank 0] [Torch] Checkpoint global_step{step.number} is about to be saved!"
    stage.rank(0, step.time + 1, _log(step.time + 1, "logging.py:96:log_dist", said), stdout=True)
