"""torch.load's refusal of a checkpoint that pickles more than tensors: PyTorch 2.6 and later."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.weights_only",
    writer="PyTorch 2.4 and later, torch.load with weights_only, which is the default from 2.6",
    types=(r"UnpicklingError$",),
    says=(r"Weights only load failed", r"WeightsUnpickler error"),
    cls=FailureClass.SOFTWARE,
    weight=66,
    title="the checkpoint holds objects that this PyTorch does not load by default",
    advice=(
        Advice(
            "training",
            "allow the classes it names with torch.serialization.add_safe_globals, or load a file that you trust with "
            "weights_only=False",
        ),
    ),
    samples=(
        Raised(
            "_pickle.UnpicklingError: Weights only load failed. This file can still be loaded, to do so you have two options",
            ("torch/serialization.py load",),
        ),
        Raised(
            "_pickle.UnpicklingError: WeightsUnpickler error: Unsupported global: GLOBAL jobkit.Step57",
            ("torch/serialization.py load",),
        ),
    ),
)
