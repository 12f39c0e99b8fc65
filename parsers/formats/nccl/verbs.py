"""Queue pairs of InfiniBand and RoCE, as programs that use the verbs themselves tell of them."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="verbs",
    title="Programs that use InfiniBand verbs: perftest, Mooncake, UCCL",
    reference="linux-rdma/perftest src/perftest_resources.c; kvcache-ai/Mooncake rdma_endpoint.cpp; uccl-project/uccl ep",
    patterns=(
        Pattern(
            name="verbs.no_path",
            anchors=("modify QP to RT",),
            regex=r"Failed to modify QP to RT[RS](?:, check [a-z, ]{3,60}| state)?(?:: (?P<error>[A-Z][A-Za-z ]{1,39}[a-z]))?",
            samples=(
                Sample("Failed to modify QP to RTR: Connection timed out", {"error": "Connection timed out"}),
                Sample(" Failed to modify QP to RTS"),
                Sample(
                    "E0304 05:06:07.123456 4242 rdma_endpoint.cpp:500] Failed to modify QP to RTR, check mtu, gid, "
                    "peer lid, peer qp num: Invalid argument [22]",
                    {"error": "Invalid argument"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=55,
            title="a queue pair found no way to its peer",
            note="Wrong GID, MTU or a fabric that does not carry RoCE between the two hosts.",
        ),
    ),
)
