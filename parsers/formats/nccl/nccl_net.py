"""NCCL's InfiniBand, RoCE and libfabric transports: completions with errors, async events, verbs calls.

A completion error is printed by the survivor: the named peer, or the way to it, is the suspect.
"""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Pattern, Program, Role, Sample, Trait

_WARN = "[2026-11-21 04:12:03] node007:4411:4602 [1] transport/net_ib.cc:1295 NCCL WARN "
_COMPLETION = (
    r"NET/IB(?:/GIN)? ?: ?Got completion(?: from peer (?P<peer>\S+?)(?:<(?P<port>\d+)>)?)? with "
    r"(?:error |status=(?:(?P<status_name>\w+)\()?)(?P<status>{codes})\b"
)
_DETAIL = r"(?:.{0,120}?vendor[ _]err[ =](?P<vendor_err>\d+))?(?:.{0,200}? hca (?P<hca>\S+))?"
_EVENT = r"NET/IB ?: ?(?:(?P<device>[\w-]+):(?P<port>\d+) )?"


def _completion(codes: str) -> str:
    """A work completion that failed with one of these verbs status codes, in the wordings of 2.7 to 2.30."""
    return _COMPLETION.replace("{codes}", codes) + _DETAIL


IB = (
    Pattern(
        name="ib.completion_error",
        anchors=(": got completion with error:",),
        regex=r"\bmlx[45]: (?P<peer>[\w.-]{1,64}): got completion with error:",
        samples=(Sample("mlx5: node007: got completion with error:", {"peer": "node007"}),),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=58,
        title="InfiniBand: an operation ended with an error",
        note="The card's own library prints it, with four lines of hexadecimal below. A consequence where the peer ended first.",
    ),
    Pattern(
        name="nccl_net.ib_retry_exceeded",
        anchors=("Got completion ",),
        regex=_completion("12|13"),
        samples=(
            Sample(
                _WARN + "NET/IB : Got completion from peer 10.1.0.9<36522> with error 12, opcode 0, len 0, vendor err "
                "129 (Recv) localGid ::ffff:10.1.0.7 remoteGid ::ffff:10.1.0.9",
                {"peer": "10.1.0.9", "port": "36522", "status": "12", "vendor_err": "129"},
            ),
            Sample(
                _WARN + "NET/IB: Got completion from peer 10.1.0.9<36522> with status=IBV_WC_RETRY_EXC_ERR(12) "
                "opcode=IBV_WC_SEND(0) vendor_err=129  localGid ::ffff:10.1.0.7 remoteGids::ffff:10.1.0.9 hca mlx5_3",
                {"peer": "10.1.0.9", "status_name": "IBV_WC_RETRY_EXC_ERR", "status": "12", "hca": "mlx5_3"},
            ),
            Sample(
                "node007:4411:4602 [1] transport/net_ib.cc:740 NCCL WARN NET/IB : Got completion with error 12, opcode "
                "1, len 0, vendor err 129",
                {"status": "12", "vendor_err": "129"},
            ),
            Sample(
                _WARN
                + "NET/IB : Got completion from peer 10.1.0.9<36522> with status=12 opcode=0 len=0 vendor err 129 "
                "(Send) hca mlx5_3",
                {"peer": "10.1.0.9", "status": "12", "hca": "mlx5_3"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=60,
        title="InfiniBand: a peer does not answer",
        note="12 retries, 13 receiver not ready: peer dead, cable, switch, GID or MTU. A consequence where the peer's "
        "process ended first.",
        advice=(
            Advice(
                "infrastructure",
                "check the peer {peer} first: its process, its kernel log, ibstat; then cable and switch "
                "counters of {hca} port {port} on both ends",
            ),
            Advice(
                "training", "only where links are good but slow to come back: NCCL_IB_TIMEOUT=22, NCCL_IB_RETRY_CNT=7"
            ),
        ),
    ),
    Pattern(
        name="nccl_net.ib_flushed",
        anchors=("Got completion ",),
        regex=_completion("5"),
        samples=(
            Sample(
                _WARN
                + "NET/IB : Got completion from peer 10.1.0.9<36522> with error 5, opcode 0, len 1, vendor err 244 "
                "(Recv)",
                {"peer": "10.1.0.9", "status": "5", "vendor_err": "244"},
            ),
            Sample(
                _WARN + "NET/IB: Got completion from peer 10.1.0.9<36522> with status=IBV_WC_WR_FLUSH_ERR(5) "
                "opcode=IBV_WC_RECV(128) reqSize=0 vendor_err=249 req_type=Recv hca mlx5_3",
                {"status": "5", "vendor_err": "249"},
            ),
        ),
        role=Role.SYMPTOM,
        cls=FailureClass.NETWORK,
        title="InfiniBand: request flushed",
        note="Follows an earlier error on the same queue pair, or the end of the peer.",
    ),
    Pattern(
        name="nccl_net.ib_completion",
        anchors=("Got completion ",),
        regex=_completion(r"(?!5\b|12\b|13\b)[1-9]\d*"),
        samples=(
            Sample(
                _WARN + "NET/IB: Got completion from peer 10.1.0.9<36522> with status=4 opcode=0 len=0 vendor err 81 "
                "(Send) localGid ::ffff:10.1.0.7 remoteGids::ffff:10.1.0.9 hca mlx5_1",
                {"peer": "10.1.0.9", "status": "4", "vendor_err": "81", "hca": "mlx5_1"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=65,
        title="InfiniBand: completion with an error",
        note="4 local protection, 9 remote invalid request, 10 remote access, 11 remote operation.",
        advice=(
            Advice(
                "infrastructure",
                "check {hca} port {port}[ of {host}] and its peer {peer}: perfquery and switch counters, GID "
                "index, MTU",
            ),
        ),
    ),
    Pattern(
        name="nccl_net.async_error",
        anchors=("ot async event : ", "ot async error event: ", "non-fatal async event: ", "async fatal event"),
        regex=_EVENT + r"(?:Got async event : |Got async error event: |Got non-fatal async event: |async fatal event"
        r"(?: on \w+)?(?:, unused for now)?(?: \([^)]*\))?: )(?P<event>port error|local catastrophic error|"
        r"[^\n(]{0,40}(?:fatal|error|violation)\b[^\n(]{0,30})",
        samples=(
            Sample(
                _WARN + "NET/IB : mlx5_3:1 Got async error event: port error",
                {"device": "mlx5_3", "port": "1", "event": "port error"},
            ),
            Sample(
                _WARN + "NET/IB : Got async event : local catastrophic error", {"event": "local catastrophic error"}
            ),
            Sample(
                _WARN + "NET/IB : mlx5_3:1 async fatal event on QP (0x7f31f8): local access violation work queue error",
                {"device": "mlx5_3", "event": "local access violation work queue error"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=75,
        title="InfiniBand: error on this host's port",
        note="Port error then port active is a link flap. With shared contexts the port may be another's.",
        advice=(
            Advice(
                "infrastructure",
                "check port {port} of {device}[ on {host}]: cable, optics, switch port (ibdiagnet, mlxlink); "
                "keep the host out until it is clean",
            ),
        ),
    ),
    Pattern(
        name="nccl_net.async_event",
        anchors=("ot async event : ", "ot async error event: ", "non-fatal async event: ", "GID table change"),
        regex=_EVENT + r"(?:Got async event : |Got async error event: |Got non-fatal async event: )?"
        r"(?P<event>port active|GID table changed?|client reregistration|LID change|P_Key change|SM change|"
        r"subnet manager change)",
        samples=(
            Sample(
                _WARN + "NET/IB : mlx5_3:1 Got non-fatal async event: port active(9)",
                {"device": "mlx5_3", "event": "port active"},
            ),
            Sample(_WARN + "NET/IB : mlx5_3:1 GID table changed", {"event": "GID table changed"}),
        ),
        role=Role.STATE,
        title="InfiniBand: port event on this host",
    ),
    Pattern(
        name="nccl_net.size_mismatch",
        anchors=("collective mismatch error",),
        regex=r"NET/IB ?: .{0,80}?peer (?P<peer>\S+) collective mismatch error,? local size (?P<local_size>\d+) remote "
        r"(?:size )?(?P<remote_size>\d+)",
        samples=(
            Sample(
                _WARN
                + "NET/IB : req 0/1 tag 2f peer 10.1.0.9<36522> collective mismatch error, local size 4096 remote "
                "size 2048",
                {"peer": "10.1.0.9<36522>", "local_size": "4096", "remote_size": "2048"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.COLLECTIVE_MISMATCH,
        weight=80,
        title="two ranks sent different sizes",
        note="2.10 to 2.18.",
        advice=(
            Advice(
                "training",
                "make the tensors of that collective of one size on all ranks: {local_size} here, {remote_size} "
                "there; TORCH_DISTRIBUTED_DEBUG=DETAIL names the first that differs",
            ),
        ),
    ),
)

CALLS = (
    Pattern(
        name="nccl_net.memory_registration",
        anchors=("Call to ibv_reg_", "Unable to register memory", "cxil_map: write error"),
        regex=r"(?<!\d )Call to (?P<call>ibv_reg_\w+) failed(?: with error (?P<error>[^\n]{1,60}?))?(?: errno (?P<errno>\d+))?\s*$"
        r"|Unable to register memory \(type = \d+\) for device \d+\. RC: (?P<rc>-?\d+)(?:, Error: (?P<text>.{1,80}))?"
        r"|cxil_map: write error",
        samples=(
            Sample("cxil_map: write error"),
            Sample(
                "node007:4411:4602 [1] misc/ibvwrap.cc:264 NCCL WARN Call to ibv_reg_mr failed with error Cannot allocate "
                "memory",
                {"call": "ibv_reg_mr", "error": "Cannot allocate memory"},
            ),
            Sample(
                "node007:4411:4602 [1] register_mr_buffers:812 NCCL WARN NET/OFI Unable to register memory (type = 2) for "
                "device 3. RC: -22, Error: Invalid argument",
                {"rc": "-22", "text": "Invalid argument"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=60,
        title="the network card cannot register memory",
        note="Memory-lock limit, container permissions, missing peer-memory module.",
        advice=(
            Advice(
                "infrastructure",
                "raise the memory-lock limit[ on {host}] (ulimit -l unlimited, --ulimit memlock=-1), and load "
                "nvidia-peermem",
            ),
        ),
    ),
    Pattern(
        name="nccl_net.device_skipped",
        anchors=(
            "Call to ibv_open_device failed",
            "NET/IB : Unable to open device",
            "NET/IB: Unable to open device",
            "SHARP coll init error",
            "Cannot initialize CollNet",
        ),
        regex=r"Call to ibv_open_device failed|NET/IB ?: Unable to open device(?: (?P<device>\S+))?|SHARP coll init error"
        r"|Cannot initialize CollNet",
        samples=(
            Sample(
                "node007:4411:4602 [1] transport/net_ib.cc:122 NCCL WARN NET/IB : Unable to open device mlx5_9",
                {"device": "mlx5_9"},
            ),
            Sample("node007:4411:4602 [1] NCCL WARN Cannot initialize CollNet, using point-to-point network instead"),
        ),
        role=Role.NOISE,
        bulk=True,
        title="NCCL skips a device",
        note="NCCL goes on with the others.",
    ),
    Pattern(
        name="nccl_net.verbs_call",
        anchors=("Call to ibv_",),
        regex=r"(?<!\d )Call to (?P<call>ibv_(?!reg_|open_device)\w+) failed(?: with error (?P<error>[^\n]{1,60}?))?"
        r"(?:,? errno (?P<errno>\d+))?\s*$",
        samples=(
            Sample(
                "node007:4411:4602 [1] misc/ibvwrap.cc:190 NCCL WARN Call to ibv_modify_qp failed with error Connection "
                "timed out errno 110",
                {"call": "ibv_modify_qp", "error": "Connection timed out", "errno": "110"},
            ),
            Sample("node007:4411:4602 [1] NCCL WARN Call to ibv_create_qp failed", {"call": "ibv_create_qp"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=55,
        title="a verbs call failed on this host",
        note="Queue-pair limits, wrong GID, or no way to the peer (ibv_modify_qp: timed out).",
        advice=(
            Advice(
                "infrastructure",
                "check the adapters[ of {host}]: ibv_devinfo, NCCL_IB_HCA, NCCL_IB_GID_INDEX, and the limits of "
                "queue pairs",
            ),
        ),
    ),
    Pattern(
        name="nccl_net.ofi_request",
        anchors=("NET/OFI Request ",),
        regex=r"NET/OFI Request \S* ?completed with error\. RC: (?P<rc>-?\d+)\. Error: (?P<error>[^.]{1,160})",
        samples=(
            Sample(
                "node007:4411:4602 [1] ofi_process_cq:233 NCCL WARN NET/OFI Request 0x7f31f8 completed with error. RC: "
                "103. Error: 4126 (Unresponsive receiver (reachable by EFA device but handshake failed)",
                {"rc": "103", "error": "4126 (Unresponsive receiver (reachable by EFA device but handshake failed)"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=65,
        title="libfabric: a request failed",
        note="AWS EFA, Slingshot. `Unresponsive receiver`: the peer, or its security group.",
        advice=(
            Advice(
                "infrastructure",
                "check the peer's process and, on AWS, that the security group lets EFA traffic through to itself",
            ),
        ),
    ),
    Pattern(
        name="nccl_net.ofi_endpoint",
        anchors=("NET/OFI Couldn't ", "NET/OFI Creating new endpoint"),
        regex=r"NET/OFI (?P<what>Couldn't (?:open|allocate|create|bind|enable|get)\b.{1,60}?|Creating new endpoint .{1,60}?failed)[.:] "
        r"(?:RC: (?P<rc>-?\d+), ERROR: )?(?P<error>.{2,80})",
        samples=(
            Sample(
                "node007:4411:4602 [1] create_nccl_ofi_component:57 NCCL WARN NET/OFI Couldn't open AV. RC: -22, ERROR: "
                "Invalid argument",
                {"what": "Couldn't open AV", "rc": "-22", "error": "Invalid argument"},
            ),
            Sample(
                "node007:4411:4602 [1] nccl_net_ofi_domain_get_ep:57 NCCL WARN NET/OFI Creating new endpoint for domain "
                "0x7f31f8 failed: Invalid argument",
                {"error": "Invalid argument"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=50,
        title="libfabric could not open an endpoint",
    ),
)

FORMAT = LineFormat(
    name="nccl_net",
    title="NCCL: InfiniBand, RoCE, libfabric",
    reference="NCCL src/transport/net_ib, 2.7 to 2.30; aws-ofi-nccl",
    patterns=IB + CALLS,
    programs=(Program(Kind.LIBRARY, ("nccl_net",), traits=(Trait.TOGETHER, Trait.WARNS)),),
)
