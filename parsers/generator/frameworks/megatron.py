"""Megatron-LM: arguments and anchors from rank 0, iteration lines from the last rank."""

from __future__ import annotations

from logtui.parsers.generator import clock
from logtui.parsers.generator.stage import Stage
from logtui.parsers.generator.step import Step, batch_size, printed


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
