"""A server of remote calls that is not reached, or no longer: gRPC says UNAVAILABLE."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.rpc_unreached",
    writer="gRPC 1, through grpcio and TensorFlow",
    says=(
        r"failed to connect to all addresses",
        r"Collective ops is aborted by: Could not parse rpc response",
        r"StatusCode\.UNAVAILABLE[\s\S]{0,80}details = \"(?:Socket closed|Connection reset|recvmsg|Endpoint read failed)",
    ),
    cls=FailureClass.NETWORK,
    weight=56,
    title="a server of remote calls is not reached",
    advice=(
        Advice("infrastructure", "see whether the process behind that address still runs, and when it went: {raised}"),
    ),
    samples=(
        Raised(
            "tensorflow.python.framework.errors_impl.UnavailableError: Graph execution error:\n"
            ":UNKNOWN:failed to connect to all addresses; last error: UNKNOWN: ipv4:10.0.0.57:2222: Failed to connect to remote host"
        ),
        Raised(
            "tensorflow.python.framework.errors_impl.UnavailableError: Graph execution error:\n"
            "Collective ops is aborted by: Could not parse rpc response"
        ),
        Raised(
            "grpc._channel._InactiveRpcError: <_InactiveRpcError of RPC that terminated with:\n"
            "\tstatus = StatusCode.UNAVAILABLE\n"
            '\tdetails = "Socket closed"'
        ),
    ),
)
