"""Lhotse's AIStore loader: a batch that ends before all its objects have come, in release 1.32."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.short_batch",
    writer="lhotse 1.32, lhotse/ais/batch_loader.py",
    title="a batch from AIStore held fewer objects than asked for",
    types=(r"^StopIteration$",),
    frames=(r"lhotse/ais/",),
    cls=FailureClass.STORAGE_IO,
    weight=62,
    samples=(Raised("StopIteration", ("lhotse/ais/batch_loader.py __call__",)),),
)
