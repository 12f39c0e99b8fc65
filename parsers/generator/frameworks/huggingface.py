"""Hugging Face Trainer: a header, dictionaries and a progress bar from rank 0."""

from __future__ import annotations

from logtui.parsers.generator.stage import Stage
from logtui.parsers.generator.step import Step, bar, batch_size, printed


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
