"""What each training framework prints: a header at the start, a line for each step, a word at the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp

from logtui.parsers.generator.stage import clock
from logtui.parsers.generator.stage.spec import Framework
from logtui.parsers.generator.stage.stage import Stage


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


def huggingface_header(stage: Stage, time: float) -> None:
    """Before the first step."""
    size = batch_size(stage)
    rows = [
        "***** Running training *****", f"  Num examples = {size * 1000:,}", "  Num Epochs = 1",
        "  Instantaneous batch size per device = 4",
        f"  Total train batch size (w. parallel, distributed & accumulation) = {size}",
        "  Gradient Accumulation steps = 1", "  Total optimization steps = 1,000",
    ]  # fmt: skip
    for i, row in enumerate(rows):
        stage.rank(0, time + 6 + i * 0.0005, row)


def huggingface_step(stage: Stage, step: Step) -> None:
    """One step."""
    event = stage.rank(0, step.time - 0.002, bar("", step, "").replace("\r: ", "\r "))
    event.glue = stage.spec.noise
    loss = "nan" if step.loss != step.loss else f"{step.loss:.4f}"
    text = f"{{'loss': {loss}, 'grad_norm': {0.4 + 1 / step.number:.8f}, 'learning_rate': {3e-4:.1e}, 'epoch': {step.number / step.total:.2f}}}"
    printed(stage, 0, step, text)


def huggingface_done(stage: Stage, step: Step) -> None:
    """The end as planned."""
    took = step.number * step.took_s
    text = f"{{'train_runtime': {took:.4f}, 'train_samples_per_second': {batch_size(stage) / step.took_s:.3f}, 'train_steps_per_second': {1 / step.took_s:.3f}, 'train_loss': {step.loss:.4f}, 'epoch': 1.0}}"
    stage.rank(0, step.time + 1, text, stdout=True)


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


def megatron_header(stage: Stage, time: float) -> None:
    """Before the first step."""
    spec = stage.spec
    dp = spec.world_size // (spec.tensor_parallel * spec.pipeline_parallel)
    sizes = (
        f"using world size: {spec.world_size}, data-parallel size: {dp}, context-parallel size: 1, hierarchical context-parallel "
        f"sizes: None, tensor-model-parallel size: {spec.tensor_parallel}, pipeline-model-parallel size: {spec.pipeline_parallel}"
    )
    arguments = {
        "distributed_timeout_minutes": spec.timeout_s // 60, "global_batch_size": batch_size(stage), "micro_batch_size": 1,
        "save": "/data/checkpoints", "tensor_model_parallel_size": spec.tensor_parallel, "world_size": spec.world_size,
    }  # fmt: skip
    dump = [f"  {name} {'.' * (48 - len(name))} {value}" for name, value in arguments.items()]
    rows = [sizes, f"{'-' * 24} arguments {'-' * 24}", *dump, f"{'-' * 20} end of arguments {'-' * 21}"]
    rows += ["> setting random seeds to 1234 ...", "> initializing torch distributed ..."]
    for i, row in enumerate(rows):
        stage.rank(0, time + i * 0.001, row, stdout=True)
    last = spec.world_size - 1
    stage.rank(0, time + 9, f"[after megatron is initialized] datetime: {clock.dashed(time + 9)} ", stdout=True)
    stage.rank(
        last, time + 14, f"[before the start of training step] datetime: {clock.dashed(time + 14)} ", stdout=True
    )


def megatron_step(stage: Stage, step: Step) -> None:
    """One step."""
    samples = step.number * batch_size(stage)
    stamp = clock.micro(step.time) if stage.version >= (2, 9) else clock.dashed(step.time)
    loss = "" if step.loss != step.loss else f" lm loss: {step.loss:.6E} |"
    text = (
        f" [{stamp}] iteration {step.number:8d}/{step.total:8d} | consumed samples: {samples:12d} | elapsed time per iteration "
        f"(ms): {step.took_s * 1000:.1f} | throughput per GPU (TFLOP/s/GPU): {3100 / step.took_s:.1f} | learning rate: "
        f"{3e-4 * min(1, step.number / 500):.6E} | global batch size: {batch_size(stage):5d} |{loss} loss scale: 1.0 | grad norm: "
        f"{0.4 + 1 / step.number:.3f} | number of skipped iterations:   0 | number of nan iterations: {0 if loss else 1:3d} |"
    )
    printed(stage, stage.spec.world_size - 1, step, text)


def megatron_done(stage: Stage, step: Step) -> None:
    """The end as planned."""
    at = step.time + 1
    stage.rank(
        0, at, f"saving checkpoint at iteration {step.number:7d} to /data/checkpoints in torch_dist format", stdout=True
    )
    stage.rank(
        0, at + 40, f"  successfully saved checkpoint from iteration {step.number:7d} to /data/checkpoints", stdout=True
    )
    stage.rank(0, at + 41, f"[after training is done] datetime: {clock.dashed(at + 41)} ", stdout=True)


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
