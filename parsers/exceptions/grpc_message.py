"""A message that gRPC does not carry: models that federated clients and servers send each other outgrow its limit."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.grpc_message",
    writer="grpc src/core/lib/channel, filters/message_size; Flower, TensorFlow, Ray",
    says=(r"\b(?:Sent|Received) message larger than max \(\d{1,12} vs\. \d{1,12}\)",),
    cls=FailureClass.CONFIG,
    weight=64,
    title="a message is larger than gRPC may carry",
    advice=(Advice("training", "raise the largest message length of both sides, or send less: {raised}"),),
    samples=(
        Raised(
            "grpc._channel._MultiThreadedRendezvous: <_MultiThreadedRendezvous of RPC that terminated with:\n"
            "\tstatus = StatusCode.RESOURCE_EXHAUSTED\n"
            '\tdetails = "Sent message larger than max (1275757 vs. 536870912)"'
        ),
    ),
)
