"""A node of Ray's cluster does not reach the head's control store, with which each begins."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.ray_head",
    writer="Ray 2, python/ray/_private/services.py and src/ray/gcs_client",
    types=(r"RuntimeError$",),
    says=(r"(?:Failed|Unable) to connect to GCS\b",),
    cls=FailureClass.INIT_RENDEZVOUS,
    weight=60,
    title="Ray's head is not reached",
    samples=(Raised("RuntimeError: Failed to connect to GCS. Please check `gcs_server.out` for more details."),),
)
