"""A hub of models or data sets that the job was told not to ask."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass
from logtui.parsers.remedies import OFFLINE_HUB

KIND = ExceptionKind(
    name="exception.hub_offline",
    writer="huggingface/datasets load.py, 2.14 and later, where HF_DATASETS_OFFLINE or HF_HUB_OFFLINE is set",
    says=(r"\(OfflineModeIsEnabled\)",),
    cls=FailureClass.CONFIG,
    weight=66,
    title="a data set is not cached, and offline mode forbids to fetch it",
    advice=OFFLINE_HUB,
    samples=(Raised("ConnectionError: Couldn't reach 'acme/c57' on the Hub (OfflineModeIsEnabled)"),),
)
