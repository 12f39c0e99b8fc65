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
        Pattern(
            name="verbs.completion",
            anchors=(
                "transport retry counter exceeded",
                "RNR retry counter exceeded",
                "local protection error",
                "remote access error",
                "remote operation error",
                "IBV_WC_",
                "Failed status ",
            ),
            # the texts of ibv_wc_status_str; NCCL and UCX, which have words of their own, tell of them themselves
            regex=r"^(?!.{0,300}(?:NET/IB|NCCL|UCX)).{0,300}?(?P<status>transport retry counter exceeded|RNR retry counter exceeded"
            r"|local protection error|remote access error|remote operation error"
            r"|\bIBV_WC_(?:RETRY_EXC|RNR_RETRY_EXC|LOC_PROT|LOC_QP_OP|REM_ACCESS|REM_OP|FATAL)_ERR|Failed status (?:[1-4]|[6-9]|1[0-4])\b)",
            samples=(
                Sample("poll: transport retry counter exceeded (12) for wr_id 57", {}),
                Sample("rdma: post failed, IBV_WC_REM_ACCESS_ERR", {"status": "IBV_WC_REM_ACCESS_ERR"}),
                Sample(" Failed status 12: wr_id 5 syndrom 0x57", {"status": "Failed status 12"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=60,
            bulk=True,
            title="InfiniBand: completion with an error",
            note="A consequence where the peer's process ended first.",
        ),
        Pattern(
            name="verbs.event",
            anchors=("async event: ", "IBV_EVENT_"),
            regex=r"(?<!Got )(?<!fatal )\basync event: (?P<event>port error|device fatal|local catastrophic error|QP fatal)"
            r"|\b(?P<name>IBV_EVENT_(?:PORT_ERR|DEVICE_FATAL|QP_FATAL|QP_ACCESS_ERR))\b",
            samples=(
                Sample("async event: port error on device mlx5_5 port 1", {"event": "port error"}),
                Sample("got IBV_EVENT_DEVICE_FATAL", {"name": "IBV_EVENT_DEVICE_FATAL"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=72,
            title="InfiniBand: error on this host's port",
        ),
        Pattern(
            name="verbs.call",
            anchors=("ibv_create", "ibv_reg_mr", "ibv_modify_qp", "ibv_post_", "ibv_alloc_pd", "ibv_query_"),
            regex=r"^(?!.{0,300}(?:NET/IB|NCCL|UCX|[Cc]all to )).{0,300}?\b(?P<call>ibv_(?:create_\w{1,20}|reg_mr\w{0,10}|modify_qp|"
            r"post_\w{1,10}|alloc_pd|query_\w{1,10}))(?:\([^)]{0,80}\))?:? (?:failed|returned error)(?:: (?P<error>[A-Z][\w ]{2,60}))?",
            samples=(
                Sample(
                    "ibv_reg_mr failed: Cannot allocate memory",
                    {"call": "ibv_reg_mr", "error": "Cannot allocate memory"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=54,
            bulk=True,
            title="a verbs call failed on this host",
        ),
    ),
)
