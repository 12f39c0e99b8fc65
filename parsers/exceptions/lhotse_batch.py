"""Lhotse's AIStore loader: an object of a batch that came back empty, which release 1.33 stumbles over."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.empty_in_batch",
    writer="lhotse 1.33.0, lhotse/ais/batch_loader.py, with aistore's MossOut",
    title="an object of a batch is missing or came back empty",
    types=(r"^AttributeError$",),
    says=(r"'MossOut' object has no attribute 'bck'",),
    cls=FailureClass.STORAGE_IO,
    weight=64,
    samples=(
        Raised("AttributeError: 'MossOut' object has no attribute 'bck'", ("lhotse/ais/batch_loader.py __call__",)),
    ),
)
