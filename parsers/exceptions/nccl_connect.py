"""NCCL gives up connecting to a peer: torch quotes that as its last error."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.nccl_connect",
    writer="NCCL misc/socket.cc, quoted by torch as the last error",
    title="NCCL cannot connect to a peer, as often as it tries",
    says=(
        r"exceeded (?:error )?(?:retry count|retries|timeouts)",
        r"(?:Connect|connect)\w* ?(?:to [^\n]{1,80})?(?:returned|failed) ?:? (?:No route to host|Connection timed out)",
    ),
    cls=FailureClass.NETWORK,
    weight=52,
    note="The peer may have ended before; else its address cannot be reached: another interface, a firewall.",
    advice=(
        Advice(
            "infrastructure",
            "check that the nodes reach each other on the interface that NCCL chose (NCCL_SOCKET_IFNAME), and for firewalls",
        ),
    ),
    samples=(
        Raised(
            "torch.distributed.DistBackendError: NCCL error in: /opt/pytorch/torch/csrc/distributed/c10d/NCCLUtils.hpp:57, "
            "remote process exited or there was a network error, NCCL version 2.26.2\n"
            "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.\n"
            "Last error:\nsocketPollConnect: connect returned Connection refused, exceeded error retry count (35)"
        ),
        Raised(
            "torch.distributed.DistBackendError: NCCL error in: /opt/pytorch/torch/csrc/distributed/c10d/NCCLUtils.hpp:57, "
            "unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.18.6\n"
            "Last error:\nsocketStartConnect: Connect to 10.0.0.7<5757> failed : No route to host"
        ),
    ),
)
