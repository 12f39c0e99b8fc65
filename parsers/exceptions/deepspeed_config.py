"""DeepSpeed's configuration is not what it reads."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.deepspeed_config",
    writer="DeepSpeed, runtime/config.py and config_utils.py, every version",
    title="DeepSpeed's configuration does not add up",
    types=(r"DeepSpeedConfigError$",),
    cls=FailureClass.CONFIG,
    weight=66,
    advice=(Advice("training", "correct the DeepSpeed configuration (ds_config): {raised}"),),
    samples=(
        Raised(
            "deepspeed.runtime.config_utils.DeepSpeedConfigError: Config parameter zero_optimization.stages unknown"
        ),
        Raised("deepspeed.runtime.config.DeepSpeedConfigError: DeepSpeedConfig: train_batch_size is not defined"),
    ),
)
